import Foundation
import Testing

@testable import WebSockets

@Suite("Connecting", .timeLimit(.minutes(5)))
struct ClientTests {
    private func failure(_ configuration: WebSocketClientConfiguration) async -> WebSocketError? {
        do throws(WebSocketError) {
            _ = try await WebSocketClient.connect(configuration)
            return nil
        } catch {
            return error
        }
    }

    @Test("Path, query and headers reach the server as they are")
    func request() async throws {
        let requests = Events<HTTPRequest>()
        let scene = try Scene(
            RecordingHandler(onUpgrade: { request in
                requests.add(request)
                return .accept
            })
        ) { $0.customHeaders = ["x-client-key"] }
        let client = try await scene.connect {
            $0.url = scene.url("/ws?token=a%2Bb&x=1")
            $0.headers = [("X-Client-Key", "key"), ("Authorization", "Bearer t")]
        }
        let request = await requests.first()
        #expect(request.path == "/ws")
        #expect(request.query == "token=a%2Bb&x=1")
        #expect(request.headers["x-client-key"] == "key")
        #expect(request.headers["authorization"] == "Bearer t")
        #expect(request.headers["host"] == "127.0.0.1:\(scene.listener.port)")
        await client.close(code: 1000, reason: "")
        await scene.stop()
    }

    @Test("A refusal carries its status and the headers that libwebsockets knows")
    func refused() async throws {
        let scene = try Scene(
            RecordingHandler(onUpgrade: { _ in
                .reject(HTTPResponse(status: 429, headers: [("Retry-After", "7")], body: bytes("lost")))
            }))
        guard case .refused(429, let headers, let body) = await failure(.init(url: scene.url)) else {
            Issue.record("not refused")
            return
        }
        #expect(headers["retry-after"] == "7")
        #expect(body.isEmpty)
        #expect(scene.handler.openings.all.isEmpty)
        await scene.stop()
    }

    @Test("A path that is no WebSocket is answered by the HTTP handler")
    func otherPath() async throws {
        let scene = try Scene()
        guard case .refused(404, _, _) = await failure(.init(url: scene.url("/other"))) else {
            Issue.record("not refused")
            return
        }
        await scene.stop()
    }

    @Test("A host where nothing listens is unreachable, and an unknown name too")
    func unreachable() async throws {
        let port = try RawListener().port
        for url in ["ws://127.0.0.1:\(port)/", "ws://localhost:\(port)/", "ws://no-such-host.invalid/"] {
            let error = await failure(.init(url: try #require(URL(string: url))))
            guard case .unreachable(let why) = error else {
                Issue.record("\(url): \(String(describing: error))")
                continue
            }
            #expect(!why.isEmpty)
        }
    }

    @Test("A server that does not answer is given up in time")
    func silentServer() async throws {
        let listener = try RawListener()
        var configuration = WebSocketClientConfiguration(url: listener.url)
        configuration.connectTimeout = .milliseconds(50)
        #expect(await failure(configuration) == .timedOut("127.0.0.1"))
    }

    @Test("Cancelling the task ends the attempt")
    func cancelled() async throws {
        let listener = try RawListener()
        let url = listener.url
        let attempt = Task { await failure(.init(url: url)) }
        let socket = await listener.accept()
        _ = await socket.read(through: "\r\n\r\n")
        attempt.cancel()
        #expect(await attempt.value == .cancelled)
        #expect(await socket.read().isEmpty)
        let early = Task { await failure(.init(url: url)) }
        early.cancel()
        #expect(await early.value == .cancelled)
    }

    @Test(
        "A URL that is no WebSocket's is refused",
        arguments: ["ftp://x/", "ws:///path", "file:///x", "ws://h:0/"])
    func badURL(text: String) async throws {
        guard case .badURL = await failure(.init(url: try #require(URL(string: text)))) else {
            Issue.record("\(text) was tried")
            return
        }
    }

    @Test("A header that would break the request is refused before anything is sent")
    func badHeader() async throws {
        let scene = try Scene()
        for header in [("A", "b\r\nC: d"), ("A b", "c"), ("A\n", "c")] {
            var configuration = WebSocketClientConfiguration(url: scene.url)
            configuration.headers = [header]
            #expect(await failure(configuration) != nil)
        }
        #expect(scene.handler.openings.all.isEmpty)
        await scene.stop()
    }

    @Test(
        "An answer that is no WebSocket's is told",
        arguments: [
            "HTTP/1.1 101 x\r\n\r\n",
            "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n",
        ])
    func wrongAnswer(answer: String) async throws {
        let listener = try RawListener()
        async let error = failure(.init(url: listener.url))
        let socket = await listener.accept()
        socket.send(answer)
        guard case .badHandshake = await error else {
            Issue.record("accepted")
            return
        }
    }

    @Test("A server that hangs up in the handshake is unreachable; what it said before still counts")
    func hangsUp() async throws {
        let listener = try RawListener()
        async let silent = failure(.init(url: listener.url))
        _ = await listener.accept()
        guard case .unreachable = await silent else {
            Issue.record("no error")
            return
        }
        async let spoken = failure(.init(url: listener.url))
        var socket: RawSocket? = await listener.accept()
        _ = await socket?.read(through: "\r\n\r\n")
        socket?.send("HTTP/1.1 403 No\r\n\r\nbecause")
        socket = nil
        #expect(await spoken == .refused(status: 403, headers: [:], body: []))
    }

    @Test("A server that vanishes ends the messages with 1006")
    func vanishes() async throws {
        let listener = try RawListener()
        async let accepted = listener.acceptWebSocket()
        let client = try await WebSocketClient.connect(.init(url: listener.url))
        let socket = await accepted
        socket.send(clientFrame(bytes("last words"), isMasked: false))
        #expect(try await client.next(1) == [bytes("last words")])
        socket.end()
        #expect(try await client.end() == 1006)
    }

    @Test("A send queue that is full throws once and ends the connection")
    func queueFull() async throws {
        let listener = try RawListener()
        async let accepted = listener.acceptWebSocket()
        var configuration = WebSocketClientConfiguration(url: listener.url)
        configuration.limits.queueBytes = 50_000
        configuration.closeTimeout = .milliseconds(50)
        let client = try await WebSocketClient.connect(configuration)
        let socket = await accepted
        let piece = [UInt8](repeating: 0x61, count: 10_000)
        var error: WebSocketError?
        while error == nil {
            do throws(WebSocketError) { try client.send(piece) } catch let thrown { error = thrown }
        }
        #expect(error == .queueFull)
        _ = try await client.end()
        guard case .closed = #expect(throws: WebSocketError.self, performing: { try client.send(piece) })
        else {
            Issue.record("not closed")
            return
        }
        withExtendedLifetime(socket) {}
    }

    @Test("An application that does not read holds the server back, and loses nothing when it reads again")
    func backpressure() async throws {
        let scene = try Scene(RecordingHandler()) {
            $0.limits.queueBytes = 256 << 20
            $0.timeouts.close = .seconds(60)
        }
        let client = try await scene.connect { $0.limits.queueBytes = 100_000 }
        let connection = await scene.handler.openings.first()
        let piece = [UInt8](repeating: 0x61, count: 100_000)
        let count = 500
        for _ in 0..<count { connection.send(piece) }
        connection.close(code: 1000, reason: "")
        #expect(connection.queuedBytes > 20_000_000)
        var received = 0
        for try await message in client.messages {
            #expect(message.count == piece.count)
            received += 1
        }
        #expect(received == count)
        #expect(client.closeCode?.code == 1000)
        await scene.stop()
    }

    @Test("Waiting for a message ends when the task is cancelled")
    func cancelledWait() async throws {
        let scene = try Scene()
        let client = try await scene.connect()
        let waiting = Task { try await client.next(1) }
        waiting.cancel()
        #expect(try await waiting.value == [])
        await client.close(code: 1000, reason: "")
        await scene.stop()
    }

    @Test("A client that is let go closes its connection")
    func letGo() async throws {
        let scene = try Scene()
        var client: WebSocketClient? = try await scene.connect()
        #expect(client != nil)
        client = nil
        #expect(await scene.handler.closings.first().code == 1001)
        await scene.stop()
    }

    @Test("A server's ping is answered, masked as a client must")
    func ping() async throws {
        let listener = try RawListener()
        async let accepted = listener.acceptWebSocket()
        let client = try await WebSocketClient.connect(.init(url: listener.url))
        let socket = await accepted
        socket.send(clientFrame(bytes("are you there"), opcode: 9, isMasked: false))
        let answer = await socket.read { $0.count >= 19 }
        #expect(answer.prefix(2) == [0x8A, 0x80 | 13])
        let mask = Array(answer[2..<6])
        #expect(answer[6...].enumerated().map { $1 ^ mask[$0 % 4] } == bytes("are you there"))
        socket.end()
        #expect(try await client.end() == 1006)
    }
}
