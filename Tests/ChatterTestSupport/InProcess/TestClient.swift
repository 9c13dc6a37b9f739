import ChatterClient
import ChatterModel
import Foundation

/// One installation of the client: a profile's directory and secrets that outlive its launches, and a network of its
/// own to the server.
public final class TestClient: @unchecked Sendable {
    // `client` is only replaced by `relaunch`, which a test awaits; nothing else changes.
    public let scenario: Scenario
    public let network: InProcessNetwork
    public let reachability = FakeReachability()
    public let secrets = FakeSecrets()
    public let directory: TemporaryDirectory
    public let seed: UInt64
    /// The device's.
    public let clock: ManualClock
    public private(set) var client: ChatterClient

    init(_ scenario: Scenario, seed: UInt64, clock: ManualClock) async throws {
        self.scenario = scenario
        self.seed = seed
        self.clock = clock
        network = InProcessNetwork(scenario.server.server)
        directory = try TemporaryDirectory()
        client = try await Self.open(scenario, network, reachability, secrets, directory, seed, clock)
    }

    private static func open(
        _ scenario: Scenario, _ network: InProcessNetwork, _ reachability: FakeReachability,
        _ secrets: FakeSecrets, _ directory: TemporaryDirectory, _ seed: UInt64, _ clock: ManualClock
    ) async throws -> ChatterClient {
        let configuration = ClientConfiguration(
            serverURL: URL(string: "https://chat.example")!,  // a literal
            clientKey: scenario.server.clientKey, directory: directory.file("profile"),
            device: DeviceDescription(name: "test \(seed)", platform: "test"))
        return try await ChatterClient.open(
            configuration,
            seams: ClientSeams(
                http: { _ in network }, sockets: { _ in network }, secrets: { _ in secrets },
                reachability: reachability, clock: clock, random: .seeded(seed)))
    }

    /// Signs in with challenge mode's code, and completes the profile of a new account.
    @discardableResult
    public func signIn(phone: String, username: String? = nil) async throws -> Me {
        _ = try await client.auth.requestCode(phone: phone)
        var me = try await client.auth.verify(phone: phone, code: "000000").me
        if let username, !me.profileComplete {
            let edit = EditProfile(displayName: username.capitalized, username: username)
            guard case .saved(let saved) = try await client.profile.edit(edit) else {
                throw Scenario.Failure("the first profile was queued")
            }
            me = saved
        }
        return me
    }

    /// The app is closed and opened again; started unless told.
    public func relaunch(start: Bool = true) async throws {
        await client.close()
        client = try await Self.open(scenario, network, reachability, secrets, directory, seed &+ 1000, clock)
        if start { await client.start() }
    }

    public func goOffline() { network.cut() }

    public func goOnline() {
        network.restore()
        reachability.set(true)
    }

    /// Waits for a state of the connection.
    public func connection(is state: ConnectionState) async throws {
        _ = try await client.connection.first("connection \(state)") { $0 == state }
    }

    /// What the conversation shows once it is as `condition` wants it.
    @discardableResult
    public func conversation(
        _ id: ID<Conversation>, _ what: String = "", until condition: (ConversationContent) -> Bool
    ) async throws -> ConversationContent {
        try await client.messages.conversation(id).first("conversation \(what)", condition)
    }

    /// Everything that could be sent was, and everything missed is here.
    public func settle() async throws {
        guard try await client.settle(timeout: .seconds(86_400)) else {
            throw Scenario.Failure("not settled")
        }
    }
}

extension AsyncSequence {
    /// The first value that `condition` accepts. Throws when the sequence ends before.
    public nonisolated(nonsending) func first(
        _ what: String, _ condition: (Element) -> Bool
    ) async throws -> Element {
        for try await value in self where condition(value) { return value }
        throw Scenario.Failure("the stream ended before \(what)")
    }
}
