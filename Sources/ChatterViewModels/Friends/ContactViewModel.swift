import ChatterClient
import ChatterModel
import Observation

/// Another person's page: who they are; block, report, remove.
@Observable
public final class ContactViewModel {
    public private(set) var name = ""
    public private(set) var handle = ""
    public private(set) var about = ""
    public private(set) var face = Face(name: "")
    public private(set) var presence: String?
    public private(set) var isFriend = false
    public private(set) var isBlocked = false
    /// The account no longer exists.
    public private(set) var isDeleted = false
    public private(set) var notice: String?

    private var request: FriendRequest.Direction?
    /// Before it, who is no friend and who is not known to be one look the same.
    private var knowsFriends = false

    @ObservationIgnored public let id: ID<User>
    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private let openChat: () async -> Void
    @ObservationIgnored private var user: User?
    @ObservationIgnored private var friend: FriendItem?
    @ObservationIgnored private var isConnected = false

    /// - Parameter openChat: shows the chat with this person.
    init(
        _ user: ID<User>, client: ChatterClient, words: TimeWords,
        openChat: @escaping () async -> Void = {}
    ) {
        self.openChat = openChat
        id = user
        self.client = client
        self.words = words
    }

    /// Follows this person until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followFriends() }
            group.addTask { await self.followBlocks() }
            group.addTask { await self.followRequests() }
            group.addTask { await self.followConnection() }
            group.addTask { await self.followChats() }
        }
    }

    private func followFriends() async {
        for await items in client.friends.friends() {
            friend = items.first { $0.id == id }
            isFriend = friend != nil
            knowsFriends = true
            if let friend { show(friend.user) }
            showPresence()
        }
    }

    private func followRequests() async {
        for await items in client.friends.requests() {
            let request = items.first { $0.id == id }
            self.request = request?.direction
            if let request { show(request.user) }
        }
    }

    private func followConnection() async {
        for await state in client.connection {
            isConnected = state == .online
            showPresence()
        }
    }

    /// Without a connection of one's own, somebody's “online” would be a guess.
    private func showPresence() {
        let known = friend?.presence
        presence = known?.online == true && !isConnected ? nil : words.presence(known)
    }

    /// The day, the clock or its zone changed.
    func clockChanged() { showPresence() }

    private func followBlocks() async {
        for await items in client.friends.blocked() {
            let block = items.first { $0.id == id }
            isBlocked = block != nil
            if let block { show(block.user) }
        }
    }

    /// Who is no friend any more, or has gone, is still known from the chat.
    private func followChats() async {
        for await chats in client.conversations.chats() {
            if let peer = chats.lazy.compactMap(\.peer).first(where: { $0.id == id }) { show(peer) }
        }
    }

    private func show(_ user: User) {
        self.user = user
        isDeleted = user.isDeleted
        name = PersonLabel.name(of: user)
        // Who has no name goes by the username already.
        let handle = PersonLabel.handle(of: user) ?? ""
        self.handle = handle == name ? "" : handle
        about = user.about
        face = Face(user)
    }

    /// nil while it is not known.
    public var standing: Standing? {
        guard knowsFriends, !name.isEmpty else { return nil }
        if isDeleted { return .gone }
        if isBlocked { return .blocked }
        return isFriend ? .friends : Standing(request: request)
    }

    // MARK: - What the person does

    /// What one can do, in the order of a page; nothing while it is not known who this is.
    public var actions: [Action] { standing == nil ? [] : Action.allCases.filter(can) }

    private func can(_ action: Action) -> Bool {
        switch action {
        case .message: canMessage
        case .add: standing == .strangers
        case .accept: standing == .asksYou
        case .cancel: standing == .asked
        case .remove: isFriend
        case .block: !isBlocked && !isDeleted
        case .unblock: isBlocked
        case .report: true
        }
    }

    /// There is a chat to write in, or one can be opened.
    public var canMessage: Bool { !isDeleted && !isBlocked && isFriend }

    public func messageTapped() async {
        if canMessage { await openChat() }
    }

    public func addTapped() async { await apply(.add) }
    public func acceptTapped() async { await apply(.accept) }
    public func cancelTapped() async { await apply(.cancel) }
    public func unblockTapped() async { await apply(.unblock) }

    /// Only what fits how the two stand: a button may be tapped once more before it goes.
    private func apply(_ remedy: Remedy) async {
        guard let user, isBlocked ? remedy == .unblock : standing?.remedy == remedy else { return }
        notice = await attempt { () async throws(ClientError) in
            try await client.friends.apply(remedy, to: user)
        }
    }

    /// Asked before it is done.
    public var blockQuestion: Question { .block(name) }
    public var removeQuestion: Question { .remove(name) }

    public func blockTapped() async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.block(id) }
    }

    public func removeTapped() async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.remove(id) }
    }

    public func report() -> ReportViewModel {
        ReportViewModel(.report(isolated(name))) { reason, comment in
            let problem = await attempt { () async throws(ClientError) in
                try await self.client.friends.report(self.id, reason: reason, comment: comment)
            }
            self.notice = problem ?? ReportViewModel.thanks
        }
    }

    public func noticeClosed() { notice = nil }
}
