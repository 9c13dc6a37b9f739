import CGtk

/// A list beside its content; where there is no room for both, one of them.
struct Leaflet: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(side: some WidgetHandle, content: some WidgetHandle) {
        self.init(adw_leaflet_new())
        adw_leaflet_append(c(), side.spokenWhileDrawn().widget)
        let line = adw_leaflet_append(c(), gtk_separator_new(GTK_ORIENTATION_VERTICAL))
        adw_leaflet_page_set_navigatable(line, 0)
        adw_leaflet_append(c(), content.spokenWhileDrawn().widget)
        adw_leaflet_set_can_navigate_back(c(), 1)
    }

    var isFolded: Bool { adw_leaflet_get_folded(c()) != 0 }
    @discardableResult func onFold(_ action: @escaping (Bool) -> Void) -> Self {
        action(isFolded)
        return on("notify::folded") { action(isFolded) }
    }

    /// Shows `widget` for as long as it is folded.
    func whenFolded(shows widget: some WidgetHandle) { bindFolded("visible", of: widget) }
    /// Window buttons before the content's title only where no side stands beside it.
    func whenFolded(showsStartButtonsOf header: HeaderBar) {
        bindFolded("show-start-title-buttons", of: header)
    }

    /// Ends with whichever goes first: pages come and go, the leaflet stays.
    private func bindFolded(_ property: String, of widget: some WidgetHandle) {
        g_object_bind_property(
            ref.object, "folded", widget.ref.object, property, G_BINDING_SYNC_CREATE)
    }

    func show(_ child: some WidgetHandle) { adw_leaflet_set_visible_child(c(), child.widget) }

    /// After the person went back by a swipe, or forward.
    @discardableResult func onNavigation(_ action: @escaping (Widget) -> Void) -> Self {
        on("notify::visible-child") {
            if let child = adw_leaflet_get_visible_child(c()) { action(Widget(child)) }
        }
    }
}
