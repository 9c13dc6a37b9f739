import ChatterModel
import ChatterServer
import ChatterTestSupport
import Foundation

/// Two friends with a chat, the setting of most scenarios.
struct TwoFriends {
    let server: TestServer
    let alice: TestDevice
    let bob: TestDevice
    let chat: ID<Conversation>

    init(_ change: (inout ServerConfiguration) -> Void = { _ in }) async throws {
        server = try await TestServer(change)
        alice = try await server.signUp("alice")
        bob = try await server.signUp("bobby")
        try await alice.befriend(bob)
        chat = try await alice.openChat(with: bob)
    }

    /// Another device of the same person.
    func secondDevice(of person: TestDevice) async throws -> TestDevice {
        try await server.signIn(phone: person.phone, name: "second device")
    }
}

extension TestServer {
    /// Lets what is under way arrive, and forgets what these received.
    func hush(_ lives: TestConnection...) async {
        await settle()
        for live in lives { _ = live.take() }
    }
}

/// What people do, by REST.
extension TestDevice {
    /// With fresh tokens, for a test that moves the clock past their end.
    func refreshed() async throws -> TestDevice {
        var device = self
        device.take(try await call(Routes.refresh, body: RefreshTokens(refreshToken: refreshToken)))
        return device
    }

    func request(_ other: TestDevice) async throws -> FriendRequest {
        try await call(Routes.sendFriendRequest, body: NewFriendRequest(userID: other.user))
    }

    func accept(_ request: FriendRequest) async throws -> Friend {
        try await call(Routes.acceptFriendRequest, ["id": request.id.rawValue])
    }

    func befriend(_ other: TestDevice) async throws {
        _ = try await other.accept(try await request(other))
    }

    func openChat(with other: TestDevice) async throws -> ID<Conversation> {
        try await call(Routes.openDirect, body: OpenDirect(userID: other.user)).id
    }

    func conversation(_ id: ID<Conversation>) async throws -> Conversation {
        try await call(Routes.conversation, ["id": id.rawValue])
    }

    func send(
        _ body: String, in chat: ID<Conversation>, as id: ClientMessageID = .new(),
        replyTo: ID<Message>? = nil
    ) async throws -> MessageAck {
        try await call(
            Routes.sendMessage, ["id": chat.rawValue],
            body: NewMessage(clientMessageID: id, body: body, replyToID: replyTo))
    }

    func messages(_ chat: ID<Conversation>, _ query: [String: String] = [:]) async throws -> MessagePage {
        try await call(Routes.messages, ["id": chat.rawValue], query: query)
    }

    func delete(_ message: ID<Message>, _ scope: DeletionScope) async throws -> Message {
        try await call(Routes.deleteMessage, ["id": message.rawValue], query: ["scope": scope.rawValue])
    }

    func mark(
        delivered: Int64? = nil, read: Int64? = nil, in chat: ID<Conversation>
    ) async throws -> Receipt {
        try await call(
            Routes.moveReceipts, ["id": chat.rawValue], body: MoveReceipts(delivered: delivered, read: read))
    }

    func edit(_ settings: EditSettings, of chat: ID<Conversation>) async throws -> Conversation {
        try await call(Routes.editSettings, ["id": chat.rawValue], body: settings)
    }

    func block(_ other: TestDevice) async throws -> Block {
        try await call(Routes.block, ["userId": other.user.rawValue])
    }

    func unblock(_ other: TestDevice) async throws {
        _ = try await call(Routes.unblock, ["userId": other.user.rawValue])
    }

    func search(_ text: String) async throws -> [FoundUser] {
        try await call(Routes.searchUsers, query: ["q": text]).items
    }

    func find(_ other: TestDevice) async throws -> FoundUser {
        try await call(Routes.user, ["id": other.user.rawValue])
    }

    func friends() async throws -> [Friend] { try await call(Routes.friends).items }

    func requests(_ direction: FriendRequest.Direction) async throws -> [FriendRequest] {
        try await call(Routes.friendRequests, query: ["direction": direction.rawValue]).items
    }

    /// Every page of the sync after a cursor, melted into one.
    func syncAll(since cursor: String? = nil, limit: Int? = nil) async throws -> SyncPage {
        var query: [String: String] = [:]
        query["since"] = cursor
        query["limit"] = limit.map(String.init)
        var all = try await call(Routes.sync, query: query)
        while all.hasMore {
            query["since"] = all.cursor
            all.append(try await call(Routes.sync, query: query))
        }
        return all
    }

    /// The unread total, as a badge shows it.
    func badge() async throws -> Int {
        try await syncAll().conversations.reduce(0) { $0 + $1.unreadCount }
    }
}

extension SyncPage {
    mutating func append(_ next: SyncPage) {
        cursor = next.cursor
        hasMore = next.hasMore
        me = next.me ?? me
        users += next.users
        friends += next.friends
        removedFriends += next.removedFriends
        friendRequests += next.friendRequests
        blocks += next.blocks
        removedBlocks += next.removedBlocks
        conversations += next.conversations
        hiddenMessages += next.hiddenMessages
    }
}

extension ClientMessageID {
    static func new() -> ClientMessageID { ClientMessageID(UUID()) }
}

extension Conversation {
    /// The member that is not this device's person.
    func other(than device: TestDevice) -> Member? { members.first { $0.user.id != device.user } }
    func own(_ device: TestDevice) -> Member? { members.first { $0.user.id == device.user } }
}

extension ServerEvent {
    var message: Message? {
        switch self {
        case .messageNew(let message), .messageUpdated(let message): message
        default: nil
        }
    }

    var ack: MessageAck? { if case .messageAck(let ack) = self { ack } else { nil } }
    var receipt: Receipt? { if case .receiptUpdated(let receipt) = self { receipt } else { nil } }
    var presence: Presence? { if case .presenceUpdated(let presence) = self { presence } else { nil } }
    var typing: Typing? { if case .typing(let typing) = self { typing } else { nil } }
    var conversation: Conversation? {
        if case .conversationUpdated(let conversation) = self { conversation } else { nil }
    }
    var error: FrameError? { if case .error(let error) = self { error } else { nil } }
    var syncComplete: SyncComplete? { if case .syncComplete(let done) = self { done } else { nil } }
}

extension TestConnection {
    /// Sends a text by socket and answers with its ack or error.
    func say(
        _ body: String, in chat: ID<Conversation>, as id: ClientMessageID = .new()
    ) async throws -> ServerFrame {
        let message = SendMessage(clientMessageID: id, conversationID: chat, body: body)
        let answers = try await exchange(.messageSend(message), id: "send").filter { $0.id == "send" }
        guard let answer = answers.first, answers.count == 1 else { throw NoSingleAnswer(answers: answers) }
        return answer
    }

    /// What comes until `sync.complete`.
    func sync(_ held: [ID<Conversation>: SyncRequest.Held]) async throws -> [ServerEvent] {
        _ = take()
        try send(.syncRequest(SyncRequest(conversations: held)), id: "sync")
        _ = await next { $0.syncComplete }
        return take()
    }
}

struct NoSingleAnswer: Error {
    let answers: [ServerFrame]
}
