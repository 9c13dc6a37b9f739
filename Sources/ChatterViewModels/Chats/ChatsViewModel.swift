import ChatterClient
import ChatterModel
import Foundation
import Observation

/// The chats list.
@Observable
public final class ChatsViewModel {
    public enum State: Hashable, Sendable {
        case loading
        /// Nobody to chat with yet: leads to Add friend.
        case empty
        case list
    }

    /// What stands where the list does.
    public enum Page: String, Hashable, Sendable {
        case loading, empty, chats, allArchived, archived

        /// What is said where there is no chat to show.
        public var placeholder: Placeholder? {
            switch self {
            case .empty: Placeholder("No Chats Yet", "Add a friend, and say hello.")
            case .allArchived: Placeholder("All Chats Are Archived")
            case .loading, .chats, .archived: nil
            }
        }
    }

    public private(set) var state = State.loading
    /// Pinned ones first, then by last activity.
    public private(set) var chats: [ChatRow] = []
    public private(set) var archived: [ChatRow] = []
    public var showsArchived = false
    /// Messages that nobody has seen, but for muted and archived chats: for the app's badge.
    public private(set) var unread = 0
    public private(set) var notice: String?

    public var page: Page {
        switch state {
        case .loading: .loading
        case .empty: .empty
        case .list where showsArchived: .archived
        case .list: chats.isEmpty ? .allArchived : .chats
        }
    }

    /// On the way to the archived chats; nil where it leads nowhere.
    public var archivedTitle: String? {
        archived.isEmpty || showsArchived ? nil : "Archived (\(archived.count))"
    }

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    /// nil until they are known.
    @ObservationIgnored private var items: [ChatItem]?
    @ObservationIgnored private let midnight: Midnight
    /// Whether a list without a chat may be one that is still to come.
    @ObservationIgnored private var isFetching = true

    init(client: ChatterClient, words: TimeWords) {
        self.client = client
        self.words = words
        midnight = Midnight(words)
    }

    /// Follows the list until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followChats() }
            group.addTask { await self.awaitFirstFetch() }
            group.addTask { await self.followDays() }
        }
    }

    private func followChats() async {
        for await items in client.conversations.chats() {
            self.items = items
            show()
        }
    }

    private func awaitFirstFetch() async {
        for await connection in client.connection where !connection.isBeforeFirstFetch {
            // What was fetched is stored, and may still be on its way here.
            for await items in client.conversations.chats() {
                self.items = items
                break
            }
            isFetching = false
            return show()
        }
    }

    private func followDays() async {
        while !Task.isCancelled {
            // First, since a day may have ended before this began.
            show()
            await midnight.wait()
        }
    }

    /// The clock was set or its zone changed.
    func clockChanged() {
        midnight.clockChanged()
        show()
    }

    private func show() {
        guard let items else { return }
        let names = AlikeNames(items.compactMap(\.peer))
        let rows = items.map { ChatRow($0, words: words, names: names) }
        let (kept, put) = (rows.filter { !$0.isArchived }, rows.filter(\.isArchived))
        if chats != kept { chats = kept }
        if archived != put { archived = put }
        let count = kept.reduce(0) { $0 + ($1.isMuted ? 0 : $1.unread) }
        if unread != count { unread = count }
        if put.isEmpty, showsArchived { showsArchived = false }
        let now: State = items.isEmpty ? (isFetching ? .loading : .empty) : .list
        if state != now { state = now }
    }

    /// The chat's row, archived or not.
    public func row(_ id: ID<Conversation>) -> ChatRow? {
        chats.first { $0.id == id } ?? archived.first { $0.id == id }
    }

    // MARK: - What the person does

    public func commandTapped(_ command: ChatCommand, _ id: ID<Conversation>) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.conversations.apply(command, to: id)
        }
    }

    public func noticeClosed() { notice = nil }
}
