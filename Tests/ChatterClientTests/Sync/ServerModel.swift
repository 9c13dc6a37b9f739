import ChatterModel

@testable import ChatterClient

/// A server of Anna's chats, in memory: gives out `seq` and `change` and answers pages and `sync.request` as the
/// contract says.
struct ServerModel {
    struct Chat {
        var messages: [Message] = []
        var lastSeq: Int64 = 0
        var lastChange: Int64 = 0
        var delivered: [ID<User>: Int64] = [:]
        var read: [ID<User>: Int64] = [:]
        var settings = ConversationSettings()
        var version: Int64 = 1
    }

    private(set) var chats: [ID<Conversation>: Chat] = [:]
    private var acks: [ClientMessageID: MessageAck] = [:]
    private var position: Int64 = 1
    /// How many messages one `sync.request` streams for each conversation.
    var streamLimit = Limits.syncMessages

    init(chats ids: [ID<Conversation>] = [Samples.chat]) {
        for id in ids { chats[id] = Chat() }
    }

    subscript(id: ID<Conversation>) -> Chat { chats[id] ?? Chat() }

    // MARK: - Mutations

    /// The same for every repetition of one send.
    mutating func send(_ draft: SendMessage, from sender: ID<User> = Samples.anna) -> MessageAck {
        if let known = acks[draft.clientMessageID] { return known }
        let message = append(draft, from: sender)
        let ack = MessageAck(
            clientMessageID: message.clientMessageID, id: message.id, conversationID: message.conversationID,
            seq: message.seq, change: message.change, createdAt: message.createdAt)
        acks[draft.clientMessageID] = ack
        return ack
    }

    @discardableResult
    mutating func receive(_ body: String? = nil, in id: ID<Conversation> = Samples.chat) -> Message {
        let seq = self[id].lastSeq + 1
        return append(
            SendMessage(
                clientMessageID: Samples.key(1_000_000 + seq), conversationID: id,
                body: body ?? "text \(seq)"), from: Samples.ben)
    }

    private mutating func append(_ draft: SendMessage, from sender: ID<User>) -> Message {
        var chat = self[draft.conversationID]
        chat.lastSeq += 1
        chat.lastChange += 1
        position += 1
        chat.version = position
        let message = Message(
            id: Samples.messageID(chat.lastSeq, in: draft.conversationID),
            clientMessageID: draft.clientMessageID, conversationID: draft.conversationID, senderID: sender,
            seq: chat.lastSeq, change: chat.lastChange, type: draft.type, body: draft.body,
            createdAt: Samples.noon.advanced(by: .seconds(chat.lastSeq)), replyToID: draft.replyToID)
        chat.messages.append(message)
        chats[draft.conversationID] = chat
        return message
    }

    /// A message of somebody whom Anna has blocked: it takes its numbers and is never hers to see.
    mutating func skip(in id: ID<Conversation> = Samples.chat) {
        chats[id]?.lastSeq += 1
        chats[id]?.lastChange += 1
    }

    /// Deletes for everyone; nil when there is no such message.
    @discardableResult
    mutating func delete(_ seq: Int64, in id: ID<Conversation> = Samples.chat) -> Message? {
        change(seq, in: id) { message in
            message.body = ""
            message.deletedAt = Samples.noon.advanced(by: .seconds(10_000))
        }
    }

    @discardableResult
    mutating func edit(_ seq: Int64, _ body: String, in id: ID<Conversation> = Samples.chat) -> Message? {
        change(seq, in: id) { message in
            message.body = body
            message.editedAt = Samples.noon.advanced(by: .seconds(10_000))
        }
    }

    private mutating func change(
        _ seq: Int64, in id: ID<Conversation>, _ body: (inout Message) -> Void
    ) -> Message? {
        guard var chat = chats[id], let index = chat.messages.firstIndex(where: { $0.seq == seq }) else {
            return nil
        }
        chat.lastChange += 1
        position += 1
        chat.version = position
        body(&chat.messages[index])
        chat.messages[index].change = chat.lastChange
        chats[id] = chat
        return chat.messages[index]
    }

    mutating func move(_ watermark: Watermark, of user: ID<User>, read: Bool) -> Receipt {
        var chat = self[watermark.conversationID]
        let seq = min(watermark.seq, chat.lastSeq)
        chat.delivered[user] = max(chat.delivered[user] ?? 0, seq)
        if read { chat.read[user] = max(chat.read[user] ?? 0, seq) }
        position += 1
        chat.version = position
        chats[watermark.conversationID] = chat
        return Receipt(
            conversationID: watermark.conversationID, userID: user,
            lastDeliveredSeq: chat.delivered[user] ?? 0, lastReadSeq: chat.read[user] ?? 0)
    }

    mutating func edit(_ edit: EditSettings, in id: ID<Conversation>) -> Conversation {
        position += 1
        chats[id]?.settings.apply(edit)
        chats[id]?.version = position
        return record(id)
    }

    // MARK: - Answers

    func page(_ id: ID<Conversation>, _ range: MessageRange, limit: Int) -> MessagePage {
        let chat = self[id]
        let matching: [Message] =
            switch range {
            case .newest: chat.messages
            case .before(let seq): chat.messages.filter { $0.seq < seq }
            case .afterChange(let change):
                chat.messages.filter { $0.change > change }.sorted { $0.change < $1.change }
            }
        let isForward = if case .afterChange = range { true } else { false }
        let page = isForward ? Array(matching.prefix(limit)) : Array(matching.suffix(limit))
        return MessagePage(
            messages: page.sorted { $0.seq < $1.seq }, hasMore: matching.count > limit, lastSeq: chat.lastSeq,
            lastChange: chat.lastChange)
    }

    /// What answers a `sync.request`: the messages, oldest change first, then the end.
    func stream(_ request: SyncRequest) -> (messages: [Message], complete: SyncComplete) {
        var messages: [Message] = []
        var states: [ID<Conversation>: SyncComplete.State] = [:]
        for (id, held) in request.conversations {
            guard let chat = chats[id] else { continue }
            let missing = chat.messages.filter { $0.change > held.change || $0.seq > held.seq }
                .sorted { $0.change < $1.change }
            let sent = missing.prefix(streamLimit)
            let hasMore = missing.count > sent.count
            messages += sent
            states[id] = SyncComplete.State(
                change: hasMore ? sent.last?.change ?? held.change : chat.lastChange, lastSeq: chat.lastSeq,
                lastChange: chat.lastChange, hasMore: hasMore)
        }
        return (messages, SyncComplete(conversations: states))
    }

    func record(_ id: ID<Conversation>) -> Conversation {
        let chat = self[id]
        func member(_ user: ID<User>) -> Member {
            Member(
                user: Samples.user(user), lastDeliveredSeq: chat.delivered[user] ?? 0,
                lastReadSeq: chat.read[user] ?? 0)
        }
        let visible = chat.messages.filter { $0.deletedAt == nil }
        return Conversation(
            id: id, type: .direct, members: [member(Samples.anna), member(Samples.ben)],
            lastSeq: chat.lastSeq, lastChange: chat.lastChange, lastMessage: visible.last,
            unreadCount: visible.count {
                $0.senderID != Samples.anna && $0.seq > chat.read[Samples.anna] ?? 0
            },
            settings: chat.settings, createdAt: Samples.noon,
            lastActivityAt: chat.messages.last?.createdAt ?? Samples.noon, version: chat.version)
    }

    /// The chats that changed since, and everybody, in one page.
    func syncPage(since cursor: String?) -> SyncPage {
        let since = cursor.flatMap { Int64($0) } ?? 0
        let changed = chats.filter { $0.value.version > since }.keys.sorted()
        return SyncPage(
            cursor: "\(position)", hasMore: false, serverTime: Samples.noon, me: Samples.me(),
            friends: [Samples.friend()], conversations: changed.map { record($0) })
    }
}
