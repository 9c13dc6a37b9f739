/// Keeps a list at its end for as long as the person is there, and says when they come or leave.
final class EndFollower {
    private let adjustment: Adjustment
    private let reached: (Bool) -> Void
    private let topReached: () -> Void
    private var follows = true
    /// Where a layout left it, until its value is told; the person may come to the same place later.
    private var laidOut: Double?

    /// How near counts as there, in pixels.
    private static let slack = 60.0
    private static let topDistance = 600.0

    /// - Parameters:
    ///   - reached: the end came into sight, or left it.
    ///   - topReached: less than a page is left above.
    init(_ adjustment: Adjustment, reached: @escaping (Bool) -> Void, topReached: @escaping () -> Void) {
        self.adjustment = adjustment
        self.reached = reached
        self.topReached = topReached
        adjustment
            .on("value-changed") { [self] in
                // A value that moves together with the extent is the list's layout and not the person: of both GTK tells
                // only once both are set, first of the extent.
                if adjustment.value != laidOut { follow(distance < Self.slack) }
                laidOut = nil
                tellTop()
            }
            .on("changed") { [self] in
                laidOut = adjustment.value
                // Not now: the list is in the middle of its layout and ignores the adjustment.
                if follows, distance > 0 { adjustment.nextFrame { [self] in if follows { scrollToEnd() } } }
                adjustment.nextFrame { [self] in tellTop() }
            }
    }

    private var end: Double { adjustment.upper - adjustment.page }
    private var distance: Double { end - adjustment.value }

    private func follow(_ isThere: Bool) {
        guard isThere != follows else { return }
        follows = isThere
        reached(isThere)
    }

    private func tellTop() {
        if adjustment.value < Self.topDistance, adjustment.page > 0 { topReached() }
    }

    /// The end has moved on, and the list goes after it with the next frame.
    var isOnTheWay: Bool { follows && distance > 0 }

    func scrollToEnd() {
        follow(true)
        adjustment.value = end
    }

    /// Something else is about to be brought into sight.
    func letGo() { follow(false) }
}
