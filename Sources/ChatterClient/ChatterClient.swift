import ChatterModel
import Foundation

/// The local-first client of one profile: what it shows comes from the local database, what a person does is stored
/// there first and sent when it can be.
public final class ChatterClient: Sendable {
    public let auth: AuthRepository
    public let profile: ProfileRepository
    public let friends: FriendsRepository
    public let conversations: ConversationsRepository
    public let messages: MessagesRepository
    public let devices: DevicesRepository
    public let outbox: OutboxRepository
    let keeper: SessionKeeper

    private init(_ keeper: SessionKeeper) {
        self.keeper = keeper
        auth = AuthRepository(keeper: keeper)
        profile = ProfileRepository(keeper: keeper)
        friends = FriendsRepository(keeper: keeper)
        conversations = ConversationsRepository(keeper: keeper)
        messages = MessagesRepository(keeper: keeper)
        devices = DevicesRepository(keeper: keeper)
        outbox = OutboxRepository(keeper: keeper)
    }

    /// Opens the profile's directory and takes its lock: a second process gets `profileInUse`. Nothing is sent
    /// before `start()`.
    public static func open(
        _ configuration: ClientConfiguration, seams: ClientSeams = .live
    ) async throws(ClientError) -> ChatterClient {
        let keeper = try await SessionKeeper(configuration, seams: seams)
        do {
            try await keeper.restore()
        } catch {
            await keeper.close()
            throw error
        }
        return ChatterClient(keeper)
    }

    /// The state now, then each change. For any number of consumers.
    public var session: AsyncStream<SessionState> { keeper.state.stream() }

    /// The state now, then each change; one nobody took in time is skipped. For any number of consumers.
    public var connection: AsyncStream<ConnectionState> { keeper.connection.stream() }

    public func status() async throws(ClientError) -> ClientStatus { try await keeper.status() }

    /// Connects and stays connected, through sign-out and sign-in, until `close()`. Calling it twice is harmless.
    public func start() async { await keeper.start() }

    /// Foreground or background: read receipts are sent only while active, which a client is when opened, and in the
    /// background the connection is given up after a few seconds.
    public func setActive(_ active: Bool) async { await keeper.setActive(active) }

    /// Waits until the outbox has nothing left that could be sent and everything missed is fetched. Returns false
    /// when `timeout` ended first. Failed entries do not hold it.
    public func settle(timeout: Duration) async throws(ClientError) -> Bool {
        try await keeper.settle(timeout: timeout)
    }

    /// Stops, closes the databases, gives the lock back. Everything else throws `closed` afterwards.
    public func close() async { await keeper.close() }
}
