import CGtk

/// Pages above each other: what is pushed slides in over what is there; the back button, Escape or a swipe goes back.
struct PageStack: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init() {
        self.init(adw_leaflet_new())
        // Never beside each other, however wide the window is.
        adw_leaflet_set_can_unfold(c(), 0)
        adw_leaflet_set_can_navigate_back(c(), 1)
        let pages = self
        for change in ["notify::visible-child", "notify::child-transition-running"] {
            on(change) { pages.nextFrame { if !pages.isSliding { pages.dropPassed() } } }
        }
        onKey { key, _ in key == .escape && pages.pop() }
    }

    private var isSliding: Bool { adw_leaflet_get_child_transition_running(c()) != 0 }

    /// Removes the pages that were left.
    private func dropPassed() {
        while let page = adw_leaflet_get_adjacent_child(c(), ADW_NAVIGATION_DIRECTION_FORWARD) {
            adw_leaflet_remove(c(), page)
        }
    }

    /// The keyboard comes back to where it is now, once the page has gone.
    func push(_ page: some WidgetHandle) {
        if let window {
            let focused = Widget(gtk_window_get_focus(window.c()))
            page.onDispose { if focused.exists, focused.isMapped, !hasFocusInside { focused.focus() } }
        }
        dropPassed()
        adw_leaflet_append(c(), page.spokenWhileDrawn().widget)
        adw_leaflet_set_visible_child(c(), page.widget)
    }

    /// False when there is no page to go back to.
    @discardableResult func pop() -> Bool { adw_leaflet_navigate(c(), ADW_NAVIGATION_DIRECTION_BACK) != 0 }
}
