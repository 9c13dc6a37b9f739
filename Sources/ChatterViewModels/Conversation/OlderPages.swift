import ChatterClient
import ChatterModel
import Observation

/// The way back in a conversation, a page at a time. A page that only the server has is owed until it is there.
@Observable
final class OlderPages {
    private(set) var isLoading = false
    @ObservationIgnored private(set) var isOwed = false
    /// Hears what came of a page that was fetched: the reason why not, or nil.
    @ObservationIgnored var told: (String?) -> Void = { _ in }

    @ObservationIgnored private let id: ID<Conversation>
    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private var loading: Task<Bool, Never>?

    init(_ id: ID<Conversation>, client: ChatterClient) {
        self.id = id
        self.client = client
    }

    /// One page; who asks while it comes waits for the same. Whether it came.
    func next(isConnected: Bool) async -> Bool {
        if let loading { return await loading.value }
        guard isConnected || !isOwed else { return false }
        isLoading = true
        let task = Task { await load(fetches: isConnected) }
        loading = task
        return await task.value
    }

    private func load(fetches: Bool) async -> Bool {
        let problem = await attempt { () async throws(ClientError) in
            try await client.messages.loadOlder(id, fetches: fetches)
        }
        (isLoading, loading) = (false, nil)
        isOwed = problem != nil && !fetches
        // Without a connection the banner says it already.
        if fetches { told(problem) }
        return problem == nil
    }
}
