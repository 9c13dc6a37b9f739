import CGtk

/// What is on screen, for a program that looks at it as a person would.
enum Screen {
    /// The window that came last; a menu that is open counts as one.
    static var front: Widget? {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        var shown: [Widget] = []
        var next = list
        while let entry = next {
            let window = Widget(entry.pointee.data.map { OpaquePointer($0) })
            if window.isMapped { shown.append(window) }
            next = entry.pointee.next
        }
        // Over a window stands what names it as its parent.
        let covered = shown.compactMap { gtk_window_get_transient_for($0.c()).map { Widget($0) } }
        guard let window = shown.first(where: { window in !covered.contains { $0.isSame(as: window) } })
        else { return nil }
        // Its look as the one that people work in, although nothing here gives it the focus, and without the frame that
        // stands for a shadow where there is nothing to draw one.
        window.toggle("solid-csd", false)
        gtk_widget_unset_state_flags(window.widget, GTK_STATE_FLAG_BACKDROP)
        return window.first {
            gtk_widget_get_native($0.widget).map { Widget($0) }?.isSame(as: $0) == true
                && !$0.isSame(as: window)
        }
            ?? window
    }

    /// Closes the menu that is open: one that goes with its window is still asked where the pointer is.
    static func closeMenu() {
        guard let front, chatter_is_a(front.ref.object, gtk_popover_get_type()) != 0 else { return }
        gtk_popover_popdown(front.c())
    }

    /// From now on no tooltip comes up. GTK 4.8 looks for one half a second after the pointer came over a window, complains
    /// when that has closed by then, and menus here close sooner: what it is about to show is dropped before it is due.
    static func dropTooltips() {
        g_timeout_add_full(
            G_PRIORITY_HIGH, 100,
            { _ in
                let display = gdk_display_get_default().map { UnsafeMutableRawPointer($0) }
                g_object_set_data(
                    display?.assumingMemoryBound(to: GObject.self), "gdk-display-current-tooltip", nil)
                return 1
            }, nil, nil)
    }

    /// Returns after the next frame of the front window was painted.
    static func painted() async {
        guard let front, let clock = gtk_widget_get_frame_clock(front.widget) else {
            return await withCheckedContinuation { continuation in
                MainLoop.after(milliseconds: 16) { continuation.resume() }
            }
        }
        var waiting: CheckedContinuation<Void, Never>?
        let goesOn: (SignalArguments) -> Bool = { _ in
            waiting?.resume()
            waiting = nil
            return false
        }
        let frames = AnyHandle(clock)
        let handler = frames.connect("after-paint", goesOn)
        // A window that is closed meanwhile paints no more.
        let end = front.connect("unrealize", goesOn)
        await withCheckedContinuation { continuation in
            waiting = continuation
            gtk_widget_queue_draw(front.widget)
        }
        front.disconnect(end)
        frames.disconnect(handler)
    }

    /// How many frames of the front window are painted during `body`; unlike `painted` it asks for none.
    static func frames(during body: () async throws -> Void) async rethrows -> Int {
        guard let front, let clock = gtk_widget_get_frame_clock(front.widget) else { return 0 }
        var frames = 0
        let handler = AnyHandle(clock).connect("after-paint") { _ in
            frames += 1
            return false
        }
        defer { g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler) }
        try await body()
        return frames
    }
}

extension Widget {
    /// Itself or what it holds, from the top: the first that is on screen and meets `condition`.
    func first(_ condition: (Widget) -> Bool) -> Widget? {
        guard isMapped else { return nil }
        if condition(self) { return self }
        for child in children {
            if let found = child.first(condition) { return found }
        }
        return nil
    }

    var children: [Widget] {
        var children: [Widget] = []
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            children.append(Widget(child))
            next = gtk_widget_get_next_sibling(child)
        }
        return children
    }

    /// What a person knows by this name: its title, or what a screen reader calls it.
    func find(_ name: String) -> Widget? {
        first { $0.title == name && $0.isActivatable } ?? first { chatter_is_named($0.c(), name) != 0 }
            ?? first { $0.title == name }
    }

    private func isA(_ type: GType) -> Bool { chatter_is_a(ref.object, type) != 0 }

    /// What it says itself.
    var title: String? {
        if isA(gtk_button_get_type()) { return String(borrowed: gtk_button_get_label(c())) }
        if isA(adw_preferences_row_get_type()) { return String(borrowed: adw_preferences_row_get_title(c())) }
        if isA(gtk_label_get_type()) { return String(borrowed: gtk_label_get_text(c())) }
        return nil
    }

    private var isActivatable: Bool {
        isA(gtk_button_get_type()) || isA(adw_action_row_get_type())
    }

    /// What a click does; on a label, what a click on the thing around it does.
    func click() -> Bool {
        guard exists, isSensitive else { return false }
        if isA(gtk_button_get_type()) || isA(gtk_list_box_row_get_type()) {
            // At once: an activation by the keyboard shows the button pressed for a while first.
            if isA(gtk_button_get_type()) {
                chatter_emit(ref.object, "clicked")
            } else {
                chatter_emit(ref.object, "activate")
            }
            return true
        }
        if isA(gtk_menu_button_get_type()) {
            gtk_menu_button_popup(c())
            return true
        }
        if gtk_widget_activate(widget) != 0 { return true }
        return parent?.click() ?? false
    }

    /// Writes into it, or into the field that it stands around.
    func write(_ text: String) -> Bool {
        if isA(gtk_editable_get_type()) {
            gtk_editable_set_text(c(), text)
            return true
        }
        if isA(gtk_text_view_get_type()) {
            gtk_text_buffer_set_text(gtk_text_view_get_buffer(c()), text, -1)
            return true
        }
        // A field's name is the text of a label inside it, too.
        return parent?.write(text) ?? false
    }

    /// Scrolls what it stands in by so many pages: up are below 0.
    func scroll(by pages: Double) -> Bool {
        guard let scroller = gtk_widget_get_ancestor(widget, gtk_scrolled_window_get_type()) else {
            return false
        }
        let adjustment = Scroller(ref: Widget(scroller).ref).adjustment
        adjustment.value += adjustment.page * pages
        return true
    }
}
