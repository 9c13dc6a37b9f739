import ChatterModel
import Foundation

/// The local-first client of one profile: what it shows comes from the local database, what a person does is stored
/// there first and sent when it can be.
public final class ChatterClient: Sendable {
    public let auth = AuthRepository()
    public let profile = ProfileRepository()
    public let friends = FriendsRepository()
    public let conversations = ConversationsRepository()
    public let messages = MessagesRepository()
    public let devices = DevicesRepository()
    public let outbox = OutboxRepository()

    private init() {}

    /// Opens the profile's directory and takes its lock: a second process gets `profileInUse`. Nothing is sent
    /// before `start()`.
    public static func open(
        _ configuration: ClientConfiguration, seams: ClientSeams = .live
    ) async throws(ClientError) -> ChatterClient {
        throw .notBuilt
    }

    /// The state now, then each change. For any number of consumers.
    public var session: AsyncStream<SessionState> { .empty }

    /// The state now, then each change; one nobody took in time is skipped. For any number of consumers.
    public var connection: AsyncStream<ConnectionState> { .empty }

    public func status() async throws(ClientError) -> ClientStatus { throw .notBuilt }

    /// Connects and stays connected, through sign-out and sign-in, until `close()`. Calling it twice is harmless.
    public func start() async {}

    /// Foreground or background: read receipts are sent only while active, which a client is when opened.
    public func setActive(_ active: Bool) async {}

    /// Waits until the outbox has nothing left that could be sent and everything missed is fetched. Returns false
    /// when `timeout` ended first. Failed entries do not hold it.
    public func settle(timeout: Duration) async throws(ClientError) -> Bool { throw .notBuilt }

    /// Stops, closes the databases, gives the lock back. Everything else throws `closed` afterwards.
    public func close() async {}
}

extension ClientSeams {
    /// The real machine.
    public static var live: ClientSeams {
        ClientSeams(
            http: { _ throws(ClientError) in throw .notBuilt },
            sockets: { _ throws(ClientError) in throw .notBuilt },
            secrets: { _ throws(ClientError) in throw .notBuilt },
            reachability: AlwaysReachable(), clock: SystemClock(), random: .system)
    }
}
