import ChatterViewModels

/// A face and a name, with something beside the name and below it.
struct FaceLine {
    let root: Box
    private let avatar: Avatar
    private let dot = Box.row().css("online-dot").align(.end, .end)
    private let name = Label().oneLine(maxWidthInCharacters: 16).leading().expand(horizontally: true).css(
        "name")

    init(beside: [any WidgetHandle] = [], below: [any WidgetHandle] = []) {
        avatar = Avatar(size: 44)
        let top = Box.row(spacing: 6, name)
        let bottom = Box.row(spacing: 6)
        for widget in beside { top.append(widget) }
        for widget in below { bottom.append(widget) }
        dot.isVisible = false
        root = Box.row(
            spacing: 12, Overlay(avatar, over: dot).align(nil, .center),
            Box.column(spacing: 2, top, bottom).align(nil, .center).expand(horizontally: true))
    }

    /// With a line of text below the name.
    init(subtitle: Label) {
        self.init(below: [subtitle.oneLine(maxWidthInCharacters: 24).leading().css("subtle")])
    }

    /// What one can do, at the end of the line.
    func end(_ widget: some WidgetHandle) { root.append(widget.align(nil, .center)) }

    /// - Parameter title: the name as this list tells it from others.
    func show(_ face: Face, _ title: String, isOnline: Bool = false) {
        name.text = title
        avatar.show(face)
        dot.isVisible = isOnline
    }
}

extension Avatar {
    /// The library takes the initials from the name by itself: it gets the words that the model takes them from.
    func show(_ face: Face) {
        show(name: face.words, hasInitials: !face.initials.isEmpty)
        toggle("gone", face.isGone)
    }
}
