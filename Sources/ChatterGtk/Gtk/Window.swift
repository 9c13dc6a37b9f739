import CGtk

/// A window: the app's own, or one over it.
struct Window: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }

    /// The app's own window.
    init(_ app: Application, title: String) {
        self.init(adw_application_window_new(app.c()))
        self.title = title
    }

    /// A window over another one, which it keeps from being used; see `takeKeys`.
    init(over parent: some WidgetHandle, title: String, width: Int, height: Int, content: some WidgetHandle) {
        self.init(adw_window_new())
        self.title = title
        if let root = parent.window { gtk_window_set_transient_for(c(), root.c()) }
        gtk_window_set_modal(c(), 1)
        gtk_window_set_destroy_with_parent(c(), 1)
        // No wider than what it lies over: on a narrow window one is on a small screen.
        let room = parent.window.map { Int(gtk_widget_get_width($0.widget)) } ?? 0
        resize(width: room > 0 ? min(width, room) : width, height: height)
        adw_window_set_content(c(), content.widget)
        takeKeys()
    }

    /// Escape and Ctrl+W close it, and Ctrl+Q ends the app: the app's own keys end at its own window.
    fileprivate func takeKeys() {
        onKey { [self] key, modifiers in
            switch (key, modifiers) {
            case (.escape, _), (.w, .control): close()
            case (.q, .control): Application.activate("quit")
            default: return false
            }
            return true
        }
    }

    var title: String {
        get { String(borrowed: gtk_window_get_title(c())) }
        nonmutating set { gtk_window_set_title(c(), newValue) }
    }

    func content(_ child: some WidgetHandle) { adw_application_window_set_content(c(), child.widget) }
    func resize(width: Int, height: Int) { gtk_window_set_default_size(c(), Int32(width), Int32(height)) }
    func present() { gtk_window_present(c()) }
    func close() { gtk_window_close(c()) }
    /// At once, without asking anybody.
    func destroy() { gtk_window_destroy(c()) }
    /// All windows over this one, and what is over those.
    func destroyWindowsOver() {
        for window in Self.all where window.exists {
            if let below = gtk_window_get_transient_for(window.c()), isSame(as: Widget(below)) {
                window.destroy()
            }
        }
    }
    /// Every window of the program.
    static var all: [Window] {
        let all = gtk_window_get_toplevels()
        return (0..<g_list_model_get_n_items(all)).map { position in
            let object = g_list_model_get_item(all, position)
            defer { g_object_unref(object) }
            return Window(pointer: object)
        }
    }
    func maximize() { gtk_window_maximize(c()) }

    var size: (width: Int, height: Int) {
        var (width, height): (Int32, Int32) = (0, 0)
        gtk_window_get_default_size(c(), &width, &height)
        return (Int(width), Int(height))
    }
    var isMaximized: Bool { gtk_window_is_maximized(c()) != 0 }
    /// It has the person's attention.
    var isActive: Bool { gtk_window_is_active(c()) != 0 }

    /// The close button, or the keyboard's way.
    @discardableResult func onClose(_ action: @escaping () -> Void) -> Self {
        onSignal("close-request") { _ in
            action()
            return false
        }
    }
}

/// A question with answers.
struct MessageDialog {
    enum Appearance { case plain, suggested, destructive }

    struct Response {
        var title: String
        var appearance = Appearance.plain
        var action: () async -> Void = {}
    }

    private let dialog: Widget

    /// The first response is what closing the dialog means.
    init(over parent: some WidgetHandle, _ heading: String, _ body: String, _ responses: [Response]) {
        dialog = Widget(chatter_message_dialog(parent.window?.c(), heading, body))
        dialog.set("destroy-with-parent", true)
        Window(ref: dialog.ref).takeKeys()
        for (index, response) in responses.enumerated() {
            let id = "\(index)"
            adw_message_dialog_add_response(dialog.c(), id, response.title)
            let appearance: AdwResponseAppearance? =
                switch response.appearance {
                case .plain: nil
                case .suggested: ADW_RESPONSE_SUGGESTED
                case .destructive: ADW_RESPONSE_DESTRUCTIVE
                }
            if let appearance { adw_message_dialog_set_response_appearance(dialog.c(), id, appearance) }
        }
        adw_message_dialog_set_close_response(dialog.c(), "0")
        dialog.onSignal("response") { arguments in
            guard let index = Int(arguments.string(0)), responses.indices.contains(index) else {
                return false
            }
            perform(responses[index].action)
            return false
        }
    }

    /// Below the text.
    func extra(_ child: some WidgetHandle) { adw_message_dialog_set_extra_child(dialog.c(), child.widget) }

    /// Whether a response may be chosen, as a model says.
    func enable(_ response: Int, _ isEnabled: @escaping () -> Bool) {
        dialog.observe {
            adw_message_dialog_set_response_enabled($0.c(), "\(response)", isEnabled().gboolean)
        }
    }

    func present() { gtk_window_present(dialog.c()) }
}

extension Window {
    /// What the app is, who made it, under which licence.
    static func about(
        over parent: Window, name: String, icon: String, version: String, comments: String
    ) -> Window {
        let window = Window(adw_about_window_new())
        window.set("application-name", name).set("application-icon", icon).set("version", version)
            .set("comments", comments).set("developer-name", "The Chatter contributors")
            .set("copyright", "© 2026 The Chatter contributors")
        adw_about_window_set_license_type(window.c(), GTK_LICENSE_MIT_X11)
        gtk_window_set_transient_for(window.c(), parent.c())
        gtk_window_set_modal(window.c(), 1)
        gtk_window_set_destroy_with_parent(window.c(), 1)
        window.takeKeys()
        return window
    }
}

/// Keys as they stand on the keyboard.
struct ShortcutLabel: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ accelerator: String) { self.init(gtk_shortcut_label_new(accelerator)) }
}
