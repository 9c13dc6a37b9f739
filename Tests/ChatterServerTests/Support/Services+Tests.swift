import ChatterModel
import ChatterTestSupport

@testable import ChatterServer

extension Services {
    /// The parts without a server around them.
    static func forTests(in directory: TemporaryDirectory, log: Log = .off) async throws -> Services {
        let clock = ServerTestClock()
        let random = SeededBytes(seed: 1)
        let metrics = Metrics()
        let hub = Hub(clock: clock, metrics: metrics)
        let configuration = ServerConfiguration(databasePath: directory.file("chatter.db").path)
        let storage = try Storage(path: configuration.databasePath, clock: clock, random: random) {
            hub.deliver($0)
        }
        let keys = ServerKeys(tokens: random.bytes(32), codes: random.bytes(32))
        let mint = TokenMint(key: keys.tokens)
        let access = AccessCheck(
            mint: mint, devices: DeviceCache(storage: storage),
            workspaces: WorkspaceDirectory(storage: storage, clock: clock, knowsDemo: true), storage: storage,
            epoch: ID("epoch"), clock: clock, log: log)
        return Services(
            configuration: configuration, clock: clock, random: random, storage: storage, hub: hub,
            access: access, mint: mint, keys: keys, limiter: RateLimiter(clock: clock, isOn: false),
            codeSender: RecordingSender(), metrics: metrics, log: log,
            chat: Chat(storage: storage, hub: hub, clock: clock, log: log, hasEchoBot: false))
    }
}
