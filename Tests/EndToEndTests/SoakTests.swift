import ChatterTestSupport
import Foundation
import SQLite
import Testing

@Suite("A crowd that comes and goes", .timeLimit(.minutes(3)))
struct SoakTests {
    /// Numbers for the memory are in `make bench`.
    @Test("200 visitors at random leave nothing behind, and what was acked is stored once")
    func crowd() async throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(directory: directory.url)
        try await server.start()
        let pid = try #require(server.pid)
        let crowd = try await Crowd(on: LoadServer(port: server.port), pairs: 10)
        var acked = try await crowd.visit(visitors: 200, visits: 1, seed: 0).acked
        // From here on the server has opened all that it keeps open.
        try await waitUntilAlone(server)
        let before = try openFiles(pid)

        let outcome = try await crowd.visit(visitors: 200, visits: 20, seed: 1)
        #expect(outcome.visits == 4000)
        acked += outcome.acked
        try await waitUntilAlone(server)
        while try openFiles(pid) > before { try await pause(.milliseconds(50)) }
        #expect(await server.stop(SIGTERM) == 0)

        let database = try Database(
            path: server.data.appendingPathComponent("chatter.db").path, mode: .readOnly)
        let stored = try database.all("SELECT client_message_id FROM messages") { $0.text(0).lowercased() }
        #expect(Set(stored).count == stored.count)
        #expect(Set(acked).isSubset(of: stored))
        let broken = try database.first(
            """
            SELECT count(*) FROM conversations c WHERE last_seq <>
                (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id)
            """
        ) { $0.int64(0) }
        #expect(broken == 0, "the seqs are dense")
    }

    /// Until the server counts no connection. It looks again and again: another process tells nobody.
    private func waitUntilAlone(_ server: ServerProcess) async throws {
        let url = try #require(URL(string: server.url + "/metrics"))
        while true {
            let page = String(decoding: try await LoadServer.get(url), as: UTF8.self)
            if page.contains("\nchatter_connections 0\n") { return }
            try await pause(.milliseconds(50))
        }
    }

    private func openFiles(_ pid: pid_t) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    }
}
