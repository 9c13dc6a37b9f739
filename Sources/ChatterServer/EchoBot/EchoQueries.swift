import ChatterModel
import SQLite

/// The echo bot's memory: what it has taken stands in `echo_tasks` until it is answered, so that a restart neither
/// forgets a message nor answers one twice.
enum EchoQueries {
    static let username = "echo"
    /// From delivered to read.
    private static let reading = Duration.milliseconds(500)
    private static let typing = Duration.seconds(1)

    /// The workspace's bot, made when it has none.
    static func ensureBot(
        in workspace: ID<Workspace>, _ transaction: WriteTransaction
    ) throws -> ID<User> {
        let known: ID<User>? = try transaction.database.first(
            "SELECT id FROM users WHERE workspace_id = ? AND username = ? AND is_bot = 1", workspace, username
        ) { $0.id(0) }
        if let known { return known }
        let id: ID<User> = transaction.newID()
        try transaction.database.run(
            """
            INSERT INTO users (id, workspace_id, username, display_name, about, is_bot, created_at, position)
            VALUES (?, ?, ?, 'Echo', 'I answer with your own words. Say help.', 1, ?, ?)
            """, id, workspace, username, transaction.now, transaction.nextPosition())
        return id
    }

    static func acceptRequests(
        to bot: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws {
        let requests = try FriendRequestRow.pending(to: bot, in: transaction.database)
        for request in requests where request.concealment == .shown {
            _ = try FriendRequestQueries.accept(request.id, by: bot, presence: presence, in: transaction)
        }
    }

    // MARK: - Taking

    /// Takes what the bot has not seen yet, of one conversation or of all, and marks it delivered.
    static func take(
        for bot: ID<User>, in conversation: ID<Conversation>?, _ transaction: WriteTransaction
    ) throws {
        var delivered: [ID<Conversation>: Int64] = [:]
        for message in try untaken(by: bot, in: conversation, transaction.database) {
            delivered[message.conversationID] = message.seq
            try addTask(message, for: bot, in: transaction)
        }
        for (conversation, seq) in delivered.sorted(by: { $0.key < $1.key }) {
            let marks = MoveReceipts(delivered: seq)
            _ = try ReceiptQueries.move(marks, in: conversation, by: bot, in: transaction)
        }
    }

    private static func untaken(
        by bot: ID<User>, in conversation: ID<Conversation>?, _ database: Database
    ) throws -> [Message] {
        try database.all(
            """
            SELECT \(MessageColumns.all)
            FROM members m JOIN conversations c ON c.id = m.conversation_id AND c.last_seq > m.delivered_seq
            JOIN messages x ON x.conversation_id = c.id AND x.seq > m.delivered_seq
            WHERE m.user_id = ?1 AND (?2 IS NULL OR m.conversation_id = ?2)
                AND x.sender_id <> ?1 AND \(MessageColumns.isVisible)
            ORDER BY x.conversation_id, x.seq
            """, bot, conversation
        ) { MessageColumns.message($0) }
    }

    private static func addTask(
        _ message: Message, for bot: ID<User>, in transaction: WriteTransaction
    ) throws {
        let command = EchoCommand(message.body)
        guard command != .quiet, message.deletedAt == nil else { return }
        let readAt = transaction.now.advanced(by: reading)
        var dueAt = readAt.advanced(by: typing)
        if case .late(let seconds) = command {
            dueAt = max(dueAt, message.createdAt.advanced(by: .seconds(seconds)))
        }
        try transaction.database.run(
            """
            INSERT INTO echo_tasks (message_id, bot_id, conversation_id, seq, read_at, due_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """, message.id, bot, message.conversationID, message.seq, readAt, dueAt)
    }

    // MARK: - Answering

    struct Progress {
        var startedTyping: [ID<Conversation>] = []
        var stoppedTyping: [ID<Conversation>] = []
        /// When there is something to do again.
        private(set) var next: Timestamp?

        mutating func wake(at time: Timestamp) { next = next.map { min($0, time) } ?? time }
    }

    /// Does whatever is due, oldest first.
    static func work(for bot: ID<User>, in transaction: WriteTransaction) throws -> Progress {
        var progress = Progress()
        for task in try tasks(of: bot, in: transaction.database) {
            let now = transaction.now
            if task.stage < .read, task.readAt <= now {
                let marks = MoveReceipts(read: task.seq)
                _ = try ReceiptQueries.move(marks, in: task.conversation, by: bot, in: transaction)
            }
            guard task.dueAt > now else {
                try answer(task, by: bot, in: transaction)
                progress.stoppedTyping.append(task.conversation)
                continue
            }
            let stage = task.stage(at: now, typing: typing)
            if stage == .typing, task.stage < .typing { progress.startedTyping.append(task.conversation) }
            try save(stage, of: task, in: transaction)
            progress.wake(at: task.next(after: now, typing: typing))
        }
        return progress
    }

    private static func tasks(of bot: ID<User>, in database: Database) throws -> [EchoTask] {
        try database.all(
            """
            SELECT message_id, conversation_id, seq, read_at, due_at, stage FROM echo_tasks
            WHERE bot_id = ? ORDER BY due_at, conversation_id, seq
            """, bot
        ) { row in
            EchoTask(
                message: row.id(0), conversation: row.id(1), seq: row.int64(2), readAt: row.timestamp(3),
                dueAt: row.timestamp(4), stage: EchoTask.Stage(rawValue: row.int(5)) ?? .taken)
        }
    }

    private static func save(
        _ stage: EchoTask.Stage, of task: EchoTask, in transaction: WriteTransaction
    ) throws {
        guard stage != task.stage else { return }
        try transaction.database.run(
            "UPDATE echo_tasks SET stage = ? WHERE message_id = ?", stage.rawValue, task.message)
    }

    /// The answers and the end of the task are one transaction. The answers' ids follow from the message's, so
    /// that even a task done twice would answer once.
    private static func answer(
        _ task: EchoTask, by bot: ID<User>, in transaction: WriteTransaction
    ) throws {
        let body = try transaction.database.first(
            "SELECT body FROM messages WHERE id = ? AND deleted_at IS NULL", task.message
        ) { $0.text(0) }
        let answers = body.map { EchoCommand($0).answers(to: $0) } ?? []
        for (index, text) in answers.enumerated() {
            let draft = try MessageDraft(
                clientMessageID: answerID(task.message, index), conversation: task.conversation, type: .text,
                body: text)
            do {
                _ = try SendQueries.send(draft, by: bot, in: transaction)
            } catch is APIError {
                break  // unfriended or deleted meanwhile: nobody waits for the answer
            }
        }
        try transaction.database.run("DELETE FROM echo_tasks WHERE message_id = ?", task.message)
    }

    /// A UUID of version 8: the beginning of a SHA-256.
    static func answerID(_ message: ID<Message>, _ index: Int) -> ClientMessageID {
        var bytes = Array(sha256(Array("echo \(message) \(index)".utf8)).prefix(16))
        bytes[6] = 0x80 | bytes[6] & 0x0f
        bytes[8] = 0x80 | bytes[8] & 0x3f
        return ClientMessageID(checked: uuidText(bytes))
    }
}
