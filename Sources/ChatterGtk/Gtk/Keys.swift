import CGtk

enum Key {
    case `return`, escape, menu, f10, up, down, pageUp, pageDown, end, q, w

    init?(_ value: UInt32) {
        switch Int32(value) {
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .return
        case GDK_KEY_Escape: self = .escape
        case GDK_KEY_Menu: self = .menu
        case GDK_KEY_F10: self = .f10
        case GDK_KEY_Up: self = .up
        case GDK_KEY_Down: self = .down
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: self = .pageUp
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: self = .pageDown
        case GDK_KEY_End, GDK_KEY_KP_End: self = .end
        case GDK_KEY_q: self = .q
        case GDK_KEY_w: self = .w
        default: return nil
        }
    }
}

struct KeyModifiers: OptionSet {
    let rawValue: UInt32

    static let shift = KeyModifiers(rawValue: GDK_SHIFT_MASK.rawValue)
    static let control = KeyModifiers(rawValue: GDK_CONTROL_MASK.rawValue)
}

extension WidgetHandle {
    /// - Parameter pressed: true when it took the key.
    @discardableResult func onKey(_ pressed: @escaping (Key, KeyModifiers) -> Bool) -> Self {
        let keys = AnyHandle(gtk_event_controller_key_new())
        keys.onSignal("key-pressed") {
            guard let key = Key($0.uint(0)) else { return false }
            return pressed(key, KeyModifiers(rawValue: $0.flags(2)))
        }
        gtk_widget_add_controller(widget, keys.c())
        return self
    }

    /// The keyboard's way to a context menu.
    @discardableResult func onMenuKey(_ pressed: @escaping () -> Void) -> Self {
        onKey { key, modifiers in
            guard key == .menu || (key == .f10 && modifiers.contains(.shift)) else { return false }
            pressed()
            return true
        }
    }

    /// What is typed where nothing takes it goes to `field`, together with the keyboard, while that is on screen.
    @discardableResult func onTyping(goTo field: TextView) -> Self {
        let keys = AnyHandle(gtk_event_controller_key_new())
        keys.onSignal("key-pressed") {
            let commands = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
            guard field.isMapped, !field.hasFocusInside, $0.flags(2) & commands == 0,
                gdk_keyval_to_unicode($0.uint(0)) > 0x20
            else { return false }
            field.focus()
            return gtk_event_controller_key_forward(keys.c(), field.widget) != 0
        }
        gtk_widget_add_controller(widget, keys.c())
        return self
    }

    /// The second button of a mouse, or a long touch; where, in pixels of this widget.
    @discardableResult func onSecondaryClick(_ clicked: @escaping (_ x: Double, _ y: Double) -> Void) -> Self
    {
        let click = AnyHandle(gtk_gesture_click_new())
        gtk_gesture_single_set_button(click.c(), UInt32(GDK_BUTTON_SECONDARY))
        click.onSignal("pressed") {
            clicked($0.double(1), $0.double(2))
            return false
        }
        gtk_widget_add_controller(widget, click.c())
        let touch = AnyHandle(gtk_gesture_long_press_new())
        gtk_gesture_single_set_touch_only(touch.c(), 1)
        touch.onSignal("pressed") {
            clicked($0.double(0), $0.double(1))
            return false
        }
        gtk_widget_add_controller(widget, touch.c())
        return self
    }

    /// The pointer came over it, or left.
    @discardableResult func onHover(_ changed: @escaping (Bool) -> Void) -> Self {
        let motion = AnyHandle(gtk_event_controller_motion_new())
        motion.on("enter") { changed(true) }.on("leave") { changed(false) }
        gtk_widget_add_controller(widget, motion.c())
        return self
    }
}
