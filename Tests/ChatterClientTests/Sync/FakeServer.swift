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
    var epoch = ID<Epoch>("first")
    /// Leaves `sync.request` unanswered.
    var ignoresSync = false
    /// How many connections break at their `sync.request`, and with which code.
    var syncDrops = 0
    var syncDropCode: CloseCode?
    /// Seqs whose frames in the answer to a `sync.request` arrive as garbage.
    var garbledSeqs: Set<Int64> = []
    /// Taken one by one by the receipts of the socket; nil: moved as asked.
    var deliveredErrors: [FrameError?] = []
    var readErrors: [FrameError?] = []
    /// Taken one by one by the calls for pages of messages, after `callErrors`.
    var pageErrors: [ClientError] = []
    /// Waits before a `message.send` is worked on; each by itself, so that a later one may be faster.
    var sendDelay: (@Sendable () async -> Void)?
    /// By chat: the sends that wait in `sendDelay`, and the most different ones that ever did at once.
    private var delayed: [ID<Conversation>: [ClientMessageID]] = [:]
    private(set) var mostAtOnce = 0

    private(set) var links: [FakeLink] = []
    private(set) var connects = 0
    private(set) var refreshes = 0
    var refreshError: ClientError?
    /// By the monotonic clock; of links opened and tokens refreshed from now on.
    var tokenEndsAt = Duration.seconds(1_000_000_000)
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
        let link = FakeLink(tokenEndsAt: tokenEndsAt) { [weak self] in try await self?.handle($0, $1) }
        links.append(link)
        link.push(
            ServerFrame(
                .sessionReady(
                    SessionReady(
                        userID: Samples.anna, deviceID: ID("device"), serverTime: Samples.noon,
                        epoch: epoch))))
        return link
    }

    func refreshToken() async throws(ClientError) -> Duration {
        refreshes += 1
        defer { changed() }
        if let refreshError { throw refreshError }
        return tokenEndsAt
    }

    private func handle(_ frame: ClientFrame, _ link: FakeLink) throws {
        frames.append(frame)
        defer { changed() }
        switch frame.action {
        case .messageSend(let message): take(message, frame.id, link)
        case .syncRequest(let request): if !ignoresSync { stream(request, frame.id, link) }
        case .receiptDelivered(let watermark):
            let error = deliveredErrors.isEmpty ? nil : deliveredErrors.removeFirst()
            move(watermark, read: false, error, frame.id, link)
        case .receiptRead(let watermark):
            let error = readErrors.isEmpty ? nil : readErrors.removeFirst()
            move(watermark, read: true, error, frame.id, link)
        case .ping: link.push(ServerFrame(.pong))
        case .typingStart, .typingStop, .unknown: break
        }
    }

    private func move(
        _ watermark: Watermark, read: Bool, _ error: FrameError?, _ frameID: String?, _ link: FakeLink
    ) {
        if let error { return link.push(ServerFrame(.error(error), id: frameID)) }
        let receipt = model.move(watermark, of: Samples.anna, read: read)
        link.push(ServerFrame(.receiptUpdated(receipt), id: frameID))
    }

    private func take(_ message: SendMessage, _ frameID: String?, _ link: FakeLink) {
        guard let sendDelay else { return send(message, frameID, link) }
        let chat = message.conversationID
        delayed[chat, default: []].append(message.clientMessageID)
        mostAtOnce = max(mostAtOnce, Set(delayed[chat] ?? []).count)
        Task {
            await sendDelay()
            if let index = delayed[chat]?.firstIndex(of: message.clientMessageID) {
                delayed[chat]?.remove(at: index)
            }
            send(message, frameID, link)
            changed()
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
        if syncDrops > 0 {
            syncDrops -= 1
            return link.finish(syncDropCode)
        }
        let (messages, complete) = model.stream(request)
        for message in messages {
            if garbledSeqs.contains(message.seq) {
                link.garble()
            } else {
                link.push(ServerFrame(.messageNew(message)))
            }
        }
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
        return model.syncPage(since: cursor)
    }

    func messages(
        in conversation: ID<Conversation>, _ range: MessageRange, limit: Int
    ) async throws(ClientError) -> MessagePage {
        try called("messages \(range)")
        if !pageErrors.isEmpty { throw pageErrors.removeFirst() }
        return model.page(conversation, range, limit: limit)
    }

    func send(_ message: SendMessage) async throws(ClientError) -> MessageAck {
        try called("send \(message.body)")
        return model.send(message)
    }

    func openDirect(with user: ID<User>) async throws(ClientError) -> Conversation {
        try called("open")
        throw ClientError(.refused(code: ErrorCode.notFriends.rawValue), "not friends")
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
