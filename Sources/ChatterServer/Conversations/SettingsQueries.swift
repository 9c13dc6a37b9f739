import ChatterModel
import SQLite

/// One member's own settings of a conversation. Each stands for itself: archiving keeps a mute and a pin.
enum SettingsQueries {
    /// Saves what differs and tells one's own devices. A mute whose end has passed, by the server's clock, is no
    /// mute. Throws NOT_FOUND, and VALIDATION_FAILED for both a mute and an unmute.
    static func edit(
        _ edit: EditSettings, of id: ID<Conversation>, by user: ID<User>, in transaction: WriteTransaction
    ) throws -> Conversation {
        guard edit.mutedUntil == nil || edit.unmute != true else {
            throw APIError.invalid("mutedUntil", "can't be set together with unmute")
        }
        let database = transaction.database
        let before = try ConversationQueries.get(id, for: user, now: transaction.now, in: database)
        var settings = before.settings
        if let end = edit.mutedUntil { settings.mutedUntil = end > transaction.now ? end : nil }
        if edit.unmute == true { settings.mutedUntil = nil }
        settings.archived = edit.archived ?? settings.archived
        settings.pinned = edit.pinned ?? settings.pinned
        guard settings != before.settings else { return before }

        try database.run(
            """
            UPDATE members SET muted_until = ?, archived = ?, pinned = ?, position = ?
            WHERE conversation_id = ? AND user_id = ?
            """, settings.mutedUntil, settings.archived, settings.pinned, transaction.nextPosition(), id, user
        )
        try ConversationQueries.publish(id, to: user, in: transaction)
        return try ConversationQueries.get(id, for: user, now: transaction.now, in: database)
    }

    /// A new message brings an archived chat back, unless it is muted: whoever archives a muted chat wants quiet.
    static func bringBack(
        _ id: ID<Conversation>, for user: ID<User>, in transaction: WriteTransaction
    ) throws {
        try transaction.database.run(
            """
            UPDATE members SET archived = 0, position = ?
            WHERE conversation_id = ? AND user_id = ? AND archived = 1
                AND (muted_until IS NULL OR muted_until <= ?)
            """, transaction.nextPosition(), id, user, transaction.now)
        guard transaction.database.changes > 0 else { return }
        try ConversationQueries.publish(id, to: user, in: transaction)
    }
}
