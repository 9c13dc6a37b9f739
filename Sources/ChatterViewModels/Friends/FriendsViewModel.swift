import ChatterClient
import ChatterModel
import Observation

/// A row of the friends list.
nonisolated public struct FriendRow: Identifiable, Hashable, Sendable {
    public var id: ChatterModel.ID<User>
    public var name: String
    public var face: Face
    public var isOnline: Bool
    /// `online`, `last seen …`, else the username.
    public var subtitle: String

    init(_ friend: FriendItem, isConnected: Bool, words: TimeWords) {
        id = friend.id
        name = PersonLabel.name(of: friend.user)
        face = Face(friend.user)
        isOnline = isConnected && friend.presence?.online == true
        let presence = friend.presence?.online == true && !isConnected ? nil : words.presence(friend.presence)
        subtitle = presence ?? PersonLabel.handle(of: friend.user) ?? ""
    }
}

/// All friends.
@Observable
public final class FriendsViewModel {
    public enum State: Hashable, Sendable { case loading, empty, list }

    public private(set) var state = State.loading
    public private(set) var friends: [FriendRow] = []
    public private(set) var notice: String?

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private var items: [FriendItem] = []
    @ObservationIgnored private var isConnected = false

    init(client: ChatterClient, words: TimeWords) {
        self.client = client
        self.words = words
    }

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
            state = items.isEmpty ? .empty : .list
            show()
        }
    }

    private func followConnection() async {
        for await connection in client.connection {
            isConnected = connection == .online
            show()
        }
    }

    private func show() {
        let rows = items.map { FriendRow($0, isConnected: isConnected, words: words) }
        if friends != rows { friends = rows }
    }

    public func removeTapped(_ id: ID<User>) async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.remove(id) }
    }

    public func noticeClosed() { notice = nil }
}
