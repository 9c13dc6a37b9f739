import ChatterTestSupport
import Foundation
import SQLite
import Testing

/// One server, two people behind networks of their own, and a seeded source of trouble.
final class ChaosWorld: Sendable {
    private let seed: UInt64
    private let directory: URL
    private let server: ServerProcess
    private let people: [CommandLineUser]
    private let drivers: [ChatDriver]
    private let texts: [[String]]

    init(seed: UInt64, messagesEach: Int) async throws {
        self.seed = seed
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chatter-chaos-\(seed)-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let server = try ServerProcess(directory: directory)
        self.server = server
        try await server.start()
        let alice = try CommandLineUser(
            name: "alice", phone: "+14155550101", directory: directory, server: server, seed: seed &* 2)
        let bob = try CommandLineUser(
            name: "bob", phone: "+14155550102", directory: directory, server: server, seed: seed &* 2 &+ 1)
        people = [alice, bob]
        for person in people { try await person.signUp() }
        try await alice.run(["friend", "add", "bob"])
        try await bob.run(["friend", "accept", "alice"])
        texts = people.map { person in (1...messagesEach).map { "\(person.name) \($0)" } }
        drivers = [
            ChatDriver(user: alice, peer: "bob", texts: texts[0]),
            ChatDriver(user: bob, peer: "alice", texts: texts[1]),
        ]
    }

    /// Trouble of every kind until everything is typed.
    func chat() async throws {
        for driver in drivers { try await driver.start() }
        let trouble = Task { try await makeTrouble() }
        for driver in drivers { await driver.waitUntilTyped() }
        trouble.cancel()
        do { try await trouble.value } catch is CancellationError {}
    }

    private func makeTrouble() async throws {
        var random = SeededRandom(seed: seed)
        while true {
            // Not a wait for something: the pause is part of the trouble.
            try await pause(.milliseconds(Int.random(in: 20...250, using: &random)))
            let someone = Int.random(in: 0...1, using: &random)
            let proxy = people[someone].proxy
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                await server.stop()
                try await pause(.milliseconds(Int.random(in: 0...200, using: &random)))
                try await server.start()
            case 1, 2: await drivers[someone].kill()
            case 3: proxy.set(.cut)
            case 4: proxy.set(.slow(.milliseconds(Int.random(in: 1...200, using: &random))))
            case 5, 6: proxy.set(.fragile(bytes: Int.random(in: 1...8000, using: &random)))
            case 7: proxy.set(.stalled)
            case 8: proxy.resetAll()
            default: proxy.set(.clear)
            }
        }
    }

    /// The storm is over: the server is up and the networks hold. Nobody presses a button.
    func calm() async throws {
        await server.stop()
        try await server.start()
        for person in people {
            person.proxy.set(.clear)
            person.proxy.resetAll()
        }
    }

    /// Until both stores show every message, read by the other side, and nothing waits; the time limit ends a wait in
    /// vain. It looks again and again because another process's database tells nobody when it changes.
    func waitUntilRead() async throws {
        for person in people {
            let stored = StoredChat(home: person.profileDirectory)
            while try !isSettled(stored) { try await pause(.milliseconds(50)) }
        }
    }

    private func isSettled(_ stored: StoredChat) throws -> Bool {
        try stored.unread() == 0 && stored.waiting() == 0 && stored.holes() == 0
            && Int64(stored.rows().count) + stored.unfetched() == texts.joined().count
    }

    func stop() async throws {
        for driver in drivers { #expect(await driver.stop() == 0, "the app stops cleanly, seed \(seed)") }
    }

    func check() async throws {
        let database = try Database(
            path: server.data.appendingPathComponent("chatter.db").path, mode: .readOnly)
        let served = try database.all("SELECT seq, client_message_id, body FROM messages ORDER BY seq") {
            (seq: $0.int64(0), id: $0.text(1), text: $0.text(2))
        }
        #expect(served.map(\.seq) == Array(1...Int64(texts.joined().count)), "dense seqs, seed \(seed)")
        #expect(Set(served.map(\.id)).count == served.count, "seed \(seed)")
        for (person, texts) in zip(people, texts) {
            let own = served.map(\.text).filter { $0.hasPrefix(person.name) }
            #expect(own == texts, "\(person.name)'s as typed, seed \(seed)")
            try await checkTicks(person)
            let rows = try StoredChat(home: person.profileDirectory).rows()
            #expect(rows.map(\.seq) == served.map(\.seq), "\(person.name)'s store, seed \(seed)")
            #expect(rows.map(\.clientMessageID) == served.map(\.id), "\(person.name)'s store, seed \(seed)")
            #expect(rows.map(\.text) == served.map(\.text), "\(person.name)'s store, seed \(seed)")
        }
        #expect(await server.stop(SIGTERM) == 0, "the server stops cleanly, seed \(seed)")
        for person in people { person.proxy.stop() }
        try FileManager.default.removeItem(at: directory)
    }

    private struct History: Decodable {
        struct Message: Decodable {
            let seq: Int64
            let isMine: Bool
            let status: String?
        }

        let items: [Message]
    }

    /// What the program shows a person who scrolls to the beginning.
    private func checkTicks(_ person: CommandLineUser) async throws {
        let peer = person.name == "alice" ? "bob" : "alice"
        let output = try await person.run(["history", peer, "--json", "--limit", "1000"])
        let history = try JSONDecoder().decode(History.self, from: Data(output.joined().utf8))
        #expect(
            history.items.map(\.seq) == Array(1...Int64(texts.joined().count)), "\(person.name), seed \(seed)"
        )
        #expect(
            history.items.filter(\.isMine).allSatisfy { $0.status == "read" },
            "\(person.name)'s ticks are all blue, seed \(seed)")
    }
}
