import ChatterClient
import ChatterModel
import ChatterServer
import Foundation

/// The real server and real clients in one process, on clocks that the test moves.
public final class Scenario: @unchecked Sendable {
    // `server` is only replaced by `restore`, which a test awaits; nothing else changes.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }
    }

    public private(set) var server: TestServer
    /// All clients' unless told; the server has its own, which stands elsewhere.
    public let clock = ManualClock()

    public init(_ change: (inout ServerConfiguration) -> Void = { _ in }) async throws {
        server = try await TestServer(change)
    }

    /// An installation where nobody is signed in; started.
    public func client(seed: UInt64, clock: ManualClock? = nil) async throws -> TestClient {
        let client = try await TestClient(self, seed: seed, clock: clock ?? self.clock)
        await client.client.start()
        return client
    }

    /// A new person on a device of their own, online.
    public func person(
        _ username: String, phone: String? = nil, seed: UInt64, clock: ManualClock? = nil
    ) async throws -> TestClient {
        let client = try await client(seed: seed, clock: clock)
        try await client.signIn(phone: phone ?? server.newPhone(), username: username)
        try await client.connection(is: .online)
        return client
    }

    /// Moves every clock; what the server does at times on the way is done at them.
    public func advance(by duration: Duration) {
        server.clock.advance(by: duration)
        clock.advance(by: duration)
    }

    /// Moves every clock at once, as for machines that slept: nobody acts at a time on the way.
    public func jump(by duration: Duration) {
        server.clock.jump(by: duration)
        clock.advance(by: duration)
    }

    /// The server is stopped, set back to a backup and started again; `clients` find it at the same address.
    public func restore(_ backup: URL, for clients: TestClient...) async throws {
        await server.stop()
        server = try await server.restored(from: backup)
        for client in clients { client.network.lead(to: server.server) }
    }

    /// Makes two people friends, by request and acceptance.
    public func befriend(_ first: TestClient, _ second: TestClient) async throws {
        let me = try await first.client.profile.me().first("profile") { _ in true }
        let other = try await second.client.profile.me().first("profile") { _ in true }
        guard let username = other.username,
            let found = try await first.client.friends.search(username).first(where: {
                $0.user.id == other.id
            })
        else { throw Failure("\(other.id) is not found") }
        try await first.client.friends.sendRequest(to: found.user)
        _ = try await second.client.friends.requests().first("request") { requests in
            requests.contains { $0.id == me.id && $0.direction == .incoming }
        }
        try await second.client.friends.accept(from: me.id)
        for (client, friend) in [(first, other.id), (second, me.id)] {
            _ = try await client.client.friends.friends().first("friend") { $0.contains { $0.id == friend } }
        }
    }

    /// The direct chat of two friends.
    public func chat(_ first: TestClient, _ second: TestClient) async throws -> ID<Conversation> {
        let other = try await second.client.profile.me().first("profile") { _ in true }
        return try await first.client.conversations.openDirect(with: other.id)
    }

    public func stop(_ clients: TestClient...) async {
        for client in clients { await client.client.close() }
        await server.stop()
    }
}
