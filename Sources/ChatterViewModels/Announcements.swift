import ChatterClient
import ChatterModel

/// Tells the system of messages that came while nobody looked at their chat, and takes that back once they were read,
/// here or on another device.
final class Announcements {
    /// What the person looks at.
    struct Attention {
        var isActive: Bool
        var open: ID<Conversation>?
    }

    /// While what was missed is being fetched, nothing is announced: much of it may have been read elsewhere, and a chat
    /// is worth one notification. For so long: a part that cannot be fetched must not keep the rest silent.
    static let longestHold = Duration.seconds(5)

    private let client: ChatterClient
    private let clock: any ChatterClock
    private let notifier: any Notifier
    private let chats: ChatsViewModel
    private let attention: () -> Attention

    private var isOnline = false
    /// The newest message of each chat that is still to be announced.
    private var waiting: [ID<Conversation>: MessageItem] = [:]
    private var hold: QuietPeriod?
    private var isLooking = false
    /// What the notification of each chat says: the newest message then, which may have arrived before its own turn.
    private var announced: [ID<Conversation>: MessageItem] = [:]
    private var shown: Set<ID<Conversation>> = []
    /// The newest message of each chat when all that was missed had been fetched.
    private var missed: [ID<Conversation>: MessageItem] = [:]

    init(
        client: ChatterClient, clock: any ChatterClock, notifier: any Notifier, chats: ChatsViewModel,
        attention: @escaping () -> Attention
    ) {
        self.client = client
        self.clock = clock
        self.notifier = notifier
        self.chats = chats
        self.attention = attention
    }

    /// Until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followArrivals() }
            group.addTask { await self.followReading() }
        }
        hold?.cancel()
    }

    func connectionChanged(isOnline: Bool) async {
        guard isOnline, !self.isOnline else { return self.isOnline = isOnline }
        missed = await look().compactMapValues(\.preview)
        self.isOnline = true
        await announce()
    }

    /// The person looks at the chat, or knows of it.
    func withdraw(_ id: ID<Conversation>) {
        shown.remove(id)
        notifier.withdraw(id)
    }

    private func followArrivals() async {
        for await item in client.messages.arrivals() where !item.isMine && !item.isDeleted {
            guard !Self.isWithin(item, announced) else { continue }
            waiting[item.conversationID] = item
            if isOnline {
                await announce()
            } else if hold == nil {
                let hold = QuietPeriod(Self.longestHold, clock: clock)
                hold.after { [weak self] in await self?.announce() }
                self.hold = hold
            }
        }
    }

    /// A server that was set back may give numbers again: those are of later times.
    private static func isWithin(_ item: MessageItem, _ newest: [ID<Conversation>: MessageItem]) -> Bool {
        guard let last = newest[item.conversationID] else { return false }
        return item.seq ?? 0 <= last.seq ?? 0 && item.createdAt <= last.createdAt
    }

    private func announce() async {
        hold?.cancel()
        hold = nil
        guard !isLooking else { return }
        isLooking = true
        defer { isLooking = false }
        while !waiting.isEmpty {
            let items = waiting
            waiting = [:]
            // Muted, read, and how many: as of now, and not as of when the lists were last drawn.
            let chats = await look()
            for (id, item) in items {
                guard let chat = chats[id], !Self.isWithin(item, announced) else { continue }
                announce(item, in: chat)
            }
        }
    }

    private func announce(_ item: MessageItem, in chat: ChatItem) {
        let newest = chat.preview.flatMap { $0.isMine || $0.seq == nil ? nil : $0 } ?? item
        announced[chat.id] = newest
        let attention = attention()
        // What came while the device was away stands in the list: who looks at the app sees it there.
        let isMissed = !isOnline || Self.isWithin(newest, missed)
        let isSeen = attention.isActive && (isMissed || attention.open == chat.id)
        guard !isSeen, !chat.isMuted, chat.unreadCount > 0 else { return }
        let name = chats.row(chat.id)?.title ?? chat.peer.map { PersonLabel.name(of: $0) } ?? chat.title
        let count = chat.unreadCount
        shown.insert(chat.id)
        notifier.post(
            Notification(
                conversation: chat.id,
                title: count == 1 ? name : "\(isolated(name)) (\(count) new messages)",
                body: String(RowBuilder.text(of: newest).prefix(300))))
    }

    private func followReading() async {
        for await chats in client.conversations.chats() {
            guard chats.contains(where: isRead) else { continue }
            // This list may be older than a notification.
            for chat in await look().values where isRead(chat) { withdraw(chat.id) }
        }
    }

    private func isRead(_ chat: ChatItem) -> Bool { chat.unreadCount == 0 && shown.contains(chat.id) }

    private func look() async -> [ID<Conversation>: ChatItem] {
        for await chats in client.conversations.chats() {
            return Dictionary(uniqueKeysWithValues: chats.map { ($0.id, $0) })
        }
        return [:]
    }
}
