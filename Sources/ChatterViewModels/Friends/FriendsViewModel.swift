import ChatterClient
import ChatterModel
import Foundation
import Observation

/// A row of the friends list.
nonisolated public struct FriendRow: Identifiable, Hashable, Sendable {
    public var id: ChatterModel.ID<User>
    public var name: String
    public var face: Face
    public var isOnline: Bool
    /// `online`, `last seen …`, else the username.
    public var subtitle: String

    /// - Parameter names: those of the list: two that look the same are told apart.
    init(
        _ friend: FriendItem, isConnected: Bool, words: TimeWords, names: AlikeNames = AlikeNames([])
    ) {
        id = friend.id
        name = names.name(of: friend.user)
        face = Face(friend.user)
        isOnline = isConnected && friend.presence?.online == true
        let presence = friend.presence?.online == true && !isConnected ? nil : words.presence(friend.presence)
        subtitle = presence ?? PersonLabel.handle(of: friend.user) ?? ""
    }

    /// Asked before it is done.
    public var removeQuestion: Question { .remove(name) }

    /// What a screen reader says.
    public var spoken: String { subtitle.isEmpty ? name : "\(name), \(subtitle)" }
    /// The same of the way to their page.
    public var infoSpoken: String { "Contact info of \(name)" }
}

/// All friends.
@Observable
public final class FriendsViewModel {
    public enum State: String, Hashable, Sendable {
        case loading, empty, list

        /// What is said where there is no friend to show.
        public var placeholder: Placeholder? {
            self == .empty
                ? Placeholder("No Friends Yet", "Find people by username or phone number.") : nil
        }
    }

    /// What is said where the search finds none.
    public static let nobody = Placeholder("No Friend by That Name")

    public private(set) var state = State.loading
    /// Those whose name or username begins, or a word of it, with what is looked for.
    public private(set) var friends: [FriendRow] = []
    /// What is looked for among the friends; empty: all are shown.
    public private(set) var query = ""
    /// There are too many to find somebody by looking.
    public private(set) var offersSearch = false
    public private(set) var notice: String?

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    /// nil until they are known.
    @ObservationIgnored private var items: [FriendItem]?
    /// Whether a list without a friend may be one that is still to come.
    @ObservationIgnored private var isFetching = true
    @ObservationIgnored private var isConnected = false

    init(client: ChatterClient, words: TimeWords) {
        self.client = client
        self.words = words
    }

    /// There are friends, and none is found.
    public var findsNobody: Bool { state == .list && friends.isEmpty }

    /// Follows the list until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followFriends() }
            group.addTask { await self.followConnection() }
        }
    }

    private func followFriends() async {
        for await items in client.friends.friends() {
            self.items = items
            show()
        }
    }

    private func followConnection() async {
        for await connection in client.connection {
            isConnected = connection == .online
            if isFetching, !connection.isBeforeFirstFetch { await endFirstFetch() }
            show()
        }
    }

    private func endFirstFetch() async {
        // What was fetched is stored, and may still be on its way here.
        for await items in client.friends.friends() {
            self.items = items
            break
        }
        isFetching = false
    }

    /// The day, the clock or its zone changed.
    func clockChanged() { show() }

    private func show() {
        guard let items else { return }
        let now: State = items.isEmpty ? (isFetching ? .loading : .empty) : .list
        if state != now { state = now }
        let names = AlikeNames(items.map(\.user))
        let rows = items.filter { matches($0.user) }.map {
            FriendRow($0, isConnected: isConnected, words: words, names: names)
        }
        if friends != rows { friends = rows }
        let offers = items.count > 8 || !query.isEmpty
        if offersSearch != offers { offersSearch = offers }
    }

    private func matches(_ user: User) -> Bool {
        let wanted = Self.folded(query.trimmingPrefix("@"))
        guard !wanted.isEmpty else { return true }
        let names = [PersonLabel.name(of: user), user.username ?? ""].map { Self.folded($0) }
        return names.contains { name in
            name.hasPrefix(wanted) || name.contains(" \(wanted)")
        }
    }

    /// Without regard to case and accents.
    private static func folded(_ text: some StringProtocol) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .trimmingCharacters(in: .whitespaces)
    }

    public func typed(_ text: String) {
        guard text != query else { return }
        query = text
        show()
    }

    public func removeTapped(_ id: ID<User>) async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.remove(id) }
    }

    public func noticeClosed() { notice = nil }
}
