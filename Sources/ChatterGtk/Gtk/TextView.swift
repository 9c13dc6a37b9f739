import CGtk

/// Several lines of text to write in.
struct TextView: WritableHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ name: String) {
        self.init(gtk_text_view_new())
        gtk_text_view_set_wrap_mode(c(), GTK_WRAP_WORD_CHAR)
        // Tab leaves: a message has no use for it, the keyboard has.
        gtk_text_view_set_accepts_tab(c(), 0)
        accessible(name)
        beginLinesWithTheApp()
    }

    /// An empty line would begin where those of the keyboard's language do, and a placeholder stands where the app's do.
    private func beginLinesWithTheApp() {
        let keyboard = AnyHandle(
            gdk_display_get_default_seat(gtk_widget_get_display(widget)).flatMap { gdk_seat_get_keyboard($0) }
        )
        let follow = {
            guard exists else { return }
            let isTurned =
                gtk_text_buffer_get_char_count(buffer.c()) == 0 && keyboard.exists
                && (gdk_device_get_direction(keyboard.c()) == PANGO_DIRECTION_RTL)
                    != (gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL)
            // Both are seen from the line: from its own beginning or from its end.
            gtk_text_view_set_justification(c(), isTurned ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT)
        }
        buffer.on("changed", follow)
        onSignal("direction-changed") { _ in
            follow()
            return false
        }
        // The keyboard outlives the view.
        let handler = keyboard.connect("notify::direction") { _ in
            follow()
            return false
        }
        onDispose {
            if let device = keyboard.ref.object { g_signal_handler_disconnect(device, gulong(handler)) }
        }
        follow()
    }

    private var buffer: AnyHandle { AnyHandle(gtk_text_view_get_buffer(c())) }

    var text: String {
        get {
            guard exists else { return "" }
            var (start, end) = (GtkTextIter(), GtkTextIter())
            gtk_text_buffer_get_bounds(buffer.c(), &start, &end)
            return String(owned: gtk_text_buffer_get_text(buffer.c(), &start, &end, 0))
        }
        nonmutating set {
            guard newValue != text else { return }
            gtk_text_buffer_set_text(buffer.c(), newValue, -1)
            cursorToEnd()
        }
    }

    func onChanged(_ action: @escaping () -> Void) { buffer.on("changed", action) }

    /// An input method has begun to compose, which is not in `text` yet, or has ended.
    @discardableResult func onComposing(_ changed: @escaping (Bool) -> Void) -> Self {
        onSignal("preedit-changed") {
            changed(!$0.string(0).isEmpty)
            return false
        }
    }

    /// Keys taken before the view has a use for them; nil leaves one to it. While an input method composes, all are the
    /// input method's: Return chooses a word there, and sends nothing.
    @discardableResult func onKey(taken action: @escaping (Key, KeyModifiers) -> (() -> Void)?) -> Self {
        let keys = AnyHandle(gtk_event_controller_key_new())
        keys.onSignal("key-pressed") {
            guard let key = Key($0.uint(0)), let action = action(key, KeyModifiers(rawValue: $0.flags(2)))
            else { return false }
            let event = gtk_event_controller_get_current_event(keys.c())
            if gtk_text_view_im_context_filter_keypress(c(), event) == 0 { action() }
            return true
        }
        gtk_widget_add_controller(widget, keys.c())
        return self
    }

    func cursorToEnd() {
        var end = GtkTextIter()
        gtk_text_buffer_get_end_iter(buffer.c(), &end)
        gtk_text_buffer_place_cursor(buffer.c(), &end)
        gtk_text_view_scroll_mark_onscreen(c(), gtk_text_buffer_get_insert(buffer.c()))
    }
}
