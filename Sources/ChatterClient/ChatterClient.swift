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

    /// The state now, then each change: what a person should be told of the local database.
    public var storage: AsyncStream<StorageState> { keeper.storage.stream() }

    public func status() async throws(ClientError) -> ClientStatus { try await keeper.status() }

    /// Connects and stays connected, through sign-out and sign-in, until `close()`. Calling it twice is harmless.
    public func start() async { await keeper.start() }

    /// Whether the person is looking: a window that has the focus, an app in front. Only then is what is on screen marked
    /// read. A client is active when opened. The connection stays as it is: a window without the focus goes on receiving.
    public func setActive(_ isActive: Bool) async { await keeper.setActive(isActive) }

    /// Whether the system is about to suspend this process, as iOS does with an app that left the screen: after a few
    /// seconds the connection is given up, so that the server does not take the device for online; back in the foreground
    /// it opens at once. Nothing is marked read meanwhile. A program that keeps running when nobody looks, on a desktop,
    /// never calls this.
    public func setInBackground(_ isInBackground: Bool) async { await keeper.setInBackground(isInBackground) }

    /// Waits until the outbox has nothing left that could be sent and everything missed is fetched. Returns false
    /// when `timeout` ended first. Failed entries do not hold it.
    public func settle(timeout: Duration) async throws(ClientError) -> Bool {
        try await keeper.settle(timeout: timeout)
    }

    /// Stops, closes the databases, gives the lock back. Everything else throws `closed` afterwards.
    public func close() async { await keeper.close() }
}
