import ChatterModel
import ChatterTestSupport
import Foundation

@testable import ChatterClient

/// A `ServerModel` behind the engine's protocols, with a network that can be told to fail. What it is not told to do
/// it does as the contract says.
actor FakeServer: ServerCalls, LiveConnector {
    /// What becomes of one `message.send`.
    enum SendAnswer: Hashable, Sendable {
        case ack
        /// Stored, but the ack never comes.
        case storeSilently
        /// Stored, then the connection breaks before the ack.
        case storeAndDrop
        /// Neither stored nor answered.
        case lose
        case refuse(FrameError)
    }

    var model: ServerModel
    /// nil: connects. Otherwise every attempt fails so.
    var connectError: ClientError?
    /// Taken one by one; then everything is acked.
    var sendAnswers: [SendAnswer] = []
    /// Taken one by one by the REST calls.
    var callErrors: [ClientError] = []
    /// Echo own sends as `message.new` too, before the ack.
    var echoesFirst = false
    /// Leaves `sync.request` unanswered.
    var ignoresSync = false

    private(set) var links: [FakeLink] = []
    private(set) var connects = 0
    private(set) var refreshes = 0
    var refreshError: ClientError?
    private(set) var frames: [ClientFrame] = []
    private(set) var calls: [String] = []
    private var watchers:
        [(test: (FakeServerState) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ model: ServerModel = ServerModel()) { self.model = model }

    // MARK: - For the test

    func set(_ body: @Sendable (isolated FakeServer) -> Void) { body(self) }

    func mutate<T: Sendable>(_ body: @Sendable (inout ServerModel) -> T) -> T { body(&model) }

    var state: FakeServerState {
        FakeServerState(
            frames: frames, calls: calls, connects: connects, refreshes: refreshes,
            openLinks: links.filter { !$0.isClosed }.count, model: model)
    }

    /// Returns once this holds.
    func until(_ test: @escaping @Sendable (FakeServerState) -> Bool) async {
        if test(state) { return }
        await withCheckedContinuation { watchers.append((test, $0)) }
    }

    private func changed() {
        let state = state
        let met = watchers.filter { $0.test(state) }
        watchers.removeAll { $0.test(state) }
        for watcher in met { watcher.continuation.resume() }
    }

    /// Breaks the newest connection.
    func drop(_ code: CloseCode? = nil) {
        links.last?.finish(code)
        changed()
    }

    func push(_ event: ServerEvent, id: String? = nil) {
        links.last?.push(ServerFrame(event, id: id))
    }

    /// Ben writes, and every connected device hears of it.
    @discardableResult
    func receive(_ body: String? = nil, in id: ID<Conversation> = Samples.chat, isHeard: Bool = true)
        -> Message
    {
        let message = model.receive(body, in: id)
        if isHeard { push(.messageNew(message)) }
        return message
    }

    // MARK: - LiveConnector

    func connect() async throws(ClientError) -> any LiveLink {
        connects += 1
        defer { changed() }
        if let connectError { throw connectError }
        let link = FakeLink { [weak self] in try await self?.handle($0, $1) }
        links.append(link)
        link.push(
            ServerFrame(
                .sessionReady(
                    SessionReady(userID: Samples.anna, deviceID: ID("device"), serverTime: Samples.noon))))
        return link
    }

    func refreshToken() async throws(ClientError) {
        refreshes += 1
        defer { changed() }
        if let refreshError { throw refreshError }
    }

    private func handle(_ frame: ClientFrame, _ link: FakeLink) throws {
        frames.append(frame)
        defer { changed() }
        switch frame.action {
        case .messageSend(let message): send(message, frame.id, link)
        case .syncRequest(let request): if !ignoresSync { stream(request, frame.id, link) }
        case .receiptDelivered(let watermark):
            link.push(
                ServerFrame(
                    .receiptUpdated(model.move(watermark, of: Samples.anna, read: false)), id: frame.id))
        case .receiptRead(let watermark):
            link.push(
                ServerFrame(
                    .receiptUpdated(model.move(watermark, of: Samples.anna, read: true)), id: frame.id))
        case .ping: link.push(ServerFrame(.pong))
        case .typingStart, .typingStop, .unknown: break
        }
    }

    private func send(_ message: SendMessage, _ frameID: String?, _ link: FakeLink) {
        switch sendAnswers.isEmpty ? .ack : sendAnswers.removeFirst() {
        case .ack:
            let ack = model.send(message)
            if echoesFirst,
                let echo = model[message.conversationID].messages.first(where: { $0.id == ack.id })
            {
                link.push(ServerFrame(.messageNew(echo)))
            }
            link.push(ServerFrame(.messageAck(ack), id: frameID))
        case .storeSilently: _ = model.send(message)
        case .storeAndDrop:
            _ = model.send(message)
            link.finish(nil)
        case .lose: break
        case .refuse(var error):
            error.clientMessageID = message.clientMessageID
            link.push(ServerFrame(.error(error), id: frameID))
        }
    }

    private func stream(_ request: SyncRequest, _ frameID: String?, _ link: FakeLink) {
        let (messages, complete) = model.stream(request)
        for message in messages { link.push(ServerFrame(.messageNew(message))) }
        link.push(ServerFrame(.syncComplete(complete), id: frameID))
    }

    // MARK: - ServerCalls

    private func called(_ name: String) throws(ClientError) {
        calls.append(name)
        defer { changed() }
        if !callErrors.isEmpty { throw callErrors.removeFirst() }
    }

    func sync(since cursor: String?) async throws(ClientError) -> SyncPage {
        try called("sync")
        return model.syncPage()
    }

    func messages(
        in conversation: ID<Conversation>, _ range: MessageRange, limit: Int
    ) async throws(ClientError) -> MessagePage {
        try called("messages \(range)")
        return model.page(conversation, range, limit: limit)
    }

    func send(_ message: SendMessage) async throws(ClientError) -> MessageAck {
        try called("send \(message.body)")
        return model.send(message)
    }

    func deleteMessage(_ id: ID<Message>, scope: DeletionScope) async throws(ClientError) -> Message {
        try called("delete \(scope)")
        for (chat, content) in model.chats {
            guard let found = content.messages.first(where: { $0.id == id }) else { continue }
            if scope == .everyone { return model.delete(found.seq, in: chat) ?? found }
            var hidden = found
            hidden.hidden = true
            return hidden
        }
        throw ClientError(.refused(code: ErrorCode.notFound.rawValue), "no such message")
    }

    func moveReceipts(
        in conversation: ID<Conversation>, _ receipts: MoveReceipts
    ) async throws(ClientError) -> Receipt {
        try called("receipts")
        let seq = receipts.read ?? receipts.delivered ?? 0
        return model.move(
            Watermark(conversationID: conversation, seq: seq), of: Samples.anna, read: receipts.read != nil)
    }

    func editSettings(
        of conversation: ID<Conversation>, _ edit: EditSettings
    ) async throws(ClientError) -> Conversation {
        try called("settings")
        return model.edit(edit, in: conversation)
    }

    func editProfile(_ edit: EditProfile) async throws(ClientError) -> Me {
        try called("profile")
        var me = Samples.me(version: 50)
        me.apply(edit)
        return me
    }

    func sendFriendRequest(to user: ID<User>) async throws(ClientError) -> FriendRequest {
        try called("request")
        return Samples.request(from: Samples.anna, to: user)
    }

    func acceptFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) -> Friend {
        try called("accept")
        return Samples.friend(version: 60)
    }

    func declineFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) { try called("decline") }
    func cancelFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) { try called("cancel") }
    func removeFriend(_ user: ID<User>) async throws(ClientError) { try called("remove") }

    func block(_ user: ID<User>) async throws(ClientError) -> Block {
        try called("block")
        return Block(user: Samples.user(user), createdAt: Samples.noon, version: 70)
    }

    func unblock(_ user: ID<User>) async throws(ClientError) { try called("unblock") }
}

/// What a test may wait for.
struct FakeServerState: Sendable {
    var frames: [ClientFrame]
    var calls: [String]
    var connects: Int
    var refreshes: Int
    var openLinks: Int
    var model: ServerModel

    /// Every `message.send` that reached the server, repetitions included.
    var sends: [SendMessage] {
        frames.compactMap { if case .messageSend(let message) = $0.action { message } else { nil } }
    }

    var delivered: [Int64] {
        frames.compactMap {
            if case .receiptDelivered(let watermark) = $0.action { watermark.seq } else { nil }
        }
    }

    var read: [Int64] {
        frames.compactMap { if case .receiptRead(let watermark) = $0.action { watermark.seq } else { nil } }
    }

    var syncRequests: [SyncRequest] {
        frames.compactMap { if case .syncRequest(let request) = $0.action { request } else { nil } }
    }

    var typing: [String] {
        frames.compactMap { frame in
            switch frame.action {
            case .typingStart, .typingStop: frame.action.type
            default: nil
            }
        }
    }
}

/// One live connection to a `FakeServer`.
final class FakeLink: LiveLink {
    let inputs: AsyncStream<LiveInput>
    private let continuation: AsyncStream<LiveInput>.Continuation
    private let handler: @Sendable (ClientFrame, FakeLink) async throws -> Void
    private let state = LinkState()

    init(_ handler: @escaping @Sendable (ClientFrame, FakeLink) async throws -> Void) {
        (inputs, continuation) = AsyncStream.makeStream(of: LiveInput.self)
        self.handler = handler
    }

    var isClosed: Bool { state.isClosed }

    func push(_ frame: ServerFrame) {
        if !state.isMute { continuation.yield(.frame(frame)) }
    }

    /// From now on the path swallows everything in both directions, without a word.
    func mute() { state.mute() }

    /// The connection ends.
    func finish(_ code: CloseCode?) {
        guard state.close() else { return }
        continuation.yield(.closed(code: code?.rawValue, reason: code == nil ? "lost" : "closed"))
        continuation.finish()
    }

    func send(_ frame: ClientFrame) async throws(ClientError) {
        guard !isClosed else { throw ClientError(.outage, "the socket is closed") }
        guard !state.isMute else { return }
        do {
            try await handler(frame, self)
        } catch {
            throw ClientError(.outage, "the server is gone")
        }
    }

    func close() { finish(nil) }
}

private final class LinkState: @unchecked Sendable {  // both flags are guarded by `lock`
    private let lock = NSLock()
    private var closed = false
    private var muted = false

    var isClosed: Bool { lock.withLock { closed } }
    var isMute: Bool { lock.withLock { muted } }

    func mute() { lock.withLock { muted = true } }

    /// False when it was closed before.
    func close() -> Bool {
        lock.withLock {
            defer { closed = true }
            return !closed
        }
    }
}
