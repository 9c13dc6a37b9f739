import ChatterModel
import ChatterTestSupport
import Foundation
import WebSockets

/// The server as people run it, under a stated load from this process.
struct ServerBench {
    var pairs = 20
    var window: Int64 = 4
    var bytes = 60
    var seconds = 10
    var idleConnections = 2000

    func run() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chatter-bench-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let port = try Socket.freePort()
        let process = try ChildProcess(
            "chatter-server",
            [
                "serve", "--data", directory.path, "--listen", "127.0.0.1:\(port)", "--rate-limits", "off",
                "--log-level", "error",
            ])
        defer { process.kill() }
        for await line in process.lines where line.contains("listening on") { break }
        let server = LoadServer(port: port)
        try await throughput(server, process.pid)
        try await idle(server, process.pid)
        process.kill(SIGTERM)
        _ = await process.exit()
    }

    private func throughput(_ server: LoadServer, _ pid: pid_t) async throws {
        var made: [Pair] = []
        for number in 0..<pairs {
            let sender = try await LoadUser.signUp(on: server, number: number * 2)
            let receiver = try await LoadUser.signUp(on: server, number: number * 2 + 1)
            let conversation = try await sender.befriend(receiver)
            made.append(
                Pair(
                    sender: try await sender.connect(), receiver: try await receiver.connect(),
                    receiverID: receiver.id, conversation: conversation, window: window, bytes: bytes))
        }
        let before = ProcessUse.now(pid)
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pair in made { group.addTask { try await pair.run() } }
            let running = made
            let seconds = seconds
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                for pair in running { pair.stop() }
            }
            try await group.waitForAll()
        }
        let took = started.duration(to: .now)
        let after = ProcessUse.now(pid)
        let samples = made.flatMap(\.samples)
        print(
            "server: \(pairs) pairs, window \(window), \(bytes)-byte texts, \(seconds) s; each acked, delivered, receipted"
        )
        Report.line(
            "durable messages a second", Double(samples.count) / (took / .seconds(1)), "", goal: "≥ 3,000")
        let cpu = (after.cpu - before.cpu) / .microseconds(1) / Double(max(1, samples.count))
        Report.line("server CPU a message", cpu, "µs", goal: "≤ 250")
        Report.percentiles("send to ack", samples.map(\.ack))
        Report.percentiles("send to receipt", samples.map(\.receipt))
    }

    private func idle(_ server: LoadServer, _ pid: pid_t) async throws {
        let users = try await (0..<20).asyncMap { try await LoadUser.signUp(on: server, number: 1000 + $0) }
        let before = ProcessUse.now(pid)
        var connections: [WebSocketClient] = []
        for number in 0..<idleConnections {
            connections.append(try await users[number % users.count].connect())
        }
        let after = ProcessUse.now(pid)
        let perConnection =
            Double(after.residentBytes - before.residentBytes) / Double(idleConnections) / 1024
        print("server: \(idleConnections) idle connections")
        Report.line("memory per idle connection", perConnection, "KB", goal: "≤ 20")
        for connection in connections { await connection.close(code: 1000, reason: "") }
    }
}

extension Sequence {
    func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}
