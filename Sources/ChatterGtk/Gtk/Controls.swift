import CGtk

struct Label: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ text: String = "") { self.init(gtk_label_new(text)) }

    var text: String {
        get { String(borrowed: gtk_label_get_text(c())) }
        nonmutating set {
            if newValue != text || gtk_label_get_use_markup(c()) != 0 { gtk_label_set_text(c(), newValue) }
        }
    }

    /// Text with Pango's marks, and links that open by a click.
    func show(markup: String) { gtk_label_set_markup(c(), markup) }

    /// - Parameter opened: a link was chosen; true when that was all, else the desktop opens it.
    @discardableResult func onLink(_ opened: @escaping (String) -> Bool) -> Self {
        onSignal("activate-link") { opened($0.string(0)) }
    }

    /// As many lines as it takes. A word or address that has to be broken gets no hyphen that is not its own.
    @discardableResult func wrapping(maxWidthInCharacters width: Int = -1) -> Self {
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        gtk_label_set_attributes(c(), attributes)
        pango_attr_list_unref(attributes)
        gtk_label_set_wrap(c(), 1)
        gtk_label_set_wrap_mode(c(), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_max_width_chars(c(), Int32(width))
        return self
    }

    /// Asks for the width of its text as one line; else short texts beside other things are wrapped, too.
    @discardableResult func onOneLineIfItFits() -> Self {
        gtk_label_set_natural_wrap_mode(c(), GTK_NATURAL_WRAP_NONE)
        return self
    }

    /// One line, cut at the end where it has no room.
    /// - Parameter width: as much room as it asks for; -1 is all.
    @discardableResult func oneLine(maxWidthInCharacters width: Int = -1) -> Self {
        gtk_label_set_ellipsize(c(), PANGO_ELLIPSIZE_END)
        gtk_label_set_single_line_mode(c(), 1)
        gtk_label_set_max_width_chars(c(), Int32(width))
        return self
    }

    /// From the side one reads from; a label alone is centred.
    @discardableResult func leading() -> Self {
        gtk_label_set_xalign(c(), 0)
        return self
    }

    /// With the mouse or the keyboard, to copy it.
    @discardableResult func selectable() -> Self {
        gtk_label_set_selectable(c(), 1)
        return self
    }

    @discardableResult func centered() -> Self {
        gtk_label_set_justify(c(), GTK_JUSTIFY_CENTER)
        return self
    }

    /// A line that is there only while there is something to say.
    ///
    /// - Parameter keepingRoom: nothing moves when it comes and goes.
    static func hint(keepingRoom: Bool = false, _ text: @escaping () -> String?) -> Label {
        Label().wrapping().leading().observe { label in
            let text = text()
            label.text = text ?? ""
            label.isVisible = keepingRoom || text != nil
        }
    }
}

struct Image: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    /// Nothing to a screen reader: say what it means with `accessible`.
    init(icon: String) { self.init(gtk_image_new_from_icon_name(icon)) }

    func show(icon: String) { gtk_image_set_from_icon_name(c(), icon) }
    @discardableResult func size(_ pixels: Int) -> Self {
        gtk_image_set_pixel_size(c(), Int32(pixels))
        return self
    }
}

struct Avatar: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    /// Initials on a colour that follows from `name`.
    init(size: Int, name: String = "") { self.init(adw_avatar_new(Int32(size), name, 1)) }

    /// Without initials it is the picture of nobody in particular.
    func show(name: String, hasInitials: Bool = true) {
        adw_avatar_set_text(c(), name)
        adw_avatar_set_show_initials(c(), hasInitials.gboolean)
    }
}

struct Spinner: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init() { self.init(gtk_spinner_new()) }

    /// In the middle of a page that has nothing else yet.
    static func alone(_ name: String) -> Spinner {
        let spinner = Spinner().accessible(name).align(.center, .center).minimum(width: 32, height: 32)
        // Only while it is on screen: on a page behind another it would have the window drawn all the time.
        spinner.on("map") { spinner.isSpinning = true }.on("unmap") { spinner.isSpinning = false }
        return spinner.expand(horizontally: true, vertically: true)
    }

    var isSpinning: Bool {
        get { gtk_spinner_get_spinning(c()) != 0 }
        nonmutating set { gtk_spinner_set_spinning(c(), newValue.gboolean) }
    }
}

struct Button: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ title: String, action: @escaping () async -> Void) {
        self.init(gtk_button_new_with_label(title))
        onClick(action)
    }
    init(icon: String, _ name: String, action: @escaping () async -> Void) {
        self.init(icon: icon, name)
        onClick(action)
    }
    init(icon: String, _ name: String) {
        self.init(gtk_button_new_from_icon_name(icon))
        accessible(name).tooltip(name)
    }
    init(child: some WidgetHandle, _ name: String, action: @escaping () async -> Void) {
        self.init(gtk_button_new())
        gtk_button_set_child(c(), child.widget)
        accessible(name).onClick(action)
    }

    /// Does an action of the app, by its full name.
    init(_ title: String, action: String) {
        self.init(gtk_button_new_with_label(title))
        gtk_actionable_set_action_name(c(), action)
    }
    init(icon: String, _ name: String, action: String) {
        self.init(gtk_button_new_from_icon_name(icon))
        accessible(name).tooltip(name)
        gtk_actionable_set_action_name(c(), action)
    }

    /// With a spinner beside its title while it works.
    static func working(
        _ title: String, while isBusy: @escaping () -> Bool, action: @escaping () async -> Void
    ) -> Button {
        let spinner = Spinner()
        spinner.observe {
            $0.isSpinning = isBusy()
            $0.isVisible = isBusy()
        }
        let content = Box.row(spacing: 8, spinner, Label(title)).align(.center)
        return Button(child: content, title, action: action)
    }

    @discardableResult func onClick(_ action: @escaping () async -> Void) -> Self {
        on("clicked") { perform(action) }
    }

    var title: String {
        get { String(borrowed: gtk_button_get_label(c())) }
        nonmutating set { if newValue != title { gtk_button_set_label(c(), newValue) } }
    }

    /// Another icon and name on a button of the same kind.
    func show(icon: String, _ name: String) {
        gtk_button_set_icon_name(c(), icon)
        accessible(name).tooltip(name)
    }

    /// A click leaves the keyboard where it is.
    @discardableResult func keepingFocus() -> Self { set("focus-on-click", false) }
}

/// One of several answers of which one is chosen.
struct RadioButton: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    /// - Parameter chosen: it became the chosen one.
    init(_ title: String, chosen: @escaping () -> Void) {
        self.init(gtk_check_button_new_with_label(title))
        let button = self
        on("toggled") { if button.isChosen { chosen() } }
    }

    var isChosen: Bool { gtk_check_button_get_active(c()) != 0 }
    func choose() { gtk_check_button_set_active(c(), 1) }

    /// One of them at a time is the chosen one.
    static func column(_ buttons: [RadioButton]) -> Box {
        let box = Box.column()
        for button in buttons {
            if !button.isSame(as: buttons[0]) { gtk_check_button_set_group(button.c(), buttons[0].c()) }
            box.append(button)
        }
        return box
    }
}

struct Switch: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    /// - Parameter isOn: where it stands; the person's switching goes to `switched`.
    init(_ isOn: @escaping () -> Bool, switched: @escaping (Bool) async -> Void) {
        self.init(gtk_switch_new())
        let toggle = self
        observe { gtk_switch_set_active($0.c(), isOn().gboolean) }
        on("notify::active") {
            let isActive = gtk_switch_get_active(toggle.c()) != 0
            if isActive != isOn() { perform { await switched(isActive) } }
        }
    }
}
