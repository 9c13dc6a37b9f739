import ChatterTestSupport
import Foundation
import Testing

/// Real programs: a message that waited in the tunnel, and what came in before it could leave.
@Suite("What nobody has seen is not read", .timeLimit(.minutes(2)))
struct UnseenTests {
    private struct List<Item: Decodable>: Decodable {
        let items: [Item]
    }

    private struct Message: Decodable {
        let body: String
        let isMine: Bool
        let status: String?
    }

    private struct Chat: Decodable {
        let unreadCount: Int
    }

    @Test("A message sent from the tunnel turns no tick blue; opening the chat does")
    func tunnel() async throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(directory: directory.url)
        try await server.start()
        let devices = try [(Person.alice, "bob"), (Person.bob, "alice")].map { person, peer in
            try Device(person.name, of: person, peer: peer, directory: directory.url, server: server, seed: 1)
        }
        let (alice, bob, network) = (devices[0].user, devices[1].user, devices[1].network)
        for person in [alice, bob] { try await person.signUp() }
        try await alice.run(["friend", "add", "bob"])
        try await bob.run(["friend", "accept", "alice"])
        try await bob.run(["send", "alice", "hello"])

        network.set(.cut)
        await #expect(throws: ProcessFailure.self, "it is queued") {
            try await bob.run(["send", "alice", "from the tunnel", "--timeout", "200ms"])
        }
        for text in ["one", "two", "three"] { try await alice.run(["send", "bob", text]) }
        network.set(.clear)
        #expect(try await bob.run(["outbox"]) == ["Everything has reached the server."])

        let texts = ["hello", "one", "two", "three", "from the tunnel"]
        #expect(try await items(of: bob, ["chats"], as: Chat.self).map(\.unreadCount) == [3])
        // Nor does a look at the history.
        #expect(try await items(of: bob, ["history", "alice"], as: Message.self).map(\.body) == texts)
        #expect(try await items(of: bob, ["chats"], as: Chat.self).map(\.unreadCount) == [3])
        var history = try await items(of: alice, ["history", "bob"], as: Message.self)
        #expect(history.map(\.body) == texts)
        #expect(!history.contains { $0.status == "read" })

        let chat = try bob.start(["chat", "alice", "--json"])
        chat.closeInput()
        #expect(await chat.exit() == 0)
        #expect(try await items(of: bob, ["chats"], as: Chat.self).map(\.unreadCount) == [0])
        history = try await items(of: alice, ["history", "bob"], as: Message.self)
        #expect(history.filter(\.isMine).map(\.status) == ["read", "read", "read"])
        #expect(await server.stop(SIGTERM) == 0)
        for device in devices { device.network.stop() }
    }

    private func items<Item: Decodable>(
        of person: CommandLineUser, _ arguments: [String], as type: Item.Type
    ) async throws -> [Item] {
        try await person.read(List<Item>.self, arguments).items
    }
}
