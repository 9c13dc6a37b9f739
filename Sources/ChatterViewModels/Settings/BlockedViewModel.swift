import ChatterClient
import ChatterModel
import Observation

/// A blocked person.
nonisolated public struct BlockedRow: Identifiable, Hashable, Sendable {
    public var id: ChatterModel.ID<User>
    public var name: String
    public var handle: String
    public var face: Face

    /// What a screen reader says of the way back.
    public var unblockSpoken: String { "Unblock \(name)" }
}

/// The people this account has blocked.
@Observable
public final class BlockedViewModel {
    public enum State: String, Hashable, Sendable {
        case loading, empty, list

        /// What is said where there is nobody to show.
        public var placeholder: Placeholder? {
            self == .empty
                ? Placeholder("Nobody Is Blocked", "You can block somebody on their contact page.") : nil
        }
    }

    public private(set) var state = State.loading
    public private(set) var people: [BlockedRow] = []
    public private(set) var notice: String?

    @ObservationIgnored private let client: ChatterClient

    init(client: ChatterClient) { self.client = client }

    /// Follows the list until the task is cancelled.
    public func run() async {
        for await items in client.friends.blocked() {
            people = items.map {
                BlockedRow(
                    id: $0.id, name: PersonLabel.name(of: $0.user),
                    handle: PersonLabel.handle(of: $0.user) ?? "",
                    face: Face($0.user))
            }
            state = items.isEmpty ? .empty : .list
        }
    }

    public func unblockTapped(_ id: ID<User>) async {
        notice = await attempt { () async throws(ClientError) in try await client.friends.unblock(id) }
    }

    public func noticeClosed() { notice = nil }
}
