import Foundation
import Testing
import WebSockets

/// What to serve, and what to dial then.
private let servedAndDialled = [
    ("localhost", "localhost"), ("localhost", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::1", "::1"),
    ("::", "127.0.0.1"), ("::", "::1"),
].filter { speaksIPv6 || !$0.0.contains(":") }

@Suite("Listening and stopping", .timeLimit(.minutes(5)))
struct ListenTests {
    private func listen(
        host: String = "127.0.0.1", port: UInt16 = 0, tls: TLSIdentity? = nil
    ) throws(WebSocketError) -> Listener {
        try Listener(
            ListenerConfiguration(host: host, port: port, tls: tls, webSocketPath: "/ws"),
            handler: RecordingHandler())
    }

    private func failure(_ body: () throws(WebSocketError) -> Listener) -> WebSocketError? {
        do throws(WebSocketError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("A port in use is told by name")
    func portInUse() throws {
        let first = try listen()
        let error = failure { () throws(WebSocketError) in try listen(port: first.port) }
        #expect(error == .addressInUse("127.0.0.1:\(first.port)"))
        #expect("\(error!)" == "127.0.0.1:\(first.port) is already in use")  // `!`: compared just above
    }

    @Test("A host that is not here is told apart", arguments: ["192.0.2.1", "no-such-host.invalid", ""])
    func badHost(host: String) {
        guard case .badHost = failure({ () throws(WebSocketError) in try listen(host: host) }) else {
            Issue.record("\(host) was not refused as a bad host")
            return
        }
    }

    @Test("TLS files that do not fit are told apart")
    func badFiles() {
        let localhost = fixture("localhost.pem")
        for (certificate, key) in [
            ("/no/such/file", fixture("localhost.key")), (localhost, "/no/such/file"),
            (localhost, fixture("elsewhere.key")), (fixture("README.md"), fixture("localhost.key")),
        ] {
            let identity = TLSIdentity(certificatePath: certificate, privateKeyPath: key)
            guard
                case .badIdentity(let why) = failure({ () throws(WebSocketError) in try listen(tls: identity)
                })
            else {
                Issue.record("\(certificate) with \(key) was accepted")
                continue
            }
            #expect(
                why.contains(".key") || why.contains(".pem") || why.contains("/no/such/file")
                    || why.contains(".md"))
            #expect(!why.contains("\n"))
        }
    }

    // Field case 64
    @Test("Names, IPv4, IPv6 and all addresses at once are served", arguments: servedAndDialled)
    func hosts(served: String, dialled: String) async throws {
        let scene = try Scene(.echo(), host: dialled) { $0.host = served }
        let client = try await scene.connect()
        try client.send(bytes("hello"))
        #expect(try await client.next(1) == [bytes("hello")])
        let expected = dialled == "localhost" ? ["127.0.0.1", "::1"] : [dialled]
        #expect(await expected.contains(scene.handler.openings.first().remoteAddress))
        await scene.stop()
    }

    @Test("A listener that was never started gives its port back")
    func neverStarted() async throws {
        var listener: Listener? = try listen()
        let port = listener?.port ?? 0
        listener = nil
        let again = try listen(port: port)
        again.start()
        await again.stop(within: .seconds(1), reason: "")
        await again.stop(within: .seconds(1), reason: "twice does nothing")
    }

    @Test("Stopping answers what is in flight, delivers what is queued and tells clients why")
    func stop() async throws {
        let replies = Events<RecordingHandler.Reply>()
        let scene = try Scene(RecordingHandler(onRequest: { _, reply in replies.add(reply) }))
        let client = try await scene.connect()
        let connection = await scene.handler.openings.first()
        let waiting = try scene.raw()
        waiting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let reply = await replies.first()
        let idle = try scene.raw()
        for number in 0..<1000 { connection.send(bytes("\(number)")) }
        async let stopped: Void = scene.listener.stop(within: .seconds(20), code: 4012, reason: "restart")
        var received: [String] = []
        for try await message in client.messages { received.append(text(message)) }
        #expect(received == (0..<1000).map { "\($0)" })
        #expect(client.closeCode?.code == 4012)
        #expect(client.closeCode?.reason == "restart")
        #expect(await idle.read().isEmpty)
        #expect(scene.handler.closings.all.map(\.code) == [4012])
        #expect(throws: RawSocket.Failure.self) { try scene.raw() }
        reply(HTTPResponse(status: 200, body: bytes("still answered")))
        let answer = text(await waiting.read())
        #expect(answer.hasSuffix("still answered"))
        #expect(answer.contains("Connection: close"))
        await stopped
    }

    @Test("Stopping ends in time with connections in every state")
    func stopAnyState() async throws {
        let handler = RecordingHandler(
            onRequest: { request, reply in
                if request.path == "/never" { forgotten.add(reply) } else { reply(HTTPResponse(status: 200)) }
            },
            onMessage: { _, _, connection in
                while connection.send([UInt8](repeating: 0x61, count: 10_000)),
                    connection.queuedBytes < 500_000
                {}
            })
        let scene = try Scene(handler) { $0.timeouts.close = .seconds(20) }
        let silent = try scene.raw()
        let half = try scene.raw()
        half.send("GET / HT")
        let body = try scene.raw()
        body.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
        let kept = try scene.raw()
        kept.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = await kept.read(through: "\r\n\r\n")
        let unanswered = try scene.raw()
        unanswered.send("GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
        let open = try await scene.connect()
        let deaf = try RawSocket(port: scene.listener.port, receiveBuffer: 4096)
        _ = await deaf.upgrade()
        deaf.send(clientFrame(bytes("fill me")))
        let closing = try scene.raw()
        _ = await closing.upgrade()
        await handler.openings.wait(for: 3)[2].close(code: 1000, reason: "not answered")
        await handler.messages.wait(for: 1)
        await forgotten.wait(for: 1)
        await scene.listener.stop(within: .milliseconds(200), reason: "now")
        #expect(handler.closings.all.count == 3)
        #expect(try await open.end() == 4012)
        for socket in [silent, half, body, unanswered, closing, deaf] { withExtendedLifetime(socket) {} }
    }

    /// Replies that a test keeps and never uses.
    private let forgotten = Events<RecordingHandler.Reply>()

    @Test("After stopping nothing is left: not the handler, not the loop")
    func freed() async throws {
        weak var handler: RecordingHandler?
        do {
            let scene = try Scene()
            handler = scene.handler
            let client = try await scene.connect()
            try client.send(bytes("x"))
            #expect(try await client.next(1) == [bytes("x")])
            let half = try scene.raw()
            half.send("GET / HT")
            await scene.listener.stop(within: .milliseconds(50), reason: "")
            #expect(handler != nil)
        }
        #expect(handler == nil)
    }

    @Test("Work handed to the loop runs on it, in order")
    func perform() async throws {
        let scene = try Scene()
        let done = Events<Int>()
        for number in 0..<100 { scene.listener.perform { done.add(number) } }
        #expect(await done.wait(for: 100) == Array(0..<100))
        await scene.stop()
    }
}
