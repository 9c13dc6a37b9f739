import CGtk

struct Box: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    static func row(spacing: Int = 0, _ children: any WidgetHandle...) -> Box {
        Box(GTK_ORIENTATION_HORIZONTAL, spacing, children)
    }
    static func column(spacing: Int = 0, _ children: any WidgetHandle...) -> Box {
        Box(GTK_ORIENTATION_VERTICAL, spacing, children)
    }
    private init(_ orientation: GtkOrientation, _ spacing: Int, _ children: [any WidgetHandle]) {
        self.init(gtk_box_new(orientation, Int32(spacing)))
        for child in children { append(child) }
    }

    func append(_ child: some WidgetHandle) { gtk_box_append(c(), child.widget) }
    func remove(_ child: some WidgetHandle) { gtk_box_remove(c(), child.widget) }
}

/// One child with others laid over it.
struct Overlay: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ child: some WidgetHandle, over: any WidgetHandle...) {
        self.init(gtk_overlay_new())
        gtk_overlay_set_child(c(), child.widget)
        for widget in over { add(widget) }
    }

    func add(_ widget: some WidgetHandle) { gtk_overlay_add_overlay(c(), widget.widget) }

    /// Never smaller than what lies over it.
    func roomFor(_ widget: some WidgetHandle) -> Self {
        gtk_overlay_set_measure_overlay(c(), widget.widget, 1)
        return self
    }
}

struct Scroller: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    /// Scrolls vertically, and fills what room there is.
    init(_ child: some WidgetHandle) {
        self.init(gtk_scrolled_window_new())
        leaveSettingsWhenGone()
        gtk_scrolled_window_set_child(c(), child.widget)
        gtk_scrolled_window_set_policy(c(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        expand(horizontally: true, vertically: true)
    }

    /// Grows with its child up to `height` pixels and scrolls beyond.
    /// - Parameter showsBar: all the time while it scrolls; a bar has a least size of its own.
    static func growing(_ child: some WidgetHandle, upTo height: Int, showsBar: Bool = false) -> Scroller {
        let scroller = Scroller(gtk_scrolled_window_new())
        scroller.leaveSettingsWhenGone()
        gtk_scrolled_window_set_child(scroller.c(), child.widget)
        let policy = showsBar ? GTK_POLICY_AUTOMATIC : GTK_POLICY_EXTERNAL
        gtk_scrolled_window_set_policy(scroller.c(), GTK_POLICY_NEVER, policy)
        gtk_scrolled_window_set_overlay_scrolling(scroller.c(), (!showsBar).gboolean)
        gtk_scrolled_window_set_propagate_natural_height(scroller.c(), 1)
        gtk_scrolled_window_set_max_content_height(scroller.c(), Int32(height))
        return scroller
    }

    /// GTK 4.8 leaves it connected to the desktop's settings: a change of them would be told to what has gone.
    private func leaveSettingsWhenGone() {
        on("unrealize") {
            g_signal_handlers_disconnect_matched(
                AnyHandle(gtk_settings_get_default()).ref.object, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil,
                ref.object)
        }
    }

    var adjustment: Adjustment { Adjustment(gtk_scrolled_window_get_vadjustment(c())) }
}

/// Where a scroller stands, in pixels.
struct Adjustment: Handle {
    let ref: Ref

    var value: Double {
        get { gtk_adjustment_get_value(c()) }
        nonmutating set { gtk_adjustment_set_value(c(), newValue) }
    }
    var upper: Double { gtk_adjustment_get_upper(c()) }
    var page: Double { gtk_adjustment_get_page_size(c()) }
}

/// Keeps its child from growing wider than is good to read.
struct Clamp: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ child: some WidgetHandle, width: Int) {
        self.init(adw_clamp_new())
        adw_clamp_set_maximum_size(c(), Int32(width))
        adw_clamp_set_tightening_threshold(c(), Int32(width * 2 / 3))
        adw_clamp_set_child(c(), child.widget)
    }
}

/// Slides its child in and out; without animations it just comes and goes.
struct Revealer: WidgetHandle {
    let ref: Ref

    enum Edge { case top, bottom, fade }

    init(ref: Ref) { self.ref = ref }
    init(_ child: some WidgetHandle, from edge: Edge = .top) {
        self.init(gtk_revealer_new())
        gtk_revealer_set_child(c(), child.spokenWhileDrawn().widget)
        let transition =
            switch edge {
            case .top: GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN
            case .bottom: GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP
            case .fade: GTK_REVEALER_TRANSITION_TYPE_CROSSFADE
            }
        gtk_revealer_set_transition_type(c(), transition)
    }

    var isRevealed: Bool {
        get { gtk_revealer_get_reveal_child(c()) != 0 }
        nonmutating set { gtk_revealer_set_reveal_child(c(), newValue.gboolean) }
    }
}

/// Shows one of its children.
struct Stack: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(crossfade: Bool = true) {
        self.init(gtk_stack_new())
        if crossfade { gtk_stack_set_transition_type(c(), GTK_STACK_TRANSITION_TYPE_CROSSFADE) }
        // The window's least size is that of what is shown.
        set("hhomogeneous", false).set("vhomogeneous", false)
    }

    @discardableResult func add(_ child: some WidgetHandle, _ name: String) -> Self {
        gtk_stack_add_named(c(), child.spokenWhileDrawn().widget, name)
        return self
    }

    func show(_ name: String) { gtk_stack_set_visible_child_name(c(), name) }

    /// Takes the place of `old`, or comes beside what is there.
    func replace(_ old: Widget? = nil, with child: some WidgetHandle) {
        gtk_stack_add_child(c(), child.spokenWhileDrawn().widget)
        gtk_stack_set_visible_child(c(), child.widget)
        if let old, old.exists { gtk_stack_remove(c(), old.widget) }
    }

    func remove(_ child: some WidgetHandle) { gtk_stack_remove(c(), child.widget) }
}

/// The views of a window, with a switcher for its header and one for the bottom of a narrow window.
struct ViewStack: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init() { self.init(adw_view_stack_new()) }

    /// The page, for its badge.
    @discardableResult func add(_ child: some WidgetHandle, _ name: String, title: String, icon: String)
        -> ViewStackPage
    {
        ViewStackPage(
            adw_view_stack_add_titled_with_icon(
                c(), child.spokenWhileDrawn().widget, name, title, icon))
    }

    var shown: String {
        get { String(borrowed: adw_view_stack_get_visible_child_name(c())) }
        nonmutating set { if newValue != shown { adw_view_stack_set_visible_child_name(c(), newValue) } }
    }

    @discardableResult func onChange(_ action: @escaping (String) -> Void) -> Self {
        on("notify::visible-child-name") { action(shown) }
    }

    /// For the header; where that has no room for it, `title` stands there and the bar comes up at the bottom.
    func switcher(title: String) -> (header: Widget, bar: Widget) {
        let header = Widget(adw_view_switcher_title_new())
        adw_view_switcher_title_set_stack(header.c(), c())
        adw_view_switcher_title_set_title(header.c(), title)
        let bar = Widget(adw_view_switcher_bar_new())
        adw_view_switcher_bar_set_stack(bar.c(), c())
        // There or not: while it slides away it is laid out in less room than it has a border.
        adw_view_switcher_bar_set_reveal(bar.c(), 1)
        g_object_bind_property(
            header.ref.object, "title-visible", bar.ref.object, "visible", G_BINDING_SYNC_CREATE)
        return (header, bar)
    }
}

struct ViewStackPage: Handle {
    let ref: Ref

    /// 0 shows none.
    func badge(_ number: Int) {
        adw_view_stack_page_set_badge_number(c(), UInt32(clamping: number))
        adw_view_stack_page_set_needs_attention(c(), (number > 0).gboolean)
    }
}

struct HeaderBar: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(title: (any WidgetHandle)? = nil) {
        self.init(adw_header_bar_new())
        if let title { adw_header_bar_set_title_widget(c(), title.widget) }
    }

    @discardableResult func start(_ child: some WidgetHandle) -> Self {
        adw_header_bar_pack_start(c(), child.widget)
        return self
    }
    @discardableResult func end(_ child: some WidgetHandle) -> Self {
        adw_header_bar_pack_end(c(), child.widget)
        return self
    }
    func showsWindowButtons(start: Bool? = nil, end: Bool? = nil) {
        if let start { adw_header_bar_set_show_start_title_buttons(c(), start.gboolean) }
        if let end { adw_header_bar_set_show_end_title_buttons(c(), end.gboolean) }
    }
    @discardableResult func flat() -> Self { css("flat") }
}

struct WindowTitle: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ title: String, subtitle: String = "") { self.init(adw_window_title_new(title, subtitle)) }

    func show(_ title: String, subtitle: String) {
        adw_window_title_set_title(c(), title)
        adw_window_title_set_subtitle(c(), subtitle)
    }
}

/// An icon, a title and a sentence, where there is nothing else to show.
struct StatusPage: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(icon: String? = nil, _ title: String, _ description: String = "", child: (any WidgetHandle)? = nil) {
        self.init(adw_status_page_new())
        if let icon { adw_status_page_set_icon_name(c(), icon) }
        show(title, description)
        if let child { adw_status_page_set_child(c(), child.widget) }
        expand(horizontally: true, vertically: true)
    }

    /// Both as plain text: a description is markup to the library.
    func show(_ title: String, _ description: String) {
        adw_status_page_set_title(c(), Markup.escaped(title))
        adw_status_page_set_description(c(), Markup.escaped(description))
    }

    @discardableResult func compact() -> Self { css("compact") }
}

enum Markup {
    static func escaped(_ text: String) -> String { String(owned: g_markup_escape_text(text, -1)) }
}

/// Where short notices appear over its child.
struct ToastOverlay: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ child: some WidgetHandle) {
        self.init(adw_toast_overlay_new())
        adw_toast_overlay_set_child(c(), child.widget)
    }

    func show(_ sentence: String, dismissed: @escaping () -> Void = {}) {
        let toast = adw_toast_new(Markup.escaped(sentence))
        // The library's own label is one line, cut where the window is narrow.
        let title = Label(sentence).wrapping(maxWidthInCharacters: 28).leading().css("heading")
        adw_toast_set_custom_title(toast, title.widget)
        AnyHandle(toast).on("dismissed", dismissed)
        adw_toast_overlay_add_toast(c(), toast)
    }

    /// Shows a model's notice as a toast; `closed` tells the model that it has gone.
    @discardableResult func notices(_ notice: @escaping () -> String?, closed: @escaping () -> Void) -> Self {
        observe(notice) { overlay, text in
            if let text { overlay.show(text, dismissed: { if notice() == text { closed() } }) }
        }
    }
}

/// A line between things.
struct Separator: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    static func horizontal() -> Separator { Separator(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL)) }
}
