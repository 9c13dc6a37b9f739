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
    public private(set) var composer = ComposerState.open
    /// Nothing was ever written here.
    public private(set) var isEmpty = false
    public private(set) var hasOlder = false
    public private(set) var isLoadingOlder = false
    /// Messages in the middle that are being fetched.
    public private(set) var missing = 0
    /// Messages that came in below what is in sight.
    public private(set) var newBelow = 0
    /// Something did not work; goes with the next action.
    public private(set) var notice: String?
    /// Follow their message for as long as they are open.
    public private(set) var details: MessageDetails?
    /// The text being written; `typed` changes it.
    public private(set) var draft = ""

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private var drafts: DraftKeeper
    @ObservationIgnored private var content: ConversationContent?
    @ObservationIgnored private var firstUnread: MessageItem.Key?
    @ObservationIgnored private var detailed: MessageItem.Key?
    @ObservationIgnored private var isConnected = false
    @ObservationIgnored private var isAtEnd = true

    init(_ id: ID<Conversation>, client: ChatterClient, clock: any ChatterClock, words: TimeWords) {
        self.id = id
        self.client = client
        self.words = words
        drafts = DraftKeeper(id, client: client, clock: clock)
    }

    // MARK: - On screen

    public func run() async {
        await loadDraft()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followContent() }
            group.addTask { await self.followConnection() }
            group.addTask { await self.followDays() }
        }
        // In a task of its own: this one may be cancelled, and a draft must be stored all the same.
        await Task { await leave() }.value
    }

    private func leave() async {
        await client.messages.setOnScreen(id, false)
        await client.messages.setTyping(id, false)
        await drafts.save(draft)
    }

    private func loadDraft() async {
        let text = await drafts.load()
        if draft.isEmpty { draft = text }
    }

    private func followContent() async {
        for await content in client.messages.conversation(id) {
            let isFirst = self.content == nil
            show(content)
            // After the first look: reading moves the watermark that tells what is new.
            if isFirst { await client.messages.setOnScreen(id, isAtEnd) }
        }
    }

    private func followConnection() async {
        for await state in client.connection {
            isConnected = state == .online
            showHeader()
        }
    }

    private func followDays() async {
        while !Task.isCancelled {
            // First, since a day may have ended before this began.
            showHeader()
            showRows()
            do { try await words.untilLabelsChange() } catch { return }  // Off screen.
        }
    }

    private func show(_ new: ConversationContent) {
        if content == nil {
            firstUnread = new.firstUnread
        }
        countNew(new)
        content = new
        showHeader()
        showRows()
        set(\.composer, ComposerState(new.header.composer))
        set(\.isEmpty, new.items.isEmpty && !new.hasOlder)
        set(\.hasOlder, new.hasOlder)
        set(\.missing, new.holes.reduce(0) { $0 + Int($1.to - $1.from + 1) })
    }

    private func countNew(_ new: ConversationContent) {
        guard let old = content?.items.last(where: { $0.seq != nil })?.seq, !isAtEnd else { return }
        let arrived = new.items.count { !$0.isMine && ($0.seq ?? 0) > old }
        if arrived > 0 { newBelow += arrived }
    }

    private func showHeader() {
        guard let content else { return }
        set(\.header, ConversationHeader(content.header, isOnline: isConnected, words: words))
    }

    private func showRows() {
        guard let content else { return }
        set(\.rows, RowBuilder(words: words, firstUnread: firstUnread).rows(content))
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
        draft = text
        drafts.changed(text)
        await client.messages.setTyping(id, !text.isEmpty)
    }

    public var canSend: Bool { composer == .open && !draft.allSatisfy(\.isWhitespace) }

    public func sendTapped() async {
        guard canSend else { return }
        let text = draft
        (draft, notice) = ("", nil)
        // Whoever answers is done with what was new.
        firstUnread = nil
        do throws(ClientError) {
            try await client.messages.send(text, in: id)
        } catch {
            // What somebody wrote is theirs until it is stored.
            draft = draft.isEmpty ? text : "\(text)\n\(draft)"
            notice = ErrorWords.sentence(error)
        }
        await client.messages.setTyping(id, false)
        await drafts.save(draft)
    }

    public func retryTapped(_ key: MessageItem.Key) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.retry(key.clientMessageID)
        }
    }

    public func discardTapped(_ key: MessageItem.Key) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.discard(key.clientMessageID)
        }
    }

    public func deleteTapped(_ key: MessageItem.Key, forEveryone: Bool) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.delete(key, scope: forEveryone ? .everyone : .me)
        }
    }

    public func remedyTapped() async {
        guard case .closed(_, let remedy?) = composer, let peer = content?.header.peer else { return }
        notice = await attempt { () async throws(ClientError) in
            switch remedy {
            case .unblock: try await client.friends.unblock(peer.id)
            case .askToBeFriends: try await client.friends.sendRequest(to: peer)
            }
        }
    }

    /// The text of a message, for the clipboard.
    public func text(of key: MessageItem.Key) -> String? {
        content?.items.first { $0.id == key && !$0.isDeleted }?.body
    }

    public func detailsTapped(_ key: MessageItem.Key) {
        detailed = key
        showDetails()
    }

    public func detailsClosed() { (detailed, details) = (nil, nil) }

    public func noticeClosed() { notice = nil }

    /// The top of what is loaded came near.
    public func topReached() async {
        guard hasOlder, !isLoadingOlder else { return }
        isLoadingOlder = true
        notice = await attempt { () async throws(ClientError) in try await client.messages.loadOlder(id) }
        isLoadingOlder = false
    }

    /// Whether the newest message is in sight. What comes while it is not counts as new, and not as read.
    public func scrolled(toEnd isAtEnd: Bool) async {
        guard isAtEnd != self.isAtEnd else { return }
        self.isAtEnd = isAtEnd
        if isAtEnd { set(\.newBelow, 0) }
        if content != nil { await client.messages.setOnScreen(id, isAtEnd) }
    }

    /// Where “jump to what is new” leads; nil when nothing was new.
    public var unreadRow: ConversationRow.ID? { rows.contains { $0.id == .unread } ? .unread : nil }
}
