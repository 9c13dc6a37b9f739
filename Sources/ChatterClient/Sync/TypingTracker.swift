import ChatterModel

/// Who is typing where, and what is told of one's own typing. Times are the monotonic clock's.
struct TypingTracker: Hashable, Sendable {
    static let startInterval = Duration.seconds(3)
    static let idle = Duration.seconds(5)

    /// Until when each is shown.
    private var others: [ID<Conversation>: [ID<User>: Duration]] = [:]
    private var own: [ID<Conversation>: Own] = [:]

    private struct Own: Hashable {
        var toldAt: Duration
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
    }

    var typing: [ID<Conversation>: Set<ID<User>>] { others.mapValues { Set($0.keys) } }

    private mutating func dropEmpty(_ id: ID<Conversation>) {
        if others[id]?.isEmpty == true { others[id] = nil }
    }

    // MARK: - Oneself

    /// On each keystroke with true, with false when the text is sent or emptied.
    mutating func setTyping(_ id: ID<Conversation>, _ isTyping: Bool, at time: Duration) -> Signal? {
        guard isTyping else { return own.removeValue(forKey: id) == nil ? nil : .stop(id) }
        guard let told = own[id]?.toldAt, time - told < Self.startInterval else {
            own[id] = Own(toldAt: time, lastKeyAt: time)
            return .start(id)
        }
        own[id]?.lastKeyAt = time
        return nil
    }

    // MARK: - Time

    /// When `expire` has something to do.
    var nextExpiry: Duration? {
        let shown = others.values.flatMap(\.values)
        return (shown + own.values.map { $0.lastKeyAt + Self.idle }).min()
    }

    /// Forgets who fell silent; answers what is to be told of one's own silence.
    mutating func expire(at time: Duration) -> [Signal] {
        others = others.compactMapValues { people in
            let left = people.filter { $0.value > time }
            return left.isEmpty ? nil : left
        }
        let silent = own.filter { $0.value.lastKeyAt + Self.idle <= time }.keys.sorted()
        for id in silent { own[id] = nil }
        return silent.map { .stop($0) }
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
