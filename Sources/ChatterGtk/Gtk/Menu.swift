import CGtk

/// What a menu offers, in sections.
struct Menu {
    struct Item {
        enum Action {
            case run(() async -> Void)
            /// One of the app's, by its full name.
            case named(String)
        }

        var title: String
        var action: Action

        init(_ title: String, action: @escaping () async -> Void) {
            self.title = title
            self.action = .run(action)
        }

        init(_ title: String, action name: String) {
            self.title = title
            action = .named(name)
        }
    }

    var sections: [[Item]]

    init(_ sections: [Item]...) { self.init(sections: sections) }
    init(sections: [[Item]]) { self.sections = sections.filter { !$0.isEmpty } }

    /// The menu's model, and its actions, which are put into `widget` under `prefix`.
    fileprivate func model(for widget: some WidgetHandle, prefix: String) -> AnyHandle {
        let group = g_simple_action_group_new()
        let menu = g_menu_new()
        for (number, items) in sections.enumerated() {
            let section = g_menu_new()
            for (index, item) in items.enumerated() {
                g_menu_append(
                    section, item.title, Self.add(item, to: group, "item-\(number)-\(index)", prefix))
            }
            g_menu_append_section(menu, nil, AnyHandle(section).c())
            g_object_unref(AnyHandle(section).ref.object)
        }
        gtk_widget_insert_action_group(widget.widget, prefix, AnyHandle(group).c())
        g_object_unref(AnyHandle(group).ref.object)
        return AnyHandle(menu)
    }

    /// The full name of what the item does.
    private static func add(
        _ item: Item, to group: UnsafeMutablePointer<GSimpleActionGroup>?, _ name: String, _ prefix: String
    ) -> String {
        switch item.action {
        case .named(let name): return name
        case .run(let body):
            let action = AnyHandle(g_simple_action_new(name, nil))
            action.on("activate") { perform(body) }
            g_action_map_add_action(AnyHandle(group).c(), action.c())
            g_object_unref(action.ref.object)
            return "\(prefix).\(name)"
        }
    }

    /// Opens over `widget`, beside one of its children: one that may go while the menu is open.
    func popUp(over widget: some WidgetHandle, at child: some WidgetHandle) {
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(child.widget, widget.widget, &bounds) != 0 else {
            return popUp(over: widget)
        }
        popUp(
            over: widget, x: Double(bounds.origin.x + bounds.size.width / 2),
            y: Double(bounds.origin.y + bounds.size.height))
    }

    /// Opens over `widget`, at a place in it or at its middle.
    func popUp(over widget: some WidgetHandle, x: Double? = nil, y: Double? = nil) {
        let model = model(for: widget, prefix: "context")
        let popover = Widget(gtk_popover_menu_new_from_model(model.c()))
        g_object_unref(model.ref.object)
        gtk_widget_set_parent(popover.widget, widget.widget)
        gtk_popover_set_has_arrow(popover.c(), 0)
        gtk_widget_set_halign(popover.widget, GTK_ALIGN_START)
        if let x, let y {
            var place = GdkRectangle(x: Int32(x), y: Int32(y), width: 1, height: 1)
            gtk_popover_set_pointing_to(popover.c(), &place)
        }
        let focused = Widget(gtk_root_get_focus(widget.window?.c()))
        // A widget that still has a child of this kind when it goes complains.
        let handler = widget.connect("unrealize") { _ in
            if popover.exists { gtk_widget_unparent(popover.widget) }
            return false
        }
        popover.onDispose { widget.disconnect(handler) }
        popover.on("closed") {
            // Else the keyboard goes on to what comes after `widget`.
            if focused.isMapped { focused.focus() }
            // In the next frame: the chosen item's action is still to come.
            popover.nextFrame { gtk_widget_unparent(popover.widget) }
        }
        gtk_popover_popup(popover.c())
    }
}

/// A button that opens a menu.
struct MenuButton: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(icon: String, _ name: String, primary: Bool = false) {
        self.init(gtk_menu_button_new())
        gtk_menu_button_set_icon_name(c(), icon)
        gtk_menu_button_set_primary(c(), primary.gboolean)
        accessible(name).tooltip(name)
    }

    /// Made when it opens: most never do, and the library keeps a part of each menu with sections that was ever shown.
    @discardableResult func menu(_ menu: @escaping () -> Menu) -> Self {
        self.menu(following: { 0 }) { _ in menu() }
    }

    /// The same, made anew only when what it hangs on has changed since it was last open.
    @discardableResult func menu<Value: Equatable>(
        following value: @escaping () -> Value, _ menu: @escaping (Value) -> Menu
    ) -> Self {
        var shown: Value?
        let open = Handler<() -> Void> {
            let current = value()
            guard shown != current else { return }
            shown = current
            set(menu(current))
        }
        gtk_menu_button_set_create_popup_func(
            c(),
            { _, open in
                guard let open else { return }
                Unmanaged<Handler<() -> Void>>.fromOpaque(open).takeUnretainedValue().body()
            }, Unmanaged.passRetained(open).toOpaque(),
            { open in
                guard let open else { return }
                Unmanaged<AnyObject>.fromOpaque(open).release()
            })
        return self
    }

    private func set(_ menu: Menu) {
        let model = menu.model(for: self, prefix: "menu")
        gtk_menu_button_set_menu_model(c(), model.c())
        g_object_unref(model.ref.object)
    }

    func popUp() { gtk_menu_button_popup(c()) }
}
