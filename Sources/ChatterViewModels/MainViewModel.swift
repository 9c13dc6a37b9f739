import ChatterClient
import ChatterModel
import Observation

/// The main window of a signed-in account: the lists, and the chat that is open.
@Observable
public final class MainViewModel {
    public enum Section: Hashable, Sendable, CaseIterable { case chats, friends, settings }

    public private(set) var section = Section.chats
    public private(set) var conversation: ConversationViewModel?
    /// What is wrong with the connection; nil when nothing is.
    public private(set) var banner: String?
    public private(set) var notice: String?
    /// What is to be told of this device's storage; nil when that is nothing.
    public private(set) var storageNotice: String?
    /// Whether it goes by being closed; else it goes by itself.
    public private(set) var canCloseStorageNotice = false
    /// Beside an open chat there is no room for the lists: the chat covers them.
    public private(set) var isFolded = false
    private(set) var isOnline = false

    /// Messages that nobody has seen, but for muted and archived chats: for the app's badge.
    public var unread: Int { chats.unread }

    public let chats: ChatsViewModel
    public let friends: FriendsViewModel
    public let requests: RequestsViewModel
    public let profile: ProfileViewModel
    public let account: AccountViewModel

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let clock: any ChatterClock
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private let notifier: any Notifier
    @ObservationIgnored private let open = OpenChats()
    @ObservationIgnored private let midnight: Midnight
    @ObservationIgnored private var isActive = true
    @ObservationIgnored private var wish: Wish?
    @ObservationIgnored private var announcements: Announcements?
    @ObservationIgnored private weak var contactPage: ContactViewModel?
    @ObservationIgnored private weak var devicesPage: DevicesViewModel?

    /// What the person asked for last that is not here yet; whatever they do next takes its place.
    private enum Wish: Equatable {
        /// A notification's.
        case chat(ID<Conversation>)
        case friend(ID<User>)
    }

    init(client: ChatterClient, clock: any ChatterClock, words: TimeWords, notifier: any Notifier) {
        self.client = client
        self.clock = clock
        self.words = words
        self.notifier = notifier
        midnight = Midnight(words)
        chats = ChatsViewModel(client: client, words: words)
        friends = FriendsViewModel(client: client, words: words)
        requests = RequestsViewModel(client: client, words: words)
        profile = ProfileViewModel(client: client, clock: clock)
        account = AccountViewModel(client: client)
        announcements = Announcements(client: client, clock: clock, notifier: notifier, chats: chats) {
            [weak self] in
            Announcements.Attention(isActive: self?.isActive ?? false, open: self?.conversation?.id)
        }
    }

    /// Follows everything until the task is cancelled: for as long as the account is signed in.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.chats.run() }
            group.addTask { await self.friends.run() }
            group.addTask { await self.requests.run() }
            group.addTask { await self.profile.run() }
            group.addTask { await self.account.run() }
            group.addTask { await self.followConnection() }
            group.addTask { await self.followStorage() }
            group.addTask { await self.announcements?.run() }
            group.addTask { await self.followRequests() }
            group.addTask { await self.followDays() }
        }
        notifier.withdrawAll()
    }

    private func followConnection() async {
        for await state in client.connection {
            let text = ConnectionWords.banner(state)
            if banner != text { banner = text }
            isOnline = state == .online
            await announcements?.connectionChanged(isOnline: isOnline)
            if isOnline { await openWanted() }
        }
    }

    private func followStorage() async {
        for await state in client.storage {
            canCloseStorageNotice = StorageWords.canClose(state)
            storageNotice = StorageWords.notice(state)
        }
    }

    private func followRequests() async {
        var known: Set<ID<User>>?
        for await items in client.friends.requests() {
            let incoming = items.filter { $0.direction == .incoming }
            let present = Set(incoming.map(\.id))
            for user in known?.subtracting(present) ?? [] { notifier.withdrawRequest(of: user) }
            // They stand above the friends, always.
            let isSeen = isActive && section == .friends
            for item in incoming where !isSeen && known?.contains(item.id) == false {
                let name = PersonLabel.name(of: item.user)
                notifier.post(
                    RequestNotification(
                        user: item.id, title: "Friend request",
                        body: "\(isolated(name)) wants to be your friend."))
            }
            known = present
        }
    }

    private func followDays() async {
        while !Task.isCancelled {
            await midnight.wait()
            showTimes()
        }
    }

    /// The clock was set or its zone changed: all that is shown is right again at once.
    public func clockChanged() {
        midnight.clockChanged()
        chats.clockChanged()
        conversation?.clockChanged()
        showTimes()
    }

    /// Of the pages that follow no days by themselves.
    private func showTimes() {
        friends.clockChanged()
        requests.clockChanged()
        contactPage?.clockChanged()
        devicesPage?.clockChanged()
    }

    // MARK: - What the person does

    public func becameActive(_ isActive: Bool) {
        self.isActive = isActive
        conversation?.becameActive(isActive)
        if isActive, let conversation { announcements?.withdraw(conversation.id) }
    }

    /// The window became too narrow for the lists beside a chat, or wide enough again.
    public func folded(_ isFolded: Bool) { self.isFolded = isFolded }

    /// Wants to see one of the lists; where a chat covers them, that means to leave it.
    public func sectionTapped(_ section: Section) {
        (wish, self.section) = (nil, section)
        if isFolded { conversationClosed() }
    }

    /// A switcher turned to one of the lists, for the person or since `section` says so.
    public func sectionShown(_ section: Section) {
        if section != self.section { sectionTapped(section) }
    }

    /// Opens a chat that is known here. One that is open already stays as it is, with what is being written.
    public func chatTapped(_ id: ID<Conversation>) {
        wish = nil
        section = .chats
        announcements?.withdraw(id)
        guard conversation?.id != id else { return }
        conversation = ConversationViewModel(
            id, client: client, clock: clock, words: words, open: open, midnight: midnight,
            isActive: isActive)
    }

    /// Opens a notification's chat. One that is not here yet opens once it was fetched, unless another is opened first.
    public func notificationTapped(_ id: ID<Conversation>) async {
        (wish, notice, section) = (.chat(id), nil, .chats)
        await openWanted()
    }

    public func requestNotificationTapped() { sectionTapped(.friends) }

    private func openWanted() async {
        guard case .chat(let id) = wish else { return }
        var isHere = false
        for await chats in client.conversations.chats() {
            isHere = chats.contains { $0.id == id }
            break
        }
        guard wish == .chat(id) else { return }
        if isHere {
            notice = nil
            chatTapped(id)
        } else if isOnline {
            (wish, notice) = (nil, "That chat is no longer here.")
        } else {
            notice = "That chat is not on this device yet. It opens once it was fetched."
        }
    }

    /// Opens the chat with a friend, which may have to be made first.
    public func friendTapped(_ id: ID<User>) async {
        (wish, notice) = (.friend(id), nil)
        do throws(ClientError) {
            let chat = try await client.conversations.openDirect(with: id)
            if wish == .friend(id) { chatTapped(chat) }
        } catch  where wish == .friend(id) {
            (wish, notice) = (nil, ErrorWords.sentence(error))
        } catch {
            // Something else is wanted by now.
        }
    }

    /// Opens the chat that many places further down the list; stays at its ends.
    public func chatStepped(by steps: Int) {
        let rows = chats.chats
        guard let last = rows.indices.last else { return }
        guard let open = rows.firstIndex(where: { $0.id == conversation?.id }) else {
            return chatTapped(rows[steps > 0 ? 0 : last].id)
        }
        chatTapped(rows[min(max(open + steps, 0), last)].id)
    }

    public func conversationClosed() { conversation = nil }

    /// At once, of every chat: the app is about to quit.
    func storeDrafts() async { await open.storeDrafts() }

    public func noticeClosed() { notice = nil }

    public func storageNoticeClosed() {
        if canCloseStorageNotice { storageNotice = nil }
    }

    // MARK: - Pages that come and go

    public func addFriend() -> AddFriendViewModel { AddFriendViewModel(client: client, clock: clock) }

    public func contact(_ id: ID<User>) -> ContactViewModel {
        let page = ContactViewModel(
            id, client: client, words: words,
            openChat: { [weak self] in await self?.friendTapped(id) })
        contactPage = page
        return page
    }

    public func blocked() -> BlockedViewModel { BlockedViewModel(client: client) }

    public func devices() -> DevicesViewModel {
        let page = DevicesViewModel(client: client, words: words)
        devicesPage = page
        return page
    }

    public func status() -> StatusViewModel { StatusViewModel(client: client) }
}
