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
                { model.notice }, closed: { model.noticeClosed() }))
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
            show(model.handle, in: handle)
            show(model.presence ?? "", in: presence)
            show(model.standing?.sentence ?? "", in: standing)
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
            button.observe { $0.isVisible = model.actions.contains(action) }
            switch action {
            case .message, .accept: button.css("suggested-action")
            case .remove, .block, .report: button.css("danger")
            case .add, .cancel, .unblock: break
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
        case .accept: await model.acceptTapped()
        case .add: await model.addTapped()
        case .cancel: await model.cancelTapped()
        case .remove: model.removeQuestion.ask(over: window) { await model.removeTapped() }
        case .block: model.blockQuestion.ask(over: window) { await model.blockTapped() }
        case .unblock: await model.unblockTapped()
        case .report: ReportDialog(model.report(), over: window).present()
        }
    }
}
