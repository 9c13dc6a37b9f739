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
