import CGtk

/// What has an editable line of text: entries and entry rows.
protocol EditableHandle: WidgetHandle {}

extension EditableHandle {
    var text: String {
        get { String(borrowed: gtk_editable_get_text(c())) }
        nonmutating set {
            guard newValue != text else { return }
            gtk_editable_set_text(c(), newValue)
            gtk_editable_set_position(c(), -1)
        }
    }

    /// The model's text, and what is typed into it.
    @discardableResult func bind(_ text: @escaping () -> String, typed: @escaping (String) async -> Void)
        -> Self
    {
        on("changed") {
            let written = self.text
            guard written != text() else { return }
            perform { await typed(written) }
            // What the model does not take goes again.
            nextFrame { self.text = text() }
        }
        return observe { $0.text = text() }
    }

    /// A number is read from the left in every language.
    @discardableResult func forPhone() -> Self {
        leftToRight().set("input-purpose", Int(GTK_INPUT_PURPOSE_PHONE.rawValue))
    }

    var isEditable: Bool {
        get { gtk_editable_get_editable(c()) != 0 }
        nonmutating set { gtk_editable_set_editable(c(), newValue.gboolean) }
    }

    func selectAll() { gtk_editable_select_region(c(), 0, -1) }
}

struct Entry: EditableHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ name: String, placeholder: String = "") {
        self.init(gtk_entry_new())
        gtk_entry_set_placeholder_text(c(), placeholder)
        accessible(name)
    }

    @discardableResult func onSubmit(_ action: @escaping () async -> Void) -> Self {
        on("activate") { perform(action) }
    }

    @discardableResult func forDigits(_ count: Int) -> Self {
        gtk_entry_set_input_purpose(c(), GTK_INPUT_PURPOSE_DIGITS)
        gtk_editable_set_width_chars(c(), Int32(count))
        gtk_editable_set_alignment(c(), 0.5)
        return leftToRight()
    }
}

struct SearchEntry: EditableHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ name: String) {
        self.init(gtk_search_entry_new())
        set("placeholder-text", name).accessible(name)
    }

    /// The Escape key, which the entry keeps for itself.
    @discardableResult func onEscape(_ action: @escaping () -> Void) -> Self { on("stop-search", action) }

    @discardableResult func onSubmit(_ action: @escaping () async -> Void) -> Self {
        on("activate") { perform(action) }
    }
}
