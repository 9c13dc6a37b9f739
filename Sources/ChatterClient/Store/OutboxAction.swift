import ChatterModel
import Foundation
import SQLite

/// What a person did that the server is to be told, as it lies in the outbox.
enum OutboxAction: Hashable, Sendable {
    case send(SendMessage)
    case deleteMessage(MessageDeletion)
    case read(Watermark)
    case editSettings(SettingsEdit)
    case editProfile(EditProfile)
    case sendFriendRequest(ID<User>)
    case cancelFriendRequest(ID<User>)
    case acceptFriendRequest(ID<User>)
    case declineFriendRequest(ID<User>)
    case removeFriend(ID<User>)
    case block(ID<User>)
    case unblock(ID<User>)

    struct MessageDeletion: Codable, Hashable, Sendable {
        var conversationID: ID<Conversation>
        /// nil when the server had not answered the send yet: then it is this account's.
        var messageID: ID<Message>?
        var clientMessageID: ClientMessageID
        var scope: DeletionScope
    }

    struct SettingsEdit: Codable, Hashable, Sendable {
        var conversationID: ID<Conversation>
        var edit: EditSettings
    }
}

extension OutboxAction {
    /// Written to the database: never change one.
    enum Kind: String, CaseIterable, Sendable {
        case send = "message.send"
        case deleteMessage = "message.delete"
        case read = "receipt.read"
        case editSettings = "settings.edit"
        case editProfile = "profile.edit"
        case sendFriendRequest = "friend.request"
        case cancelFriendRequest = "friend.cancel"
        case acceptFriendRequest = "friend.accept"
        case declineFriendRequest = "friend.decline"
        case removeFriend = "friend.remove"
        case block = "block.add"
        case unblock = "block.remove"
    }

    var kind: Kind {
        switch self {
        case .send: .send
        case .deleteMessage: .deleteMessage
        case .read: .read
        case .editSettings: .editSettings
        case .editProfile: .editProfile
        case .sendFriendRequest: .sendFriendRequest
        case .cancelFriendRequest: .cancelFriendRequest
        case .acceptFriendRequest: .acceptFriendRequest
        case .declineFriendRequest: .declineFriendRequest
        case .removeFriend: .removeFriend
        case .block: .block
        case .unblock: .unblock
        }
    }

    /// Actions of one lane leave in order, one at a time; lanes do not wait for each other.
    var lane: String {
        switch self {
        case .send(let message): message.conversationID.rawValue
        case .deleteMessage(let deletion): deletion.conversationID.rawValue
        case .read(let watermark): Self.readLane(watermark.conversationID)
        case .editSettings(let settings): Self.settingsLane(settings.conversationID)
        case .editProfile: "profile"
        case .sendFriendRequest(let user), .cancelFriendRequest(let user), .acceptFriendRequest(let user),
            .declineFriendRequest(let user), .removeFriend(let user), .block(let user), .unblock(let user):
            Self.personLane(user)
        }
    }

    static func readLane(_ id: ID<Conversation>) -> String { "read:\(id)" }
    static func settingsLane(_ id: ID<Conversation>) -> String { "settings:\(id)" }
    static func personLane(_ id: ID<User>) -> String { "person:\(id)" }
}

extension OutboxAction.Kind {
    /// The refusal leaves a person nothing to do or to know: the entry ends quietly. Every other one is shown as failed,
    /// with its reason, until the person retries or discards it.
    ///
    /// | action | ends quietly | because |
    /// | --- | --- | --- |
    /// | `send` | never | somebody wrote it |
    /// | `deleteMessage` | `NOT_FOUND` | there is nothing to delete |
    /// | `read` | any refusal | nobody asked for it by hand, and the next read says more |
    /// | `editSettings` | `NOT_FOUND` | the chat is gone, and its settings with it |
    /// | `editProfile` | never | somebody chose it |
    /// | `sendFriendRequest` | `ALREADY_FRIENDS` | it is so already |
    /// | `acceptFriendRequest` | `ALREADY_FRIENDS` | it is so already; a request that was taken back is worth knowing |
    /// | `cancelFriendRequest`, `declineFriendRequest` | `NOT_FOUND`, `REQUEST_CLOSED` | nobody waits any more |
    /// | `removeFriend`, `unblock` | `NOT_FOUND` | it is so already |
    /// | `block` | `USER_DELETED` | who is gone cannot write; any other one left somebody unprotected |
    func isDone(whenRefusedWith code: String) -> Bool {
        switch (self, ErrorCode(rawValue: code)) {
        case (.read, _): true
        case (.deleteMessage, .notFound), (.cancelFriendRequest, .notFound), (.removeFriend, .notFound),
            (.unblock, .notFound), (.declineFriendRequest, .notFound),
            (.cancelFriendRequest, .requestClosed), (.declineFriendRequest, .requestClosed),
            (.sendFriendRequest, .alreadyFriends), (.acceptFriendRequest, .alreadyFriends),
            (.editSettings, .notFound), (.block, .userDeleted):
            true
        default: false
        }
    }
}

// MARK: - In the database

extension OutboxAction {
    var payload: String {
        get throws {
            switch self {
            case .send(let message): try message.storedJSON
            case .deleteMessage(let deletion): try deletion.storedJSON
            case .read(let watermark): try watermark.storedJSON
            case .editSettings(let settings): try settings.storedJSON
            case .editProfile(let edit): try edit.storedJSON
            case .sendFriendRequest(let user), .cancelFriendRequest(let user),
                .acceptFriendRequest(let user), .declineFriendRequest(let user), .removeFriend(let user),
                .block(let user), .unblock(let user):
                try [user].storedJSON
            }
        }
    }

    /// Reads the columns `kind` and `payload`.
    init(_ row: borrowing Row, kind kindColumn: Int, payload: Int) throws {
        guard let kind = Kind(rawValue: row.text(kindColumn)) else { throw StoreError.unreadable("kind") }
        func user(_ row: borrowing Row) throws -> ID<User> {
            guard let user = try row.json(payload, as: [ID<User>].self).first else {
                throw StoreError.unreadable("payload")
            }
            return user
        }
        switch kind {
        case .send: self = .send(try row.json(payload, as: SendMessage.self))
        case .deleteMessage: self = .deleteMessage(try row.json(payload, as: MessageDeletion.self))
        case .read: self = .read(try row.json(payload, as: Watermark.self))
        case .editSettings: self = .editSettings(try row.json(payload, as: SettingsEdit.self))
        case .editProfile: self = .editProfile(try row.json(payload, as: EditProfile.self))
        case .sendFriendRequest: self = .sendFriendRequest(try user(row))
        case .cancelFriendRequest: self = .cancelFriendRequest(try user(row))
        case .acceptFriendRequest: self = .acceptFriendRequest(try user(row))
        case .declineFriendRequest: self = .declineFriendRequest(try user(row))
        case .removeFriend: self = .removeFriend(try user(row))
        case .block: self = .block(try user(row))
        case .unblock: self = .unblock(try user(row))
        }
    }
}

/// An entry of the outbox.
struct OutboxEntry: Hashable, Sendable {
    var id: Int64
    var action: OutboxAction
    /// Counted before each departure: above zero, the server may know of it.
    var attempts: Int
    var faults: Int
    var isFailed: Bool

    static let columns = "id, kind, payload, attempts, faults, state = 'failed'"

    init(_ row: borrowing Row) throws {
        id = row.int64(0)
        action = try OutboxAction(row, kind: 1, payload: 2)
        attempts = row.int(3)
        faults = row.int(4)
        isFailed = row.bool(5)
    }

    /// It has not left this device: it can be changed or taken back without a trace.
    var isUntouched: Bool { attempts == 0 && !isFailed }
}
