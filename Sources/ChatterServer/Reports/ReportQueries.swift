import ChatterModel
import SQLite

/// What people report to the operator.
enum ReportQueries {
    /// Keeps the message's text as evidence: it outlives a deletion. Throws NOT_FOUND when there is no such person,
    /// or no such message of theirs that the reporter can see; VALIDATION_FAILED for oneself.
    static func file(
        _ report: NewReport, by user: ID<User>, workspace: ID<Workspace>, in transaction: WriteTransaction
    ) throws -> ReportFiled {
        let database = transaction.database
        _ = try Relation.of(user, to: report.userID, workspace: workspace, in: database)
        let body = try report.messageID.map { message in
            try evidence(message, of: report.userID, for: user, in: database)
        }
        let id: ID<Report> = transaction.newID()
        try database.run(
            """
            INSERT INTO reports (
                id, workspace_id, reporter_id, user_id, message_id, message_body, reason, comment, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id, workspace, user, report.userID, report.messageID, body, report.reason.rawValue,
            report.comment ?? "", transaction.now)
        return ReportFiled(id: id)
    }

    private static func evidence(
        _ message: ID<Message>, of sender: ID<User>, for user: ID<User>, in database: Database
    ) throws -> String {
        let body = try database.first(
            """
            SELECT x.body FROM messages x
            JOIN members m ON m.conversation_id = x.conversation_id AND m.user_id = ?1
            WHERE x.id = ?2 AND x.sender_id = ?3 AND x.seq > m.joined_seq
                AND (x.hidden_from IS NULL OR x.hidden_from <> ?1)
            """, user, message, sender
        ) { $0.text(0) }
        guard let body else { throw APIError(.notFound, "there is no such message of this user's") }
        return body
    }
}
