import ChatterTestSupport
import Foundation
import Testing

/// Real programs, and an operator who sets the server back to yesterday.
@Suite("Two people chat while the server is set back to a backup", .serialized)
struct RestoreTests {
    private static func texts(_ word: String) -> [[String]] {
        ["alice", "bob"].map { name in (1...20).map { "\(name) \(word) \($0)" } }
    }

    @Test("Every message is at the server and on both sides, once and in one order", .timeLimit(.minutes(2)))
    func restore() async throws {
        let world = try await ChaosWorld(seed: 1)
        let backup = world.directory.appendingPathComponent("backup.db")
        let (kept, lost, new) = (Self.texts("kept"), Self.texts("lost"), Self.texts("new"))
        try await world.open(.chat)
        try await world.type(kept)
        try await world.waitUntilRead(40)
        try await world.backUp(to: backup)
        try await world.type(lost)
        try await world.waitUntilRead(80)
        try await world.restore(backup)
        try await world.waitUntilRead(80)
        try await world.type(new)
        try await world.waitUntilRead(120)
        await world.leave(.chat)
        try await world.check(typed: (0...1).map { kept[$0] + lost[$0] + new[$0] })
        try await world.stop()
    }
}

extension ChaosWorld {
    /// Both at once, in their open chats.
    fileprivate func type(_ texts: [[String]]) async throws {
        await withTaskGroup { group in
            for (device, texts) in zip(devices, texts) { group.addTask { await device.type(texts) } }
        }
    }

    fileprivate func waitUntilRead(_ count: Int) async throws {
        try await wait { stored in
            try stored.isComplete(count) && stored.unread() == 0 && stored.lost() == 0
                && stored.rows().allSatisfy { $0.seq != nil }
        }
    }

    fileprivate func backUp(to file: URL) async throws {
        let command = try ChildProcess("chatter-server", ["backup", file.path, "--data", server.data.path])
        #expect(await command.exit() == 0)
    }

    /// As docs/operations.md says it.
    fileprivate func restore(_ backup: URL) async throws {
        await server.stop()
        let database = server.data.appendingPathComponent("chatter.db")
        for suffix in ["", "-wal", "-shm"] {
            let file = URL(fileURLWithPath: database.path + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.moveItem(
                at: file, to: directory.appendingPathComponent("old.db" + suffix))
        }
        try FileManager.default.copyItem(at: backup, to: database)
        try await server.start()
    }
}
