import CGtk

/// A titled group of rows in a card.
struct PreferencesGroup: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ title: String = "", _ description: String = "", _ rows: any WidgetHandle...) {
        self.init(adw_preferences_group_new())
        adw_preferences_group_set_title(c(), Markup.escaped(title))
        adw_preferences_group_set_description(c(), description.isEmpty ? nil : Markup.escaped(description))
        for row in rows { add(row) }
    }

    func add(_ row: some WidgetHandle) { adw_preferences_group_add(c(), row.widget) }
    func remove(_ row: some WidgetHandle) { adw_preferences_group_remove(c(), row.widget) }
}

/// Groups under each other, scrolling.
struct PreferencesPage: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ title: String = "", icon: String = "", _ groups: any WidgetHandle...) {
        self.init(adw_preferences_page_new())
        set("title", title).set("icon-name", icon)
        for group in groups { add(group) }
    }

    func add(_ group: some WidgetHandle) { adw_preferences_page_add(c(), group.c()) }
    func remove(_ group: some WidgetHandle) { adw_preferences_page_remove(c(), group.c()) }
}

/// A title with something below and beside it.
struct ActionRow: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ title: String = "", _ subtitle: String = "") {
        self.init(adw_action_row_new())
        show(title, subtitle)
    }

    /// A row that is one button.
    init(_ title: String, _ subtitle: String = "", leadsTo action: @escaping () async -> Void) {
        self.init(title, subtitle)
        suffix(Image(icon: "go-next-symbolic"))
        onActivate(action)
    }

    /// Both as plain text: a row's are markup to the library. A screen reader has the title for a name by itself.
    func show(_ title: String, _ subtitle: String) {
        adw_preferences_row_set_title(c(), Markup.escaped(title))
        adw_action_row_set_subtitle(c(), Markup.escaped(subtitle))
        accessible(description: subtitle)
    }

    @discardableResult func prefix(_ child: some WidgetHandle) -> Self {
        adw_action_row_add_prefix(c(), child.align(nil, .center).widget)
        return self
    }
    @discardableResult func suffix(_ child: some WidgetHandle) -> Self {
        adw_action_row_add_suffix(c(), child.align(nil, .center).widget)
        return self
    }
    @discardableResult func onActivate(_ action: @escaping () async -> Void) -> Self {
        gtk_list_box_row_set_activatable(c(), 1)
        return on("activated") { perform(action) }
    }

    /// A click anywhere in the row is one on `child`.
    @discardableResult func activates(_ child: some WidgetHandle) -> Self {
        adw_action_row_set_activatable_widget(c(), child.widget)
        return self
    }

    /// A setting that is on or off.
    static func toggle(
        _ title: String, _ subtitle: String = "", isOn: @escaping () -> Bool,
        switched: @escaping (Bool) async -> Void
    ) -> ActionRow {
        // The row's title names the switch too.
        let toggle = Switch(isOn, switched: switched)
        return ActionRow(title, subtitle).suffix(toggle).activates(toggle)
    }

    /// Something to read: a label and its value.
    static func value(_ label: String, _ value: String) -> ActionRow {
        let text = Label(value).css("dim-label").wrapping(maxWidthInCharacters: 40)
        gtk_label_set_xalign(text.c(), 1)
        gtk_label_set_selectable(text.c(), 1)
        return ActionRow(label).suffix(text)
    }

    @discardableResult func subtitleLines(_ lines: Int) -> Self {
        adw_action_row_set_subtitle_lines(c(), Int32(lines))
        return self
    }
    @discardableResult func titleLines(_ lines: Int) -> Self {
        adw_action_row_set_title_lines(c(), Int32(lines))
        return self
    }
}

/// A line of text to fill in, with its title inside.
struct EntryRow: EditableHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ title: String) {
        self.init(adw_entry_row_new())
        // A screen reader names the row by it too.
        adw_preferences_row_set_title(c(), title)
    }

    @discardableResult func prefix(_ child: some WidgetHandle) -> Self {
        adw_entry_row_add_prefix(c(), child.align(nil, .center).widget)
        return self
    }

    /// One at most.
    @discardableResult func suffix(_ child: some WidgetHandle) -> Self {
        adw_entry_row_add_suffix(c(), child.align(nil, .center).widget)
        // The library's box around it takes room as long as it is there.
        child.on("notify::visible") { child.parent?.isVisible = child.isVisible }
        return self
    }
    @discardableResult func onSubmit(_ action: @escaping () async -> Void) -> Self {
        on("entry-activated") { perform(action) }
    }
}

/// A row with whatever in it, for a `ListBox`; it does nothing by itself.
struct ListBoxRow: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ child: some WidgetHandle) {
        self.init(gtk_list_box_row_new())
        gtk_list_box_row_set_child(c(), child.widget)
        gtk_list_box_row_set_activatable(c(), 0)
    }
}

/// A list of few rows, each there all the time.
struct ListBox: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ name: String) {
        self.init(gtk_list_box_new())
        gtk_list_box_set_selection_mode(c(), GTK_SELECTION_NONE)
        accessible(name)
    }

    func append(_ row: some WidgetHandle) { gtk_list_box_append(c(), row.widget) }
    func insert(_ row: some WidgetHandle, at position: Int) {
        gtk_list_box_insert(c(), row.widget, Int32(position))
    }
    func remove(_ row: some WidgetHandle) { gtk_list_box_remove(c(), row.widget) }

    /// Keeps one row for each of `items`: made once for each id, shown again when its item changes.
    @discardableResult func rows<Item: Identifiable & Equatable>(
        _ items: @escaping () -> [Item], make: @escaping (Item) -> (row: Widget, show: (Item) -> Void)
    ) -> Self {
        var live: [(item: Item, row: Widget, show: (Item) -> Void)] = []
        return observe(items) { box, items in
            let focused = live.firstIndex { $0.row.hasFocusInside }.map { (id: live[$0].item.id, at: $0) }
            let wanted = Set(items.map(\.id))
            for entry in live where !wanted.contains(entry.item.id) { box.remove(entry.row) }
            var old = live.filter { wanted.contains($0.item.id) }
            live = items.enumerated().map { position, item in
                if let entry = old.first, entry.item.id == item.id {
                    old.removeFirst()
                    if entry.item != item { entry.show(item) }
                    return (item, entry.row, entry.show)
                }
                // Few rows, and rarely: one anew is simpler than moving it.
                if let passed = old.firstIndex(where: { $0.item.id == item.id }) {
                    box.remove(old.remove(at: passed).row)
                }
                let made = make(item)
                made.show(item)
                box.insert(made.row, at: position)
                return (item, made.row, made.show)
            }
            guard let focused, !live.contains(where: { $0.row.hasFocusInside }), !live.isEmpty else { return }
            let heir =
                live.firstIndex { $0.item.id == focused.id } ?? min(focused.at, live.count - 1)
            live[heir].row.focus()
        }
    }
}
