import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite

/// Two people, of whom one acts and the other looks; a block stands between them or not.
struct BlockScene {
    enum Blocker: Sendable {
        case nobody, actor, observer
    }

    let server: TestServer
    let actor: TestDevice
    let observer: TestDevice
    let actorLive: TestConnection
    let observerLive: TestConnection
    private let channel: BlockChannel
    private let directory: ChatterTestSupport.TemporaryDirectory
    private let chat: ID<Conversation>?
    /// By the actor, before the block.
    private let earlier: MessageAck?

    init(_ channel: BlockChannel, blocker: Blocker) async throws {
        self.channel = channel
        directory = try ChatterTestSupport.TemporaryDirectory()
        let path = directory.file("chatter.db").path
        server = try await TestServer { $0.databasePath = path }
        actor = try await server.signUp("acting")
        observer = try await server.signUp("looking")
        let areStrangers = channel == .friendRequest || channel == .lookUp
        if !areStrangers { try await actor.befriend(observer) }
        if areStrangers || channel == .newConversation {
            (chat, earlier) = (nil, nil)
        } else {
            let chat = try await actor.openChat(with: observer)
            self.chat = chat
            earlier = try await actor.send("from the actor", in: chat)
            for text in ["one", "two"] { _ = try await observer.send(text, in: chat) }
        }
        actorLive = try actor.connect()
        observerLive = try observer.connect()
        await server.settle()
        switch blocker {
        case .nobody: break
        case .actor: _ = try await actor.block(observer)
        case .observer: _ = try await observer.block(actor)
        }
        if channel == .online {
            actorLive.disconnect()
            server.clock.advance(by: .seconds(5))
        }
        await server.hush(actorLive, observerLive)
    }

    /// Lets the actor act and says what the observer noticed, on raw frames and in every REST answer.
    func verdict() async throws -> BlockTable.Verdict {
        switch channel {
        case .search:
            let found = try await observer.search("acting") + observer.search(actor.phone)
            return found.isEmpty ? .nothing : .passes
        case .lookUp:
            return try await looked(up: actor) == .notFound ? .nothing : .passes
        default: break
        }
        let cursor = try await observer.syncAll().cursor
        let before = try await snapshot()
        let badge = try await observer.badge()
        do {
            try await act()
        } catch let error as APIError where error.code == .blocked {
            return .refused
        }
        await server.settle()
        let frames = observerLive.take()
        let changes = try await observer.syncAll(since: cursor)
        switch channel {
        case .unreadCount: return try await observer.badge() == badge ? .nothing : .passes
        case .sync: return changes.isEmpty ? .nothing : .passes
        default:
            let after = try await snapshot()
            return frames.isEmpty && changes.isEmpty && after == before ? .nothing : .passes
        }
    }

    // MARK: - Acting

    private func act() async throws {
        switch channel {
        case .message, .unreadCount: _ = try await send()
        case .typing: try type()
        case .online: _ = try actor.connect()
        case .lastSeen: leave()
        case .deliveredReceipt: _ = try await mark(delivered: 3)
        case .readReceipt: _ = try await mark(read: 3)
        case .profile: try await changeProfile()
        case .avatar: try changeAvatar()
        case .friendRequest: _ = try await actor.request(observer)
        case .newConversation: _ = try await actor.openChat(with: observer)
        case .friendRemoved:
            _ = try await actor.call(Routes.removeFriend, ["userId": observer.user.rawValue])
        case .deletedForEveryone: _ = try await actor.delete(require(earlier).id, .everyone)
        case .accountDeleted: _ = try await actor.call(Routes.deleteAccount)
        case .sync: try await doEverything()
        case .search, .lookUp: break
        }
    }

    private func send() async throws -> MessageAck { try await actor.send("hello?", in: require(chat)) }

    private func type() throws { try actorLive.send(.typingStart(TypingIn(conversationID: require(chat)))) }

    private func leave() {
        server.clock.advance(by: .seconds(60))
        actorLive.disconnect()
        server.clock.advance(by: .seconds(5))
    }

    private func mark(delivered: Int64? = nil, read: Int64? = nil) async throws -> Receipt {
        try await actor.mark(delivered: delivered, read: read, in: require(chat))
    }

    private func changeProfile() async throws {
        let edit = EditProfile(displayName: "Another", username: "another", about: "elsewhere")
        _ = try await actor.call(Routes.editProfile, body: edit)
    }

    /// No call of this API sets one yet; the column is there, and so are the rules about it.
    private func changeAvatar() throws {
        let database = try Database(path: directory.file("chatter.db").path, mode: .readWrite)
        try database.run(
            "UPDATE users SET avatar_url = 'https://example.org/new.png', position = 1000000 WHERE id = ?",
            actor.user.rawValue)
        database.close()
    }

    private func doEverything() async throws {
        try type()
        _ = try await mark(read: 3)
        _ = try await actor.edit(EditSettings(mutedUntil: .distantFuture), of: require(chat))
        try await changeProfile()
        do {
            _ = try await send()
        } catch let error as APIError where error.code == .blocked {
            // The blocker's own sends are refused; the rest still counts.
        }
        leave()
    }

    private func require<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw MissingPart() }
        return value
    }

    private struct MissingPart: Error {}

    // MARK: - Looking

    private func looked(up person: TestDevice) async throws -> ErrorCode? {
        do {
            _ = try await observer.find(person)
            return nil
        } catch let error as APIError {
            return error.code
        }
    }

    /// Every answer that could tell of the actor, without the counters that confirm an empty hole and without
    /// the time of asking.
    private func snapshot() async throws -> [String] {
        var answers: [any Encodable] = [
            try await observer.syncAll(), try await observer.friends(),
            try await observer.requests(.incoming), try await observer.requests(.outgoing),
            try await observer.search("acting"), try await observer.search("another"),
        ]
        if try await looked(up: actor) == nil { answers.append(try await observer.find(actor)) }
        if let chat {
            answers.append(try await observer.conversation(chat))
            answers.append(try await observer.messages(chat))
        }
        return try answers.map { answer in
            let object = try JSONSerialization.jsonObject(with: Data(try Wire.encode(answer)))
            let data = try JSONSerialization.data(withJSONObject: strip(object), options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
    }

    private func strip(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(strip) }
        guard let object = value as? [String: Any] else { return value }
        let volatile: Set = ["lastSeq", "lastChange", "cursor", "serverTime", "at"]
        return object.filter { !volatile.contains($0.key) }.mapValues(strip)
    }
}

extension SyncPage {
    /// No record of any kind.
    var isEmpty: Bool { self == SyncPage(cursor: cursor, hasMore: hasMore, serverTime: serverTime) }
}
