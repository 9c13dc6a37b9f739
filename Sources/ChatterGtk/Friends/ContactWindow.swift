import ChatterModel
import ChatterViewModels

/// Another person: who they are; block, report, remove.
struct ContactWindow {
    private let window: Window

    init(_ person: ID<User>, _ main: MainViewModel, over parent: some WidgetHandle) {
        let model = main.contact(person)
        let page = Box.column(spacing: 24, Self.face(model), Self.about(model))
        let content = Box.column(
            HeaderBar().flat(),
            Scroller(Clamp(page.margin(horizontal: 18, top: 6, bottom: 24), width: 400)))
        let window = Window(
            over: parent, title: "Contact", width: 420, height: 640,
            content: ToastOverlay(content).notices(
                { model.isReported ? "The report has been sent. Thank you." : model.notice },
                closed: { model.noticeClosed() }))
        self.window = window
        page.append(Self.actions(model, over: window))
        window.task { await model.run() }
    }

    func present() { window.present() }

    private static func face(_ model: ContactViewModel) -> Box {
        let avatar = Avatar(size: 112).align(.center)
        let name = Label().wrapping().centered().css("title-1").margin(top: 12)
        let handle = Label().wrapping().centered().css("subtle")
        let presence = Label().wrapping().centered().css("subtle")
        let standing = Label().wrapping().centered().css("standing").align(.center).margin(top: 6)
        return Box.column(spacing: 4, avatar, name, handle, presence, standing).observe { _ in
            avatar.show(model.face)
            name.text = model.name
            show(model.handle == model.name ? "" : model.handle, in: handle)
            show(model.presence ?? "", in: presence)
            show(model.standing ?? "", in: standing)
        }
    }

    private static func about(_ model: ContactViewModel) -> PreferencesGroup {
        let text = Label().wrapping().leading().margin(horizontal: 12, vertical: 12)
        let list = ListBox("About").css("boxed-list")
        list.append(ListBoxRow(text))
        return PreferencesGroup("About", "", list).observe { group in
            text.text = model.about
            group.isVisible = !model.about.isEmpty
        }
    }

    private static func show(_ text: String, in label: Label) {
        label.text = text
        label.isVisible = !text.isEmpty
    }

    private static func actions(_ model: ContactViewModel, over window: Window) -> Box {
        let box = Box.column(spacing: 8)
        for action in ContactViewModel.Action.allCases {
            let button = Button(action.title) { await act(action, model, over: window) }
            button.observe { button in
                button.isVisible = model.actions.contains(action)
                button.isSensitive = action != .report || !model.isReporting
            }
            switch action {
            case .message: button.css("suggested-action")
            case .remove, .block, .report: button.css("danger")
            case .add, .unblock: break
            }
            box.append(button)
        }
        return box
    }

    private static func act(
        _ action: ContactViewModel.Action, _ model: ContactViewModel, over window: Window
    ) async {
        switch action {
        case .message:
            await model.messageTapped()
            window.close()
        case .add: await model.addTapped()
        case .remove: Question.remove.ask(model.removeQuestion, over: window) { await model.removeTapped() }
        case .block: Question.block.ask(model.blockQuestion, over: window) { await model.blockTapped() }
        case .unblock:
            Question.unblock.ask(model.unblockQuestion, over: window) { await model.unblockTapped() }
        case .report:
            ReportDialog(question: model.reportQuestion, over: window) { reason, comment in
                await model.reportTapped(reason, comment: comment)
            }.present()
        }
    }
}

extension ContactViewModel.Action {
    /// Those that ask first end in three dots.
    fileprivate var title: String {
        switch self {
        case .message: "Message"
        case .add: "Add Friend"
        case .remove: "Remove Friend…"
        case .block: "Block…"
        case .unblock: "Unblock…"
        case .report: "Report…"
        }
    }
}
