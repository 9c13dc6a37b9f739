import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite

@testable import ChatterClient

/// Ann and Bob chat, a backup is made, and they chat on: what is said then, the server will lose.
struct RestoreScene {
    let scene: ChatScene
    private let directory: TemporaryDirectory

    var scenario: Scenario { scene.scenario }
    var ann: TestClient { scene.ann }
    var bob: TestClient { scene.bob }
    var chat: ID<Conversation> { scene.chat }
    private var backup: URL { directory.file("backup.db") }

    /// - Parameters:
    ///   - kept: said before the backup, by Ann and Bob in turn.
    ///   - lost: said after it.
    init(kept: [String] = ["kept 1", "kept 2", "kept 3"], lost: [String] = []) async throws {
        scene = try await ChatScene()
        directory = try TemporaryDirectory()
        try await talk(kept)
        try await backUp()
        try await talk(lost, after: kept)
    }

    /// In turn, each once both have what was said before.
    func talk(_ texts: [String], after before: [String] = []) async throws {
        for (index, text) in texts.enumerated() {
            try await (index.isMultiple(of: 2) ? ann : bob).say(text, in: chat)
            for person in [ann, bob] { try await person.holds(before + texts[...index], in: chat) }
        }
    }

    func backUp() async throws { try await scenario.server.server.backup(to: backup.path) }

    /// As somebody would who copies the file: nothing tells that it is a copy.
    func backUpByHand() throws {
        let database = try Database(path: scenario.server.databaseFile.path, mode: .readOnly)
        try database.backup(to: backup.path)
        database.close()
    }

    /// Both are cut off, and the server is set back.
    func restore() async throws {
        for person in [ann, bob] { person.goOffline() }
        try await scenario.restore(backup, for: ann, bob)
    }

    func goOnline(_ people: TestClient...) async throws {
        for person in people { person.goOnline() }
        for person in people { try await person.connection(is: .online) }
    }

    /// Waits until both show these texts, every one of them the server's, in one order, and answers that.
    @discardableResult
    func agree(on texts: Set<String>) async throws -> [String] {
        var orders: [[String]] = []
        for person in [ann, bob] {
            let content = try await person.conversation(chat, "\(texts.count) texts of the server") {
                content in
                content.items.count == texts.count && content.items.allSatisfy { $0.seq != nil }
                    && Set(content.items.map(\.body)) == texts
            }
            guard content.items.compactMap(\.seq) == Array(1...Int64(texts.count)) else {
                throw Scenario.Failure("\(content.items.compactMap(\.seq)) is not one piece")
            }
            orders.append(content.items.map(\.body))
        }
        guard orders[0] == orders[1] else { throw Scenario.Failure("\(orders)") }
        return orders[0]
    }

    /// Ann and somebody say one thing each, in a chat that the server will lose.
    func annChats(with other: TestClient) async throws -> ID<Conversation> {
        let lost = try await scenario.chat(ann, other)
        try await ann.say("ann 1", in: lost)
        try await other.holds(["ann 1"], in: lost)
        try await other.say("cleo 1", in: lost)
        try await ann.holds(["ann 1", "cleo 1"], in: lost)
        return lost
    }

    func stop() async { await scene.stop() }
}

extension TestClient {
    /// Waits until these are all the texts that the chat shows, and the server has each.
    func holds(_ texts: [String], in chat: ID<Conversation>) async throws {
        try await conversation(chat, "\(texts.suffix(3))") { content in
            content.items.map(\.body) == texts && content.items.allSatisfy { $0.seq != nil }
        }
    }
}
