import ChatterModel

/// An access token and its end, by the monotonic clock.
struct AccessToken: Hashable, Sendable {
    var text: String
    var endsAt: Duration
}

/// Hands out the access token and renews it before it ends. Concurrent callers share one refresh, and so do
/// processes (`RefreshLock`).
///
/// A pair is saved before anybody gets to use it, and an old one stays saved until then: when a reply is lost, the
/// same refresh token is asked again, which the server answers with the same pair.
actor TokenRefresher {
    /// The account is signed out for good only through this: the refresh call itself was refused.
    typealias RefusalHandler = @Sendable () async -> Void

    private let workspace: WorkspaceAPI
    private let secrets: any SecretStore
    private let lock: any RefreshLock
    private let clock: any ChatterClock
    private let refused: RefusalHandler

    private var session: StoredSession
    /// By the monotonic clock.
    private var expiresAt: Duration
    private var isOver = false
    private var running: Task<Result<Void, ClientError>, Never>?

    /// With less of its life left, a token is renewed before it is used.
    static let margin = Duration.seconds(60)

    init(
        session: StoredSession, workspace: WorkspaceAPI, secrets: any SecretStore, lock: any RefreshLock,
        clock: any ChatterClock, refused: @escaping RefusalHandler
    ) {
        self.session = session
        self.workspace = workspace
        self.secrets = secrets
        self.lock = lock
        self.clock = clock
        self.refused = refused
        expiresAt = clock.monotonic + session.remaining(now: clock.now)
    }

    /// A token that holds for a minute more; refreshes first when the stored one does not.
    func accessToken() async throws(ClientError) -> String { try await current().text }

    /// As `accessToken()`, with when it ends.
    func current() async throws(ClientError) -> AccessToken {
        // Once: a server that gives tokens without a life must not be asked for ever.
        if needsRefresh { try await refreshShared() }
        return AccessToken(text: session.accessToken, endsAt: expiresAt)
    }

    /// The server refused this token: the next caller refreshes. An older token than the current changes nothing.
    func reject(_ token: String) {
        if token == session.accessToken { expiresAt = clock.monotonic }
    }

    /// No token is given out any more; a refresh under way ends. Should the server have renewed the pair by then, the
    /// next launch asks for it again.
    func stop() {
        isOver = true
        running?.cancel()
    }

    private var needsRefresh: Bool {
        // A token that lives shorter than two margins is used for half of its life.
        let margin = min(Self.margin, .seconds(session.expiresIn) / 2)
        return isOver || expiresAt - clock.monotonic <= margin
    }

    private func refreshShared() async throws(ClientError) {
        guard !isOver else { throw ClientError(.signedOut, "the session has ended") }
        let task =
            running
            ?? Task {
                // Not the callers' task: one that is cancelled must not take the refresh from the others.
                do throws(ClientError) {
                    try await self.refresh()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        running = task
        let result = await task.value
        if running == task { running = nil }
        try result.get()
    }

    private func refresh() async throws(ClientError) {
        let old = session
        let new: StoredSession
        do {
            new = try await lock.holding { () async throws(ClientError) in
                try await self.renewed(old)
            }
        } catch let error where error.kind == .signedOut {
            isOver = true
            await refused()
            throw error
        }
        session = new
        expiresAt = clock.monotonic + new.remaining(now: clock.now)
    }

    /// Under the lock.
    private func renewed(_ old: StoredSession) async throws(ClientError) -> StoredSession {
        guard let stored = try await secrets.session(), stored.userID == old.userID else {
            throw ClientError(.signedOut, "the session was removed")
        }
        // Another process was faster.
        if stored.refreshToken != old.refreshToken, stored.remaining(now: clock.now) > Self.margin {
            return stored
        }
        let pair: TokenPair
        do {
            pair = try await workspace.call(
                Routes.refresh, RefreshTokens(refreshToken: stored.refreshToken), timeout: .seconds(20))
        } catch let error where error.isRefreshRefused {
            throw ClientError(.signedOut, error.message)
        }
        let new = stored.replacing(pair, at: clock.now)
        try await secrets.save(new)
        return new
    }
}

extension ClientError {
    /// Of a refresh: 401 or 403. Not when it was the client key that was refused; and a 403 must carry the contract's
    /// error body, since firewalls and portals like to answer 403 to anything.
    fileprivate var isRefreshRefused: Bool {
        guard kind != .clientKeyRefused else { return false }
        return status == 401 || (status == 403 && serverCode != nil)
    }
}
