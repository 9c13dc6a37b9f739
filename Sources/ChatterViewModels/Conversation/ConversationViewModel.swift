import ChatterClient
import ChatterModel
import Foundation
import Observation

/// One open conversation.
///
/// `run()` follows it until its task is cancelled: that is how long it is on screen.
@Observable
public final class ConversationViewModel {
    public let id: ID<Conversation>

    /// nil until the first look into the local database.
    public private(set) var header: ConversationHeader?
    /// Apart from the header: a typing event redraws no rows.
    public private(set) var rows: [ConversationRow] = []
    public internal(set) var composer = ComposerState.open
    /// Nothing was ever written here.
    public private(set) var isEmpty = false
    public private(set) var hasOlder = false
    /// Messages in the middle that are being fetched.
    public private(set) var missing = 0
    /// Messages that came in below what is in sight.
    public private(set) var newBelow = 0
    /// The newest message is in sight.
    public private(set) var isAtEnd = true
    /// Messages that were new when the chat was opened, until they were seen or answered: for “jump to what is new”.
    public private(set) var unreadCount = 0
    /// The first of them is being looked for in older pages.
    public private(set) var isSeekingUnread = false
    /// Grows whenever `unreadRow` is to be brought into sight.
    public private(set) var unreadJumps = 0
    /// Grows whenever the newest message is to be brought into sight: whoever writes wants to see it.
    public private(set) var endJumps = 0
    /// The way to `unreadRow` leads down: one has scrolled past it, or came back while further up.
    public private(set) var isUnreadBelow = false
    /// What came of something, mostly that it did not work; goes with the next action.
    public internal(set) var notice: String?
    /// Follow their message for as long as they are open.
    public private(set) var details: MessageDetails?
    /// The text being written; `typed` changes it.
    public var draft: String { writing.text }
    public var isLoadingOlder: Bool { older.isLoading }

    @ObservationIgnored let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private let writing: Draft
    @ObservationIgnored private let older: OlderPages
    @ObservationIgnored private(set) var content: ConversationContent?
    /// Friend requests between this person and others.
    @ObservationIgnored var requests: [ID<User>: FriendRequest.Direction] = [:]
    @ObservationIgnored private let open: OpenChats
    @ObservationIgnored private let midnight: Midnight
    @ObservationIgnored private var new = NewMessages()
    @ObservationIgnored private var expanded: Set<MessageItem.Key> = []
    @ObservationIgnored private var detailed: MessageItem.Key?
    @ObservationIgnored private var isConnected = false

    /// - Parameters:
    ///   - open: shared with the window's other conversations.
    ///   - midnight: the window's, too.
    init(
        _ id: ID<Conversation>, client: ChatterClient, clock: any ChatterClock, words: TimeWords,
        open: OpenChats = OpenChats(), midnight: Midnight? = nil, isActive: Bool = true
    ) {
        self.id = id
        self.client = client
        self.words = words
        self.open = open
        self.midnight = midnight ?? Midnight(words)
        writing = open.draft(in: id, client: client, clock: clock)
        older = OlderPages(id, client: client)
        older.told = { [weak self] problem in self?.notice = problem }
        if !isActive { new.left(nil) }
    }

    // MARK: - On screen

    public func run() async {
        open.show(id, on: self)
        await writing.load()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followContent() }
            group.addTask { await self.followConnection() }
            group.addTask { await self.followRequests() }
            group.addTask { await self.followDays() }
        }
        // In a task of its own: this one may be cancelled, and a draft must be stored all the same.
        await Task { await leave() }.value
    }

    /// The person turned to the window, or away from it.
    func becameActive(_ isActive: Bool) {
        guard isActive else { return new.left(content) }
        guard new.returned(to: content), let content else { return }
        unreadCount = content.unreadCount
        showRows()
    }

    private func leave() async {
        if open.leave(id, from: self) {
            await client.messages.setOnScreen(id, false)
            await client.messages.keep(id, from: nil)
            await client.messages.setTyping(id, false)
        }
        await writing.store()
    }

    private func followContent() async {
        for await content in client.messages.conversation(id) {
            let isFirst = self.content == nil
            show(content)
            // After the first look: reading moves the watermark that tells what is new.
            if isFirst { await client.messages.setOnScreen(id, new.isAtEnd) }
            if !new.isAtEnd { await keepShown() }
            if isSeekingUnread { await seekUnread() }
        }
    }

    private func followConnection() async {
        for await state in client.connection {
            isConnected = state == .online
            showHeader()
            if isConnected, older.isOwed { await topReached() }
        }
    }

    private func followDays() async {
        while !Task.isCancelled {
            // First, since a day may have ended before this began.
            showHeader()
            showRows()
            await midnight.wait()
        }
    }

    /// The clock was set or its zone changed: what is shown is right again at once.
    func clockChanged() {
        midnight.clockChanged()
        showHeader()
        showRows()
    }

    private func show(_ content: ConversationContent) {
        if self.content == nil {
            new.opened(content)
            unreadCount = content.firstUnread == nil ? 0 : content.unreadCount
        }
        self.content = content
        if unreadCount > 0, new.first(in: content) == nil, !new.reachesBeyond(content) {
            (unreadCount, isSeekingUnread) = (0, false)
        }
        set(\.newBelow, new.below(content))
        showHeader()
        showRows()
        showComposer()
        set(\.isEmpty, content.items.isEmpty && !content.hasOlder)
        set(\.hasOlder, content.hasOlder)
        set(\.missing, content.holes.reduce(0) { $0 + Int($1.to - $1.from + 1) })
    }

    private func showHeader() {
        guard let content else { return }
        set(\.header, ConversationHeader(content.header, isOnline: isConnected, words: words))
    }

    private func showRows() {
        guard let content else { return }
        set(
            \.rows,
            RowBuilder(words: words, firstUnread: new.first(in: content), expanded: expanded).rows(content))
        showDetails()
    }

    private func showDetails() {
        let item = detailed.flatMap { key in content?.items.first { $0.id == key } }
        set(\.details, item.map { MessageDetails($0, title: header?.title ?? "", words: words) })
    }

    /// Observers hear of changes only.
    private func set<T: Equatable>(_ path: ReferenceWritableKeyPath<ConversationViewModel, T>, _ value: T) {
        if self[keyPath: path] != value { self[keyPath: path] = value }
    }

    // MARK: - What the person does

    /// On every change of the text.
    public func typed(_ text: String) async {
        guard text != draft else { return }
        writing.typed(text)
        await client.messages.setTyping(id, !text.isEmpty)
    }

    public var canSend: Bool { composer == .open && !draft.allSatisfy(\.isWhitespace) }

    public func sendTapped() async {
        guard canSend else { return }
        notice = nil
        do throws(ClientError) {
            try await writing.send()
            answered()
        } catch {
            notice = ErrorWords.sentence(error)
        }
        await client.messages.setTyping(id, !draft.isEmpty)
    }

    /// Whoever answers is done with what was new.
    private func answered() {
        new.answered()
        (unreadCount, isSeekingUnread) = (0, false)
        endJumps += 1
        showRows()
    }

    public func detailsTapped(_ key: MessageItem.Key) {
        detailed = key
        showDetails()
    }

    public func detailsClosed() { (detailed, details) = (nil, nil) }

    public func noticeClosed() { notice = nil }

    /// The top of what is loaded came near.
    public func topReached() async { _ = await loadOlder() }

    private func loadOlder() async -> Bool {
        guard hasOlder else { return false }
        return await older.next(isConnected: isConnected)
    }

    /// Whether the newest message is in sight. What comes while it is not counts as new, and not as read.
    public func scrolled(toEnd isAtEnd: Bool) async {
        guard isAtEnd != new.isAtEnd else { return }
        new.scrolled(toEnd: isAtEnd, in: content)
        self.isAtEnd = isAtEnd
        if isAtEnd { set(\.newBelow, 0) }
        await keepShown()
        if content != nil { await client.messages.setOnScreen(id, isAtEnd) }
    }

    /// What somebody reads above stays.
    private func keepShown() async {
        await client.messages.keep(id, from: new.isAtEnd ? nil : content?.items.first { $0.seq != nil }?.seq)
    }

    /// “Read more” on a long message.
    public func expandTapped(_ key: MessageItem.Key) {
        expanded.insert(key)
        showRows()
    }

    // MARK: - What is new

    /// “Jump to what is new”: older pages are fetched until `unreadRow` stands above the first of it.
    public func jumpToUnreadTapped() async {
        guard unreadCount > 0 else { return }
        isSeekingUnread = true
        await seekUnread()
    }

    private func seekUnread() async {
        while isSeekingUnread, let content, new.reachesBeyond(content), await loadOlder() {
            // What came goes on from `followContent`; a page with nothing to show is followed by the next.
            guard let now = await lookUp(), now.hasOlder, now.items.first?.id == content.items.first?.id
            else { return }
        }
        unreadFound()
    }

    private func lookUp() async -> ConversationContent? {
        for await content in client.messages.conversation(id) { return content }
        return nil
    }

    /// Or as much of it as can be had now.
    private func unreadFound() {
        guard isSeekingUnread else { return }
        isSeekingUnread = false
        unreadJumps += 1
    }

    /// The line above what is new was in sight. It moves up for as long as older ones that are new come in.
    public func unreadSeen() {
        guard let content, !new.reachesBeyond(content) else { return }
        set(\.unreadCount, 0)
    }

    /// The line above what is new was looked for and is out of sight; `top` is the first row that is in sight.
    public func unreadMissed(inSight top: ConversationRow.ID?) {
        let places = (line: rows.firstIndex { $0.id == .unread }, top: rows.firstIndex { $0.id == top })
        guard let line = places.line, let top = places.top else { return }
        set(\.isUnreadBelow, top < line)
    }

    /// Where “jump to what is new” leads; nil when nothing was new.
    public var unreadRow: ConversationRow.ID? { rows.contains { $0.id == .unread } ? .unread : nil }
}
