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
    /// A friend request of one's own waits for an answer.
    public private(set) var isAsked = false
    public private(set) var notice: String?
    public private(set) var isReported = false
    public private(set) var isReporting = false

    /// Before it, who is no friend and who is not known to be one look the same.
    private var knowsFriends = false

    public enum Action: Hashable, Sendable, CaseIterable { case message, add, remove, block, unblock, report }

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
            isAsked = request?.direction == .outgoing
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
        handle = PersonLabel.handle(of: user) ?? ""
        about = user.about
        face = Face(user)
    }

    /// What stands between the two; nil when nothing does, and while that is not known.
    public var standing: String? {
        guard knowsFriends, !name.isEmpty else { return nil }
        if isDeleted { return "This account no longer exists." }
        if isBlocked { return "You have blocked this person." }
        if isFriend { return nil }
        return isAsked ? "You have asked to be friends." : "You are not friends."
    }

    // MARK: - What the person does

    /// What one can do, in the order of a page; nothing while it is not known who this is.
    public var actions: [Action] { knowsFriends && !name.isEmpty ? Action.allCases.filter(can) : [] }

    private func can(_ action: Action) -> Bool {
        switch action {
        case .message: canMessage
        case .add: canAdd
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

    public var canAdd: Bool { !isDeleted && !isBlocked && !isFriend && !isAsked && user != nil }

    public func addTapped() async {
        guard canAdd, let user else { return }
        notice = await attempt { () async throws(ClientError) in
            try await client.friends.sendRequest(to: user)
        }
    }

    /// Asked before it is done.
    public var blockQuestion: String { "Block \(isolated(name))?" }
    public var unblockQuestion: String { "Unblock \(isolated(name))?" }
    public var removeQuestion: String { "Remove \(isolated(name)) from your friends?" }
    public var reportQuestion: String { "Report \(isolated(name))?" }

    public func blockTapped() async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.block(id) }
    }

    public func unblockTapped() async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.unblock(id) }
    }

    public func removeTapped() async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.remove(id) }
    }

    /// - Parameter message: the one that is reported, or nil for the person.
    public func reportTapped(_ reason: Report.Reason, comment: String, message: ID<Message>? = nil) async {
        guard !isReporting else { return }
        isReporting = true
        defer { isReporting = false }
        notice = await attempt { () async throws(ClientError) in
            try await client.friends.report(
                id, message: message, reason: reason, comment: comment.isEmpty ? nil : comment)
            isReported = true
        }
    }

    public func noticeClosed() { (notice, isReported) = (nil, false) }
}

extension Report.Reason {
    public nonisolated var title: String {
        switch self {
        case .spam: "Spam"
        case .harassment: "Harassment"
        case .hate: "Hate"
        case .violence: "Violence"
        case .nudity: "Nudity"
        case .impersonation: "Pretends to be somebody"
        case .other: "Something else"
        }
    }
}
