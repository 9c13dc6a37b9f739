import ChatterViewModels

/// From the welcome page to a signed-in account: one step after the other, and back by the button or Escape.
struct OnboardingPage {
    let root: Widget

    init(_ model: OnboardingViewModel) {
        let steps = Stack()
        steps.add(WelcomeStep(model).root, "welcome").add(PhoneStep(model).root, "phone")
            .add(CodeStep(model).root, "code")
        steps.observe {
            switch model.step {
            case .welcome: $0.show("welcome")
            case .phone: $0.show("phone")
            case .code: $0.show("code")
            }
        }
        let back = Button(icon: "go-previous-symbolic", "Back") { model.backTapped() }
        back.observe { $0.isVisible = model.canGoBack }
        root = Box.column(HeaderBar(title: Label()).flat().start(back), steps).any
        root.onKey { key, _ in
            guard key == .escape, model.canGoBack else { return false }
            model.backTapped()
            return true
        }
    }
}

/// What each step of the way in looks like: a picture, a title, a sentence, and below them what to do.
struct StepForm {
    let root: Widget

    init(
        picture: (any WidgetHandle)? = nil, _ title: String, _ sentence: String, _ parts: any WidgetHandle...
    ) {
        let column = Box.column(spacing: 24)
        if let picture { column.append(picture.align(.center)) }
        let heading = Label(title).wrapping().centered().css("step-title")
        let text = Label(sentence).wrapping(maxWidthInCharacters: 40).centered()
        column.append(Box.column(spacing: 12, heading, text))
        for part in parts { column.append(part) }
        column.margin(horizontal: 18, top: 12, bottom: 36).align(nil, .center)
        root = Scroller(Clamp(column, width: 400)).any
    }
}

/// Who opens Chatter for the first time, or was signed out.
struct WelcomeStep {
    let root: Widget

    init(_ model: OnboardingViewModel) {
        let start = Button("Get Started") { model.startTapped() }.css("pill", "suggested-action")
            .align(.center).focusWhenShown()
        let reason = Label.hint { model.reason }.align(.center).centered().css("signed-out")
        root =
            StepForm(
                picture: Image(icon: DesktopApp.id).size(128), "Welcome to Chatter",
                "Messages to your friends that arrive: never lost, never twice, never out of order.",
                reason, start
            ).root
    }
}
