import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@Suite("Where there is only IPv6", .timeLimit(.minutes(2)))
struct IPv6Tests {
    // Field case 64
    @Test(
        "Two people sign up, befriend and chat with a server on ::1, by REST and by socket",
        .enabled(if: Socket.speaksIPv6, "this machine has no IPv6 loopback"))
    func chat() async throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(directory: directory.url, host: "[::1]")
        try await server.start()
        #expect(Socket.connected(to: server.port) == nil, "nothing listens on IPv4")
        let alice = try await signUp(.alice, directory, server)
        let bob = try await signUp(.bob, directory, server)
        let found = try #require(try await alice.friends.search("bob").first?.user)
        try await alice.friends.sendRequest(to: found)
        let request = try await bob.friends.requests().first("request") { !$0.isEmpty }
        try await bob.friends.accept(from: try #require(request.first).id)
        _ = try await alice.friends.friends().first("friend") { !$0.isEmpty }

        let chat = try await alice.conversations.openDirect(with: found.id)
        _ = try await bob.conversations.chats().first("chat") { !$0.isEmpty }
        _ = try await alice.messages.send("over IPv6", in: chat)
        _ = try await bob.messages.conversation(chat).first("message") { !$0.items.isEmpty }
        _ = try await bob.messages.send("and back", in: chat)
        let content = try await alice.messages.conversation(chat).first("both, delivered") {
            $0.items.count == 2 && $0.items[0].status == .delivered
        }
        #expect(content.items.map(\.body) == ["over IPv6", "and back"])
        for client in [alice, bob] { await client.close() }
        #expect(await server.stop(SIGTERM) == 0)
    }

    // Field case 64
    @Test(
        "The command line works with an address in brackets, or says what to use instead",
        .enabled(if: Socket.speaksIPv6, "this machine has no IPv6 loopback"))
    func addressInBrackets() async throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(directory: directory.url, host: "[::1]")
        try await server.start()
        let alice = CommandLineUser(
            name: "alice", phone: Person.alice.phone, directory: directory.url, server: server.url)
        do {
            try await alice.signUp()
        } catch is ProcessFailure {
            let log = try String(contentsOf: directory.file("alice.log"), encoding: .utf8)
            #expect(log.contains("use a host name"))
        }
        #expect(await server.stop(SIGTERM) == 0)
    }

    private func signUp(
        _ person: Person, _ directory: TemporaryDirectory, _ server: ServerProcess
    ) async throws -> ChatterClient {
        let live = ClientSeams.live
        let configuration = ClientConfiguration(
            serverURL: try #require(URL(string: server.url)), clientKey: "ck_demo",
            directory: directory.file(person.name),
            device: DeviceDescription(name: "IPv6", platform: "test"))
        let client = try await ChatterClient.open(
            configuration,
            seams: ClientSeams(
                http: { configuration throws(ClientError) in NamedHost(inner: try live.http(configuration)) },
                sockets: live.sockets, secrets: { _ in FakeSecrets() }, reachability: live.reachability,
                clock: live.clock, random: live.random))
        await client.start()
        _ = try await client.auth.requestCode(phone: person.phone)
        _ = try await client.auth.verify(phone: person.phone, code: "000000")
        _ = try await client.profile.edit(EditProfile(displayName: person.name, username: person.name))
        _ = try await client.connection.first("online") { $0 == .online }
        return client
    }
}

/// Foundation on Linux refuses addresses in brackets up to Swift 6.3 (swift-corelibs-foundation, issue 5496), so REST
/// goes to ::1 under its name; the socket has the address.
private struct NamedHost: HTTPTransport {
    let inner: any HTTPTransport

    func perform(_ request: ClientHTTPRequest) async throws(TransportError) -> ClientHTTPResponse {
        var request = request
        var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        parts?.host = "localhost"
        request.url = parts?.url ?? request.url
        return try await inner.perform(request)
    }

    func close() { inner.close() }
}
