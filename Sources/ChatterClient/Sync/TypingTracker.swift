import ChatterModel

/// Who is typing where, and what is told of one's own typing. Times are the monotonic clock's.
struct TypingTracker: Hashable, Sendable {
    static let startInterval = Duration.seconds(3)
    /// Between two starts with a stop between them. The server passes on one start a second and drops what comes
    /// earlier; the rest is for a path whose delay varies.
    static let restartInterval = Duration.milliseconds(1500)
    static let idle = Duration.seconds(5)

    /// Until when each is shown.
    private var others: [ID<Conversation>: [ID<User>: Duration]] = [:]
    private var own: [ID<Conversation>: Own] = [:]
    /// When a start was told last, though a stop may have followed.
    private var lastStarts: [ID<Conversation>: Duration] = [:]

    private struct Own: Hashable {
        /// False: the start is owed until the server would pass it on.
        var isTold: Bool
        var lastKeyAt: Duration
    }

    enum Signal: Hashable, Sendable {
        case start(ID<Conversation>)
        case stop(ID<Conversation>)
    }

    // MARK: - Others

    mutating func heard(_ typing: Typing, at time: Duration) {
        others[typing.conversationID, default: [:]][typing.userID] =
            typing.isTyping ? time + Limits.typingExpiry : nil
        dropEmpty(typing.conversationID)
    }

    /// A message says more than "typing".
    mutating func arrived(_ message: Message) {
        others[message.conversationID]?[message.senderID] = nil
        dropEmpty(message.conversationID)
    }

    /// Nothing can be known any more; the server forgets one's own typing too.
    mutating func disconnected() {
        others = [:]
        own = [:]
        lastStarts = [:]
    }

    var typing: [ID<Conversation>: Set<ID<User>>] { others.mapValues { Set($0.keys) } }

    private mutating func dropEmpty(_ id: ID<Conversation>) {
        if others[id]?.isEmpty == true { others[id] = nil }
    }

    // MARK: - Oneself

    /// On each keystroke with true, with false when the text is sent or emptied.
    mutating func setTyping(_ id: ID<Conversation>, _ isTyping: Bool, at time: Duration) -> Signal? {
        guard isTyping else { return own.removeValue(forKey: id)?.isTold == true ? .stop(id) : nil }
        let isTold = own[id]?.isTold ?? false
        own[id] = Own(isTold: isTold, lastKeyAt: time)
        let interval = isTold ? Self.startInterval : Self.restartInterval
        if let last = lastStarts[id], time - last < interval { return nil }
        return start(id, at: time)
    }

    private mutating func start(_ id: ID<Conversation>, at time: Duration) -> Signal {
        own[id]?.isTold = true
        lastStarts[id] = time
        return .start(id)
    }

    /// When each start that is owed may be told.
    private var owed: [ID<Conversation>: Duration] {
        own.filter { !$0.value.isTold }.reduce(into: [:]) { owed, typing in
            owed[typing.key] = (lastStarts[typing.key] ?? .zero) + Self.restartInterval
        }
    }

    // MARK: - Time

    /// When `expire` has something to do.
    var nextExpiry: Duration? {
        let shown = others.values.flatMap(\.values)
        return (shown + owed.values + own.values.map { $0.lastKeyAt + Self.idle }).min()
    }

    /// Forgets who fell silent; answers what is to be told of one's own typing and silence.
    mutating func expire(at time: Duration) -> [Signal] {
        others = others.compactMapValues { people in
            let left = people.filter { $0.value > time }
            return left.isEmpty ? nil : left
        }
        let silent = own.filter { $0.value.lastKeyAt + Self.idle <= time }.keys.sorted()
        let stops = silent.filter { own.removeValue(forKey: $0)?.isTold == true }
        let due = owed.filter { $0.value <= time }.keys.sorted()
        return stops.map { .stop($0) } + due.map { start($0, at: time) }
    }
}

/// Who is online, as far as the live connection tells. Of two words about one person the later one holds.
struct PresenceTracker: Hashable, Sendable {
    private(set) var presences: [ID<User>: Presence] = [:]

    mutating func heard(_ presence: Presence) {
        if let known = presences[presence.userID], known.at > presence.at { return }
        presences[presence.userID] = presence
    }

    mutating func removed(_ user: ID<User>) { presences[user] = nil }

    /// Nobody is known to be online any more; when somebody was last seen stays known.
    mutating func disconnected() {
        presences = presences.filter { !$0.value.online }
    }
}
