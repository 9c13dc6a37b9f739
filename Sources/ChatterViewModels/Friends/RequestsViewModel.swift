import ChatterClient
import ChatterModel
import Observation

/// A pending friend request.
nonisolated public struct RequestRow: Identifiable, Hashable, Sendable {
    public var id: ChatterModel.ID<User>
    public var name: String
    public var handle: String
    public var face: Face
    public var isIncoming: Bool
    /// When it was made; or that it waits for a connection.
    public var when: String

    init(_ request: RequestItem, words: TimeWords) {
        id = request.id
        name = PersonLabel.name(of: request.user)
        handle = PersonLabel.handle(of: request.user) ?? ""
        face = Face(request.user)
        isIncoming = request.direction == .incoming
        when = request.isQueued ? "Waits for a connection" : words.short(request.createdAt)
    }

    /// Below the name: who it is by username, and when.
    public var subtitle: String { handle == name || handle.isEmpty ? when : "\(handle) · \(when)" }

    /// What a screen reader says.
    public var spoken: String {
        let asks = isIncoming ? "asks to be your friend" : "asked by you"
        return [name, handle == name ? "" : handle, asks, when].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    // The same of its buttons.
    public var acceptSpoken: String { "Accept \(name)" }
    public var declineSpoken: String { "Decline \(name)" }
    public var cancelSpoken: String { "Cancel request to \(name)" }
}

/// Friend requests in both directions.
@Observable
public final class RequestsViewModel {
    public private(set) var incoming: [RequestRow] = []
    public private(set) var outgoing: [RequestRow] = []
    public private(set) var isLoading = true
    public private(set) var notice: String?

    /// For the badge.
    public var count: Int { incoming.count }
    public var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }
    /// Both directions; those that wait for an answer from here come first.
    public var all: [RequestRow] { incoming + outgoing }

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private var items: [RequestItem]?

    init(client: ChatterClient, words: TimeWords) {
        self.client = client
        self.words = words
    }

    /// Follows the requests until the task is cancelled.
    public func run() async {
        for await items in client.friends.requests() {
            self.items = items
            show()
        }
    }

    /// The day, the clock or its zone changed.
    func clockChanged() { show() }

    private func show() {
        guard let items else { return }
        let rows = items.map { RequestRow($0, words: words) }
        incoming = rows.filter(\.isIncoming)
        outgoing = rows.filter { !$0.isIncoming }
        isLoading = false
    }

    public func acceptTapped(_ id: ID<User>) async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.accept(from: id) }
    }

    public func declineTapped(_ id: ID<User>) async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.decline(from: id) }
    }

    public func cancelTapped(_ id: ID<User>) async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.cancel(to: id) }
    }

    public func noticeClosed() { notice = nil }
}
