import CGtk

enum Align {
    case fill, start, end, center, baseline

    var gtk: GtkAlign {
        switch self {
        case .fill: GTK_ALIGN_FILL
        case .start: GTK_ALIGN_START
        case .end: GTK_ALIGN_END
        case .center: GTK_ALIGN_CENTER
        case .baseline: GTK_ALIGN_BASELINE
        }
    }
}

protocol WidgetHandle: Handle {}

struct Widget: WidgetHandle {
    let ref: Ref
}

extension WidgetHandle {
    var widget: UnsafeMutablePointer<GtkWidget>? { c() }
    var any: Widget { Widget(ref: ref) }

    @discardableResult func css(_ classes: String...) -> Self {
        for name in classes { gtk_widget_add_css_class(widget, name) }
        return self
    }

    func toggle(_ cssClass: String, _ isOn: Bool) {
        if isOn {
            gtk_widget_add_css_class(widget, cssClass)
        } else {
            gtk_widget_remove_css_class(widget, cssClass)
        }
    }

    @discardableResult func align(_ horizontal: Align? = nil, _ vertical: Align? = nil) -> Self {
        if let horizontal { gtk_widget_set_halign(widget, horizontal.gtk) }
        if let vertical { gtk_widget_set_valign(widget, vertical.gtk) }
        return self
    }

    @discardableResult func expand(horizontally: Bool = false, vertically: Bool = false) -> Self {
        gtk_widget_set_hexpand(widget, horizontally.gboolean)
        gtk_widget_set_vexpand(widget, vertically.gboolean)
        return self
    }

    /// In pixels; `start` is left where one reads from the left.
    @discardableResult func margin(
        horizontal: Int = 0, vertical: Int = 0, start: Int? = nil, end: Int? = nil, top: Int? = nil,
        bottom: Int? = nil
    ) -> Self {
        gtk_widget_set_margin_start(widget, Int32(start ?? horizontal))
        gtk_widget_set_margin_end(widget, Int32(end ?? horizontal))
        gtk_widget_set_margin_top(widget, Int32(top ?? vertical))
        gtk_widget_set_margin_bottom(widget, Int32(bottom ?? vertical))
        return self
    }

    /// The least size in pixels; nil leaves it to the content.
    @discardableResult func minimum(width: Int? = nil, height: Int? = nil) -> Self {
        gtk_widget_set_size_request(widget, Int32(width ?? -1), Int32(height ?? -1))
        return self
    }

    @discardableResult func tooltip(_ text: String) -> Self {
        gtk_widget_set_tooltip_text(widget, text)
        return self
    }

    var isVisible: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        nonmutating set { gtk_widget_set_visible(widget, newValue.gboolean) }
    }

    var isSensitive: Bool {
        get { gtk_widget_get_sensitive(widget) != 0 }
        nonmutating set { gtk_widget_set_sensitive(widget, newValue.gboolean) }
    }

    /// On screen at the moment.
    var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    func focus() { gtk_widget_grab_focus(widget) }

    /// Once it is on screen: before, there is nothing that could take the focus.
    @discardableResult func focusWhenShown() -> Self { on("map") { nextFrame { focus() } } }

    /// Reads from the left in every language, with all that is inside: numbers, codes.
    @discardableResult func leftToRight() -> Self {
        gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
        var child = gtk_widget_get_first_child(widget)
        while let inside = child {
            Widget(inside).leftToRight()
            child = gtk_widget_get_next_sibling(inside)
        }
        return self
    }

    /// Where it is in `ancestor`, in pixels; nil while either is not laid out.
    func frame(in ancestor: some WidgetHandle) -> (x: Double, y: Double, width: Double, height: Double)? {
        var bounds = graphene_rect_t()
        guard isMapped, gtk_widget_compute_bounds(widget, ancestor.widget, &bounds) != 0 else { return nil }
        return (
            Double(bounds.origin.x), Double(bounds.origin.y), Double(bounds.size.width),
            Double(bounds.size.height)
        )
    }

    var height: Int { Int(gtk_widget_get_height(widget)) }

    /// Runs `body` with the next frame, after what the person did and before anything finds its place.
    func beforeLayout(_ body: @escaping () -> Void) { onFrame(1, body) }

    /// Runs `body` once everything has found its place: what is asked for now is laid out with the next frame, which is
    /// over when the one after it begins.
    func afterLayout(_ body: @escaping () -> Void) { onFrame(2, body) }

    private func onFrame(_ number: Int, _ body: @escaping () -> Void) {
        var frames = 0
        let step = Handler<() -> Bool> {
            frames += 1
            if frames == number { body() }
            return frames < number
        }
        gtk_widget_add_tick_callback(
            widget,
            { _, _, step in
                guard let step else { return 0 }
                return Unmanaged<Handler<() -> Bool>>.fromOpaque(step).takeUnretainedValue().body().gboolean
            }, Unmanaged.passRetained(step).toOpaque(),
            { step in
                guard let step else { return }
                Unmanaged<AnyObject>.fromOpaque(step).release()
            })
    }

    /// The window it stands in.
    var window: Widget? { gtk_widget_get_root(widget).map { Widget($0) } }
    var parent: Widget? { gtk_widget_get_parent(widget).map { Widget($0) } }

    /// Whether it, or something inside, has the keyboard.
    var hasFocusInside: Bool {
        gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
    }
}

// MARK: - Accessibility

extension WidgetHandle {
    /// The name a screen reader knows the widget by.
    @discardableResult func accessible(_ label: String) -> Self {
        accessibleText(GTK_ACCESSIBLE_PROPERTY_LABEL, label)
    }

    /// What a screen reader adds to the name.
    @discardableResult func accessible(description: String) -> Self {
        accessibleText(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description)
    }

    /// Nothing to a screen reader while it is not drawn. GTK hides invisible widgets from it, but not the pages of a stack
    /// that wait behind the one that is shown.
    @discardableResult func spokenWhileDrawn() -> Self {
        if !isMapped { accessible(isHidden: true) }
        on("map") { accessible(isHidden: false) }
        return on("unmap") { accessible(isHidden: true) }
    }

    private func accessible(isHidden: Bool) {
        guard exists else { return }
        var state = GTK_ACCESSIBLE_STATE_HIDDEN
        var value = GValue()
        g_value_init(&value, CHATTER_TYPE_BOOLEAN)
        g_value_set_boolean(&value, isHidden.gboolean)
        gtk_accessible_update_state_value(c(), 1, &state, &value)
        g_value_unset(&value)
    }

    private func accessibleText(_ property: GtkAccessibleProperty, _ text: String) -> Self {
        guard exists else { return self }
        var property = property
        var value = GValue()
        g_value_init(&value, CHATTER_TYPE_STRING)
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(c(), 1, &property, &value)
        g_value_unset(&value)
        return self
    }
}
