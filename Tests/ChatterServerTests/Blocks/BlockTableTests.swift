import ChatterTestSupport
import Foundation
import Testing

// Field case 93
@Suite("The block table", .timeLimit(.minutes(2)))
struct BlockTableTests {
    @Test(
        "Without a block every channel passes, so that the other tests can fail",
        arguments: BlockChannel.allCases)
    func control(_ channel: BlockChannel) async throws {
        let scene = try await BlockScene(channel, blocker: .nobody)
        #expect(try await scene.verdict() == .passes)
        await scene.server.stop()
    }

    @Test("What the blocker notices of the blocked", arguments: BlockTable.rows)
    func fromBlocked(_ row: BlockTable.Row) async throws {
        let scene = try await BlockScene(row.channel, blocker: .observer)
        #expect(try await scene.verdict() == row.fromBlocked)
        await scene.server.stop()
    }

    @Test("What the blocked notices of the blocker", arguments: BlockTable.rows)
    func fromBlocker(_ row: BlockTable.Row) async throws {
        let scene = try await BlockScene(row.channel, blocker: .actor)
        #expect(try await scene.verdict() == row.fromBlocker)
        await scene.server.stop()
    }

    @Test("Every channel has its row, and the page in docs/ has the same table")
    func page() throws {
        #expect(BlockTable.rows.map(\.channel) == BlockChannel.allCases)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/blocking.md"), encoding: .utf8)
        let table = page.split(separator: "\n").map(String.init).filter { $0.hasPrefix("|") }
        #expect(table == BlockTable.markdown)
    }
}
