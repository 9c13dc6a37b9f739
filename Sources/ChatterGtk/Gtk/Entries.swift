import CGtk

/// What has an editable line of text: entries and entry rows.
protocol EditableHandle: WritableHandle {}

extension EditableHandle {
    var text: String {
        get { String(borrowed: gtk_editable_get_text(c())) }
        nonmutating set {
            guard newValue != text else { return }
            gtk_editable_set_text(c(), newValue)
            gtk_editable_set_position(c(), -1)
        }
    }

    func onChanged(_ action: @escaping () -> Void) { on("changed", action) }

    /// A number is read from the left in every language.
    @discardableResult func forPhone() -> Self {
        leftToRight().set("input-purpose", Int(GTK_INPUT_PURPOSE_PHONE.rawValue))
    }

    var isEditable: Bool {
        get { gtk_editable_get_editable(c()) != 0 }
        nonmutating set { gtk_editable_set_editable(c(), newValue.gboolean) }
    }
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
