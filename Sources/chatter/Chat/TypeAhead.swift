/// Keys that were typed and wait for somebody on screen to take them: from before the screen opened, or while another
/// chat is being opened. None is lost, and none reaches somebody whom it was not typed for.
struct TypeAhead: Equatable, Sendable {
    private var keys: [Key] = []

    mutating func add(_ key: Key) { keys.append(key) }

    mutating func next() -> Key? { keys.isEmpty ? nil : keys.removeFirst() }

    /// Whether Ctrl-C is among them: it need not wait for its turn. What was typed before it is given up.
    mutating func takeInterrupt() -> Bool {
        guard let index = keys.lastIndex(of: .interrupt) else { return false }
        keys.removeFirst(index + 1)
        return true
    }

    /// The chat that they were typed for did not open. What comes before the first Enter stays, to be seen in the
    /// line; Enter would send it to somebody else.
    mutating func keepUnsentLine() {
        keys = Array(keys.prefix { $0 != .enter })
    }
}
