import ChatterTestSupport
import Foundation

/// Does the server's memory stay what it is while connections come and go? Rounds of the same crowd: the first ones
/// fill caches and pools, the later ones should add nothing.
struct SoakBench {
    var pairs = 10
    var visitors = 200
    var visits = 10
    var rounds = 10

    func run() async throws {
        let directory = try TemporaryDirectory()
        let server = try ServerProcess(directory: directory.url)
        try await server.start()
        let crowd = try await Crowd(on: LoadServer(port: server.port), pairs: pairs)
        guard let pid = server.pid else { throw LoadFailure("the server does not run") }
        print(
            "server: \(visitors) connections at a time that come and go at random, sending; \(rounds) rounds of "
                + "\(visitors * visits)")
        var memory: [Double] = []
        for round in 1...rounds {
            _ = try await crowd.visit(visitors: visitors, visits: visits, seed: UInt64(round))
            memory.append(Double(ProcessUse.now(pid).residentBytes) / 1_048_576)
        }
        Report.line("memory after the first round", memory[0], "MB")
        Report.line("memory after half of them", memory[rounds / 2 - 1], "MB")
        Report.line("memory after the last", memory[rounds - 1], "MB")
        let late = (memory[rounds - 1] - memory[rounds / 2 - 1]) * 1_048_576
        Report.line(
            "growth a visit in the second half", late / Double(visitors * visits * (rounds - rounds / 2)),
            "bytes")
        await server.stop(SIGTERM)
    }
}
