import ChatterModel
import ChatterTestSupport
import Foundation

@testable import ChatterClient

/// A signed-in client's network parts over fakes. The access token `access-1` lives for an hour; each refresh gives
/// the next pair and takes the refresh token of the one before.
struct NetworkRig {
    let http = FakeHTTP()
    let secrets = FakeSecrets()
    let clock = ManualClock()
    let serverTime: ServerTime
    let workspace: WorkspaceAPI
    let refusals = Counter()

    init() {
        serverTime = ServerTime(clock: clock)
        workspace = WorkspaceAPI(
            serverURL: Self.url, clientKey: "key-1", transport: http, serverTime: serverTime)
    }

    static let url = URL(string: "https://chat.example")!  // a literal
    static let userID = ID<User>("user-1")

    func session(_ number: Int = 1) -> StoredSession {
        StoredSession(
            SignedIn(
                accessToken: "access-\(number)", refreshToken: "refresh-\(number)", expiresIn: 3600,
                isNewUser: false, user: .sample(Self.userID), deviceID: ID("device-1")),
            at: clock.now)
    }

    func tokens(
        _ session: StoredSession? = nil, lock: any RefreshLock = NoLock()
    ) async throws -> TokenRefresher {
        let session = session ?? self.session()
        try await secrets.save(session)
        return TokenRefresher(
            session: session, workspace: workspace, secrets: secrets, lock: lock, clock: clock,
            refused: { [refusals] in refusals.increment() })
    }

    func api(_ tokens: TokenRefresher, epoch: EpochMark = EpochMark()) -> APIClient {
        APIClient(workspace: workspace, tokens: tokens, epoch: epoch)
    }

    /// Answers a refresh of `refresh-N` with the pair N+1.
    func serveRefresh(before: @escaping @Sendable (Int) async throws(TransportError) -> Void = { _ in }) {
        http.on(Routes.refresh) { request throws(TransportError) in
            let number = Self.number(request)
            try await before(number)
            return .json(
                TokenPair(
                    accessToken: "access-\(number + 1)", refreshToken: "refresh-\(number + 1)",
                    expiresIn: 3600))
        }
    }

    private static func number(_ request: HTTPRequest) -> Int {
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        return Int(body.filter(\.isNumber)) ?? -1
    }

    /// `GET /v1/me` for whoever carries a token of `valid`; anybody else is told that it expired.
    func serveMe(valid: Set<String>) {
        http.on(Routes.me) { request in
            guard let token = request.token, valid.contains(token) else {
                return .error(APIError(.tokenExpired, "expired"))
            }
            return .json(Me.sample(Self.userID))
        }
    }
}

struct NoLock: RefreshLock {
    func holding<T: Sendable>(
        _ body: @Sendable () async throws(ClientError) -> T
    ) async throws(ClientError) -> T {
        try await body()
    }
}

final class Counter: @unchecked Sendable {  // `count` is guarded by `lock`
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func reset() { lock.withLock { count = 0 } }

    @discardableResult
    func increment() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}

/// Closed until a test opens it.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

extension Me {
    static func sample(_ id: ID<User>) -> Me {
        Me(
            id: id, phone: "+6581234567", username: "ann", displayName: "Ann", profileComplete: true,
            version: 1)
    }
}

/// The error that `body` throws; nil when it throws none.
func clientError<T>(_ body: () async throws(ClientError) -> T) async -> ClientError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
