import CGtk
import Foundation

/// The application: joins the main actor to GLib's loop, and is one instance for each id on a session bus.
struct Application: Handle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(id: String, name: String) {
        g_set_application_name(name)
        g_set_prgname(id)
        self.init(adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS))
    }

    /// Runs until the last window has gone. `activated` is called at the start, and again when the app is started a
    /// second time.
    func run(started: @escaping () -> Void, activated: @escaping () -> Void) -> Int32 {
        MainLoop.joinMainActor()
        // Before anything else that hangs on the startup signal: the display and the style are there from then on.
        on("startup", started)
        on("activate", activated)
        let status = g_application_run(c(), 0, nil)
        g_object_unref(ref.object)
        return status
    }

    /// The app's own that has, or had, the keyboard.
    var activeWindow: Window { Window(gtk_application_get_active_window(c())) }

    /// Tells whether any of the app's windows has the person's attention. On the way from one to another none has it for
    /// a moment: that is not told.
    func onActive(_ changed: @escaping (Bool) -> Void) {
        let windows = AnyHandle(gtk_window_get_toplevels())
        var known = false
        let tell: () -> Void = {
            let isActive = Window.all.contains { $0.isActive }
            guard isActive != known else { return }
            known = isActive
            changed(isActive)
        }
        let look: () -> Void = {
            if Window.all.contains(where: { $0.isActive }) {
                tell()
            } else {
                MainLoop.after(milliseconds: 100, tell)
            }
        }
        let follow: (Int, Int) -> Void = { first, count in
            for window in Window.all.dropFirst(first).prefix(count) { window.on("notify::is-active", look) }
            look()
        }
        follow(0, Int.max)
        windows.onSignal("items-changed") { arguments in
            follow(Int(arguments.uint(0)), Int(arguments.uint(2)))
            return false
        }
    }

    func quit() { g_application_quit(c()) }
    /// Keeps it running without a window, until `release`.
    func hold() { g_application_hold(c()) }
    func release() { g_application_release(c()) }

    // MARK: - Actions

    func action(_ name: String, keys: String..., run body: @escaping () async -> Void) {
        let action = g_simple_action_new(name, nil)
        AnyHandle(action).on("activate") { perform(body) }
        add(action, name, keys)
    }

    /// An action with a word that says on what.
    func action(_ name: String, target body: @escaping (String) async -> Void) {
        let type = g_variant_type_new("s")
        let action = g_simple_action_new(name, type)
        g_variant_type_free(type)
        AnyHandle(action).onSignal("activate") { arguments in
            let target = arguments.variantString(0)
            perform { await body(target) }
            return false
        }
        add(action, name, [])
    }

    /// Runs an action of the running app once what goes on is over: it may end the window that a key was pressed in.
    static func activate(_ name: String) {
        MainLoop.after(milliseconds: 0) {
            g_action_group_activate_action(AnyHandle(g_application_get_default()).c(), name, nil)
        }
    }

    private func add(_ action: OpaquePointer?, _ name: String, _ keys: [String]) {
        g_action_map_add_action(c(), action)
        g_object_unref(action.map { UnsafeMutableRawPointer($0) })
        guard !keys.isEmpty else { return }
        let names = keys.map { strdup($0) }
        var accelerators = names.map { UnsafePointer<CChar>($0) } + [nil]
        gtk_application_set_accels_for_action(c(), "app.\(name)", &accelerators)
        for name in names { free(name) }
    }

    // MARK: - Notifications

    /// By the interface that takes them from anybody; before the first one.
    static func notifyWithoutDesktopFile() { setenv("GNOTIFICATION_BACKEND", "freedesktop", 1) }

    /// - Parameters:
    ///   - id: a newer one with the same takes its place.
    ///   - action: an action of `action(_:target:)`, and its target: where a click leads.
    func notify(id: String, title: String, body: String, action: String, target: String) {
        let notification = g_notification_new(title)
        g_notification_set_body(notification, body)
        g_notification_set_default_action_and_target_value(
            notification, "app.\(action)", g_variant_new_string(target))
        g_application_send_notification(c(), id, notification)
        g_object_unref(notification.map { UnsafeMutableRawPointer($0) })
    }

    func withdrawNotification(id: String) { g_application_withdraw_notification(c(), id) }
}

/// How everything looks, on the screen as a whole.
enum Appearance {
    static func addStyle(path: String) {
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_path(provider, path)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), provider.map { OpaquePointer($0) },
            UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }

    static func addIcons(path: String) {
        gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(gdk_display_get_default()), path)
    }

    static var isDark: Bool {
        get { adw_style_manager_get_dark(adw_style_manager_get_default()) != 0 }
        set {
            adw_style_manager_set_color_scheme(
                adw_style_manager_get_default(),
                newValue ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT)
        }
    }

    static var isRightToLeft: Bool {
        get { gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL }
        set { gtk_widget_set_default_direction(newValue ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR) }
    }

    /// `Cantarell 11`.
    static func setFont(_ name: String) { AnyHandle(gtk_settings_get_default()).set("gtk-font-name", name) }
    /// 1 as people begin with; the desktop's setting for people who need larger letters.
    static func setTextScale(_ scale: Double) {
        AnyHandle(gtk_settings_get_default()).set("gtk-xft-dpi", Int(96 * 1024 * scale))
    }
    static func setCursorBlink(_ isOn: Bool) {
        AnyHandle(gtk_settings_get_default()).set("gtk-cursor-blink", isOn)
    }
    static func setAnimations(_ isOn: Bool) {
        AnyHandle(gtk_settings_get_default()).set("gtk-enable-animations", isOn)
    }
}

enum Clipboard {
    static func copy(_ text: String) {
        gdk_clipboard_set_text(gdk_display_get_clipboard(gdk_display_get_default()), text)
    }
}
