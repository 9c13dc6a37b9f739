import ChatterModel
import SQLite

/// What a device lacks of one conversation, for the stream that answers a `sync.request`.
struct MissedMessages: Sendable {
    /// `message.new` above the seq that the device holds, `message.updated` below; oldest change first.
    let events: [ServerEvent]
    let state: SyncComplete.State
    /// What it costs to send, roughly.
    let bytes: Int

    /// At most `Limits.syncMessages` of them, and no more than fit into `budget` bytes. nil when the conversation
    /// is not this user's. Throws START_OVER when more is held than was ever given out: the database was set back.
    static func read(
        _ conversation: ID<Conversation>, above held: SyncRequest.Held, for user: ID<User>, budget: Int,
        in database: Database
    ) throws -> MissedMessages? {
        guard let extent = try HistoryQueries.Extent.of(conversation, for: user, in: database) else {
            return nil
        }
        guard held.seq <= extent.lastSeq, held.change <= extent.lastChange else {
            throw APIError(.startOver, "more is held than was given out: the server was set back")
        }
        let found = try select(conversation, above: held, extent, for: user, in: database)
        let taken = fitting(found.prefix(Limits.syncMessages), budget)
        let hasMore = taken.count < found.count
        // Everything below the first message that is left out was sent.
        let reached = hasMore ? found[taken.count].change - 1 : extent.lastChange
        return MissedMessages(
            events: taken.map { $0.seq > held.seq ? .messageNew($0) : .messageUpdated($0) },
            state: SyncComplete.State(
                change: reached, lastSeq: extent.lastSeq, lastChange: extent.lastChange, hasMore: hasMore),
            bytes: taken.reduce(0) { $0 + cost($1) })
    }

    private static func fitting(_ messages: ArraySlice<Message>, _ budget: Int) -> ArraySlice<Message> {
        var left = budget
        return messages.prefix { message in
            left -= cost(message)
            return left >= 0
        }
    }

    private static func cost(_ message: Message) -> Int { message.body.utf8.count + 400 }

    /// One more than are sent, to know whether there are more.
    private static func select(
        _ conversation: ID<Conversation>, above held: SyncRequest.Held, _ extent: HistoryQueries.Extent,
        for user: ID<User>, in database: Database
    ) throws -> [Message] {
        // A message's change is never below its seq, so that the lower of the two bounds both.
        try database.all(
            """
            SELECT \(MessageColumns.all) FROM messages x
            WHERE x.conversation_id = ?2 AND x.change > ?3 AND (x.change > ?4 OR x.seq > ?5) AND x.seq > ?6
                AND \(MessageColumns.isVisible)
            ORDER BY x.change LIMIT ?7
            """, user, conversation, min(held.change, held.seq), held.change, held.seq, extent.joinedSeq,
            Limits.syncMessages + 1
        ) { MessageColumns.message($0) }
    }
}
