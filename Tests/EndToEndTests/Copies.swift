import ChatterTestSupport
import Foundation
import SQLite

/// What the server's database holds of the one chat: the truth.
struct ServedChat: Sendable {
    struct Message: Sendable {
        let seq: Int64
        let clientMessageID: String
        /// A username.
        let sender: String
        let text: String
        let isDeleted: Bool
        /// Usernames of those who deleted it for themselves.
        let hiddenFor: Set<String>
    }

    struct Marks: Sendable {
        var delivered: Int64
        var read: Int64
    }

    var messages: [Message]
    /// By username.
    var marks: [String: Marks]

    init(messages: [Message], marks: [String: Marks]) {
        self.messages = messages
        self.marks = marks
    }

    init(path: String) throws {
        let database = try Database(path: path, mode: .readOnly)
        var hidden: [String: Set<String>] = [:]
        try database.each(
            "SELECT h.message_id, u.username FROM hidden_messages h JOIN users u ON u.id = h.user_id"
        ) { hidden[$0.text(0), default: []].insert($0.text(1)) }
        messages = try database.all(
            """
            SELECT m.seq, m.client_message_id, u.username, m.body, m.deleted_at IS NOT NULL, m.id
            FROM messages m JOIN users u ON u.id = m.sender_id ORDER BY m.seq
            """
        ) {
            Message(
                seq: $0.int64(0), clientMessageID: $0.text(1), sender: $0.text(2), text: $0.text(3),
                isDeleted: $0.bool(4), hiddenFor: hidden[$0.text(5)] ?? [])
        }
        marks = Dictionary(
            uniqueKeysWithValues: try database.all(
                "SELECT u.username, r.delivered_seq, r.read_seq FROM members r JOIN users u ON u.id = r.user_id"
            ) { ($0.text(0), Marks(delivered: $0.int64(1), read: $0.int64(2))) })
    }
}

/// What one device holds of it, and what its program shows the person.
struct DeviceCopy: Sendable {
    struct Shown: Decodable, Sendable {
        let seq: Int64
        let body: String
        let isMine: Bool
        let isDeleted: Bool
        let status: String?
    }

    private struct History: Decodable { let items: [Shown] }

    private struct Chats: Decodable {
        struct Chat: Decodable { let unreadCount: Int }
        let items: [Chat]
    }

    let device: String
    /// Whose it is: a username.
    let owner: String
    var rows: [StoredChat.Row]
    var shown: [Shown]
    var unreadCount: Int

    /// How many of one's own have each tick.
    var ticks: [String: Int] {
        Dictionary(
            shown.filter { $0.isMine && !$0.isDeleted }.map { ($0.status ?? "none", 1) }, uniquingKeysWith: +)
    }

    init(
        device: String, owner: String, rows: [StoredChat.Row], shown: [Shown], unreadCount: Int
    ) {
        self.device = device
        self.owner = owner
        self.rows = rows
        self.shown = shown
        self.unreadCount = unreadCount
    }

    /// As a person sees it who scrolls to the beginning: that fetches all of it, and reads nothing.
    init(_ device: Device, peer: String) async throws {
        let user = device.user
        shown = try await user.read(History.self, ["history", peer, "--limit", "1000"]).items
        unreadCount = try await user.read(Chats.self, ["chats"]).items.map(\.unreadCount).reduce(0, +)
        rows = try device.stored.rows()
        (self.device, owner) = (user.profile, user.name)
    }
}
