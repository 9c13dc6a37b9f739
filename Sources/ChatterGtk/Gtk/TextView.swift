import CGtk

/// Several lines of text to write in.
struct TextView: WidgetHandle {
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
            var end = GtkTextIter()
            gtk_text_buffer_get_end_iter(buffer.c(), &end)
            gtk_text_buffer_place_cursor(buffer.c(), &end)
        }
    }

    /// The model's text, and what is typed into it.
    @discardableResult func bind(_ text: @escaping () -> String, typed: @escaping (String) async -> Void)
        -> Self
    {
        buffer.on("changed") {
            let written = self.text
            if written != text() { perform { await typed(written) } }
        }
        return observe { $0.text = text() }
    }

    /// Return alone; with Shift it breaks the line.
    @discardableResult func onReturn(_ action: @escaping () async -> Void) -> Self {
        onKey { key, modifiers in
            guard key == .return, !modifiers.contains(.shift) else { return false }
            perform(action)
            return true
        }
    }
}
