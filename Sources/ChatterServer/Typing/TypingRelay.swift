import ChatterModel
import SQLite
import Synchronization

/// Passes "is typing" on to the other's devices: never stored, never to somebody who is no friend or behind a
/// block, and at most once a second for one person in one conversation.
final class TypingRelay: Sendable {
    private struct Last {
        let start: Duration
        /// Whom to tell when it ends; nil once they were.
        var audience: ID<User>?
    }

    private static let pause = Duration.seconds(1)

    /// By conversation, of everyone who typed since they connected.
    private let typists = Mutex<[ID<User>: [ID<Conversation>: Last]]>([:])
    private let storage: Storage
    private let hub: Hub
    private let clock: any ServerClock

    init(storage: Storage, hub: Hub, clock: any ServerClock) {
        self.storage = storage
        self.hub = hub
        self.clock = clock
    }

    /// Throws NOT_FOUND when the conversation is not this user's.
    func start(_ conversation: ID<Conversation>, by user: ID<User>) throws {
        let now = clock.uptime
        if let last = typists.withLock({ $0[user]?[conversation] }), now < last.start + Self.pause { return }
        let peer = try storage.readNow { try Self.audience(of: user, in: conversation, $0) }
        guard let peer else { return }
        typists.withLock { $0[user, default: [:]][conversation] = Last(start: now, audience: peer) }
        deliver(conversation, by: user, to: peer, isTyping: true)
    }

    /// Does nothing unless there was a start.
    func stop(_ conversation: ID<Conversation>, by user: ID<User>) throws {
        let told: ID<User>? = typists.withLock { typists in
            defer { typists[user]?[conversation]?.audience = nil }
            return typists[user]?[conversation]?.audience
        }
        guard let told else { return }
        // A block or an unfriending since the start holds for the stop too: the receiver's own expiry clears it.
        let peer = try storage.readNow { try Self.audience(of: user, in: conversation, $0) }
        if peer == told { deliver(conversation, by: user, to: told, isTyping: false) }
    }

    /// The last connection of `user` is gone: whatever they typed, they no longer do.
    func left(_ user: ID<User>) throws {
        let conversations = typists.withLock { $0[user].map { Array($0.keys) } ?? [] }
        defer { typists.withLock { $0[user] = nil } }
        for conversation in conversations { try stop(conversation, by: user) }
    }

    private func deliver(
        _ conversation: ID<Conversation>, by user: ID<User>, to peer: ID<User>, isTyping: Bool
    ) {
        let typing = Typing(conversationID: conversation, userID: user, isTyping: isTyping)
        hub.deliver([Outgoing(ServerFrame(.typing(typing)), to: .user(peer))])
    }

    /// nil when nobody may see it.
    private static func audience(
        of user: ID<User>, in conversation: ID<Conversation>, _ database: Database
    ) throws -> ID<User>? {
        let found: ID<User>?? = try database.first(
            """
            SELECT f.friend_id
            FROM members m JOIN conversations c ON c.id = m.conversation_id
            LEFT JOIN friendships f ON f.user_id = ?1 AND f.removed_at IS NULL
                AND f.friend_id = CASE WHEN c.pair_low = ?1 THEN c.pair_high ELSE c.pair_low END
                AND NOT EXISTS (SELECT 1 FROM frozen_views z WHERE z.viewer_id = ?1 AND z.user_id = f.friend_id)
            WHERE m.user_id = ?1 AND m.conversation_id = ?2
            """, user, conversation
        ) { $0.optionalID(0) }
        guard let audience = found else { throw ConversationQueries.notFound }
        return audience
    }
}
