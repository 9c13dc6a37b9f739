import ChatterModel
import SQLite

/// A row of `messages`, as the screens' queries read it.
struct StoredMessage {
    enum LocalStatus: String {
        case pending, failed, confirmed
    }

    var conversationID: ID<Conversation>
    var clientMessageID: ClientMessageID
    var id: ID<Message>?
    var seq: Int64?
    var senderID: ID<User>
    var isMine: Bool
    var type: MessageType
    var body: String
    var createdAt: Timestamp
    var editedAt: Timestamp?
    var isDeleted: Bool
    var replyToID: ID<Message>?
    var localStatus: LocalStatus
    var failureCode: String?
    var sender: User?
    var deliveredAt: Timestamp?
    var readAt: Timestamp?

    /// `m` is the message, `u` its sender.
    static let columns = """
        m.conversationID, m.clientMessageID, m.id, m.seq, m.senderID, m.isMine, m.type, m.body, m.createdAt,
        m.editedAt, m.deletedAt IS NOT NULL OR m.deletion IS NOT NULL, m.replyToID, m.localStatus, m.failureCode,
        u.id, u.username, u.displayName, u.about, u.avatarURL, u.isDeleted, u.version,
        m.deliveredAt, m.readAt
        """
    static let source = "messages m LEFT JOIN users u ON u.id = m.senderID"
    /// Not deleted for this account alone: those rows are not shown at all.
    static let isShown = "m.hidden = 0 AND m.deletion IS NOT 'me'"

    init(_ row: borrowing Row, at first: Int = 0) throws {
        conversationID = row.id(first)
        clientMessageID = try row.clientMessageID(first + 1)
        id = row.optionalID(first + 2)
        seq = row.optionalInt64(first + 3)
        senderID = row.id(first + 4)
        isMine = row.bool(first + 5)
        type = MessageType(rawValue: row.text(first + 6))
        createdAt = row.timestamp(first + 8)
        editedAt = row.optionalTimestamp(first + 9)
        isDeleted = row.bool(first + 10)
        body = isDeleted ? "" : row.text(first + 7)
        replyToID = row.optionalID(first + 11)
        guard let status = LocalStatus(rawValue: row.text(first + 12)) else {
            throw StoreError.unreadable("localStatus")
        }
        localStatus = status
        failureCode = row.optionalText(first + 13)
        sender = row.optionalUser(first + 14)
        deliveredAt = row.optionalTimestamp(first + 21)
        readAt = row.optionalTimestamp(first + 22)
    }

    func item(_ watermarks: Watermarks) -> MessageItem {
        let status = status(watermarks)
        return MessageItem(
            id: MessageItem.Key(senderID: senderID, clientMessageID: clientMessageID),
            conversationID: conversationID, messageID: id, seq: seq, sender: sender, isMine: isMine,
            type: type, body: body, createdAt: createdAt, editedAt: editedAt, isDeleted: isDeleted,
            replyToID: replyToID, status: status,
            deliveredAt: status == .delivered || status == .read ? deliveredAt : nil,
            readAt: status == .read ? readAt : nil)
    }

    private func status(_ watermarks: Watermarks) -> DeliveryStatus? {
        guard isMine else { return nil }
        switch localStatus {
        case .pending: return .pending
        case .failed: return .failed(FailureReason(code: failureCode ?? FailureReason.serverFault.code))
        case .confirmed: return watermarks.status(of: seq ?? 0)
        }
    }
}

extension Row {
    /// The columns of `users` in the order of the table.
    func user(_ first: Int) -> User {
        User(
            id: id(first), username: optionalText(first + 1), displayName: optionalText(first + 2),
            about: text(first + 3), avatarURL: optionalText(first + 4), isDeleted: bool(first + 5),
            version: int64(first + 6))
    }

    func optionalUser(_ first: Int) -> User? { isNull(first) ? nil : user(first) }
}

// MARK: - A conversation's screen

extension ReadContext {
    /// The newest `limit` messages and below them what waits or failed. nil when no record describes the conversation.
    func conversation(_ id: ID<Conversation>, limit: Int) throws -> ConversationContent? {
        guard let frame = try conversationFrame(id) else { return nil }
        let watermarks = try watermarks(in: id)
        let confirmed = try confirmedMessages(in: id, from: frame.floor, limit: limit)
        let waiting = try waitingMessages(in: id)
        let oldest = confirmed.last?.seq ?? Int64.max
        let lower = confirmed.count == limit ? oldest : frame.floor - 1
        let kept = try withLost(confirmed, in: id, from: lower, watermarks)
        return ConversationContent(
            id: id, header: frame.header,
            items: kept + waiting.map { $0.item(watermarks) },
            hasOlder: frame.floor > 1 || confirmed.count == limit && oldest > 1,
            holes: try holes(in: id).filter { $0.to > oldest || confirmed.count < limit },
            readSeq: frame.readSeq, unreadCount: frame.unread)
    }

    /// `confirmed`, which descend, as items that ascend, each followed by what the server lost behind it.
    private func withLost(
        _ confirmed: [StoredMessage], in id: ID<Conversation>, from lower: Int64, _ watermarks: Watermarks
    ) throws -> [MessageItem] {
        var lost = try lostMessages(in: id, from: lower)[...]
        var items: [MessageItem] = []
        for message in confirmed.reversed() {
            while let next = lost.first, next.afterSeq < message.seq ?? 0 {
                items.append(next.item)
                lost.removeFirst()
            }
            items.append(message.item(watermarks))
        }
        return items + lost.map(\.item)
    }

    /// What lies above `seq` and through `upper`, ascending.
    func messages(in id: ID<Conversation>, above seq: Int64, through upper: Int64) throws -> [MessageItem] {
        let watermarks = try watermarks(in: id)
        return try database.all(
            """
            SELECT \(StoredMessage.columns) FROM \(StoredMessage.source)
            WHERE m.conversationID = ? AND m.seq > ? AND m.seq <= ? AND \(StoredMessage.isShown) ORDER BY m.seq
            """, id.rawValue, seq, upper
        ) { try StoredMessage($0).item(watermarks) }
    }

    private func confirmedMessages(
        in id: ID<Conversation>, from floor: Int64, limit: Int
    ) throws -> [StoredMessage] {
        try database.all(
            """
            SELECT \(StoredMessage.columns) FROM \(StoredMessage.source)
            WHERE m.conversationID = ? AND m.seq >= ? AND \(StoredMessage.isShown)
            ORDER BY m.seq DESC LIMIT ?
            """, id.rawValue, floor, limit
        ) { try StoredMessage($0) }
    }

    /// How many messages `seq` and what is above it are.
    func shownCount(in id: ID<Conversation>, from seq: Int64) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM \(StoredMessage.source)
            WHERE m.conversationID = ? AND m.seq >= ? AND \(StoredMessage.isShown)
            """, id.rawValue, seq
        ) { Int($0.int64(0)) } ?? 0
    }

    private func waitingMessages(in id: ID<Conversation>) throws -> [StoredMessage] {
        try database.all(
            """
            SELECT \(StoredMessage.columns) FROM \(StoredMessage.source)
            WHERE m.conversationID = ? AND m.seq IS NULL AND \(StoredMessage.isShown) ORDER BY m.localID
            """, id.rawValue
        ) { try StoredMessage($0) }
    }

    /// Known to be missing within what is loaded; ascending.
    func holes(in id: ID<Conversation>) throws -> [SeqRange] {
        try database.all(
            "SELECT fromSeq, toSeq FROM holes WHERE conversationID = ? ORDER BY fromSeq", id.rawValue
        ) { SeqRange(from: $0.int64(0), to: $0.int64(1)) }
    }

    func watermarks(in id: ID<Conversation>) throws -> Watermarks {
        Watermarks(
            others: try database.all(
                """
                SELECT lastDeliveredSeq, lastReadSeq, joinedSeq, undelivered FROM members
                WHERE conversationID = ? AND userID <> ?
                """, id.rawValue, me.rawValue
            ) { try Watermarks.Member($0, at: 0) })
    }

    private struct Frame {
        var header: ConversationContent.Header
        var floor: Int64
        var readSeq: Int64
        var unread: Int
    }

    private func conversationFrame(_ id: ID<Conversation>) throws -> Frame? {
        try database.first(
            """
            SELECT c.type, c.title, c.avatarURL, c.historyFloor, c.myReadSeq, c.unreadLoaded + c.unreadBelowFloor,
                c.isGone, coalesce(f.removed = 0, 0), \(ReadContext.isBlocked("c.peerID")),
                u.id, u.username, u.displayName, u.about, u.avatarURL, u.isDeleted, u.version
            FROM conversations c
            LEFT JOIN users u ON u.id = c.peerID LEFT JOIN friends f ON f.userID = c.peerID
            WHERE c.id = ? AND c.version > 0
            """, id.rawValue
        ) { row in
            let peer = row.optionalUser(9)
            let composer: ConversationContent.Composer =
                if row.bool(6) {
                    .gone
                } else if peer?.isDeleted == true {
                    .peerDeleted
                } else if row.bool(8) {
                    .blocked
                } else if row.text(0) == Conversation.Kind.direct.rawValue, !row.bool(7) {
                    .notFriends
                } else {
                    .open
                }
            let header = ConversationContent.Header(
                title: row.optionalText(1) ?? peer?.shownName ?? "",
                avatarURL: row.optionalText(2) ?? peer?.avatarURL, peer: peer, composer: composer)
            return Frame(header: header, floor: row.int64(3), readSeq: row.int64(4), unread: row.int(5))
        }
    }
}

extension User {
    /// The display name, else the username; empty when there is neither.
    var shownName: String { displayName ?? username ?? "" }
}
