import Foundation
import Testing
import WebSockets

@Suite("Many and hostile connections", .timeLimit(.minutes(2)))
struct CrowdTests {
    @Test("Two thousand connections are open at once, and each hears a broadcast")
    func crowd() async throws {
        let count = 2000
        let scene = try Scene(RecordingHandler())
        var clients: [WebSocketClient] = []
        for start in stride(from: 0, to: count, by: 100) {
            try await withThrowingTaskGroup(of: WebSocketClient.self) { group in
                for _ in start..<start + 100 { group.addTask { try await scene.connect() } }
                for try await client in group { clients.append(client) }
            }
        }
        let connections = await scene.handler.openings.wait(for: count)
        let shared = SharedBytes(bytes("to all"))
        for connection in connections { connection.send(shared) }
        for client in clients { #expect(try await client.next(1) == [bytes("to all")]) }
        await scene.listener.stop(within: .seconds(30), reason: "over")
        #expect(scene.handler.closings.all.count == count)
        #expect(scene.handler.closings.all.allSatisfy { $0.code == 4012 })
    }

    @Test("Random bytes before and after the upgrade never hurt the server", arguments: UInt64(0)..<60)
    func garbage(seed: UInt64) async throws {
        let tls = seed % 4 == 0 ? identity("localhost") : nil
        let scene = try Scene(.echo(), host: "localhost", tls: tls) { $0.timeouts.close = .milliseconds(10) }
        var random = Seeded(seed)
        for _ in 0..<10 {
            let socket = try scene.raw()
            if tls == nil, Bool.random(using: &random) { _ = await socket.upgrade() }
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                socket.send(random.bytes(.random(in: 1...2000, using: &random)))
            }
            if Bool.random(using: &random) { socket.endOutput() }
        }
        let client = try await scene.connect { $0.trustedCertificatePath = fixture("authority.pem") }
        try client.send(bytes("still here"))
        #expect(try await client.next(1) == [bytes("still here")])
        await scene.stop()
        #expect(scene.handler.closings.all.count == scene.handler.openings.all.count)
    }

    @Test("Requests put together at random never hurt the server", arguments: UInt64(0)..<60)
    func hostileRequests(seed: UInt64) async throws {
        let handler = RecordingHandler(onRequest: { _, reply in
            let answer: @Sendable () -> Void = { reply(HTTPResponse(status: 200)) }
            if seed % 2 == 0 { answer() } else { Thread { answer() }.start() }
        })
        let scene = try Scene(handler) {
            $0.timeouts.close = .milliseconds(10)
            $0.limits.headerBytes = 300
            $0.limits.bodyBytes = 20
        }
        let parts = [
            "GET / HTTP/1.1\r\n", "GET /ws HTTP/1.1\r\n", "POST /p HTTP/1.1\r\n",
            "PUT /%41?a&b=%26;c HTTP/1.1\r\n",
            "Host: x\r\n", "Content-Length: 3\r\n", "Content-Length: 21\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Upgrade: websocket\r\n", "Upgrade: h2c\r\n", "Upgrade: teapot\r\n", "Connection: Upgrade\r\n",
            "Connection: close\r\n", "Expect: 100-continue\r\n", "Sec-WebSocket-Version: 13\r\n",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "A: b\r\n", "X-Any: thing\r\n", "\r\n", "\r\n",
            "abc",
            "\n", "\r", ":", " ", "\u{0}", "%", "\u{81}\u{80}", String(repeating: "a", count: 100),
        ]
        var random = Seeded(seed)
        for _ in 0..<10 {
            let socket = try scene.raw()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let count = Int.random(in: 1...30, using: &random)
                let whole = Bool.random(using: &random) ? parts[0] + parts[4] + "\r\n" : ""
                socket.send(
                    whole + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined())
            }
            if Bool.random(using: &random) { socket.endOutput() }
        }
        let client = try await scene.connect()
        await client.close(code: 1000, reason: "")
        await scene.stop()
        #expect(scene.handler.closings.all.count == scene.handler.openings.all.count)
    }

    @Test("Clients that come and go in every way leave nothing behind")
    func churn() async throws {
        let scene = try Scene()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let client = try await scene.connect()
                    switch number % 4 {
                    case 0: await client.close(code: 1000, reason: "")
                    case 1: try client.send(bytes("and gone"))
                    case 2: _ = try scene.raw()
                    default: break
                    }
                }
            }
            try await group.waitForAll()
        }
        await scene.handler.closings.wait(for: 200)
        await scene.stop()
        #expect(scene.handler.closings.all.count == 200)
    }
}
