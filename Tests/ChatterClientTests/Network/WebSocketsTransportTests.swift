import ChatterTestSupport
import Foundation
import Testing
import WebSockets

@testable import ChatterClient

@Suite("Sockets over a real network", .timeLimit(.minutes(5)))
struct WebSocketsTransportTests {
    private let transport = WebSocketsTransport()

    @Test("Messages go both ways, and the server's close code arrives")
    func echo() async throws {
        let server = try await EchoServer()
        let socket = try await transport.connect(server.request(headers: ["Authorization": "Bearer good"]))
        try await socket.send(Array("hello".utf8))
        try await socket.send(Array("close 4001".utf8))
        var events: [SocketEvent] = []
        for await event in socket.events { events.append(event) }
        #expect(events == [.text(Array("hello".utf8)), .closed(.byServer(code: 4001))])
        await server.stop()
    }

    @Test("A refused handshake tells the status and when to come back")
    func refused() async throws {
        let server = try await EchoServer()
        await #expect(throws: SocketError.refused(status: 401, retryAfter: "3")) {
            _ = try await transport.connect(server.request(headers: ["Authorization": "Bearer bad"]))
        }
        await server.stop()
    }

    @Test("A message above the limit ends the connection as such")
    func tooLarge() async throws {
        let server = try await EchoServer()
        let socket = try await transport.connect(
            server.request(headers: ["Authorization": "Bearer good"], limit: 1000))
        try await socket.send([UInt8](repeating: 120, count: 1001))
        var events: [SocketEvent] = []
        for await event in socket.events { events.append(event) }
        #expect(events == [.closed(.messageTooLarge)])
        await server.stop()
    }

    @Test("Nobody there is no connection")
    func nobody() async throws {
        let url = URL(string: "ws://127.0.0.1:\(try Socket.freePort())/ws")!  // digits
        do {
            _ = try await transport.connect(SocketRequest(url: url, messageLimit: 1000))
            Issue.record("it connected")
        } catch {
            if case .noConnection = error { return }
            Issue.record("\(error)")
        }
    }

    @Test("Closing ends the events, and nothing can be sent afterwards")
    func closing() async throws {
        let server = try await EchoServer()
        let socket = try await transport.connect(server.request(headers: ["Authorization": "Bearer good"]))
        socket.close(code: 1000)
        var last: SocketEvent?
        for await event in socket.events { last = event }
        #expect(last == .closed(.byServer(code: 1000)))
        await #expect(throws: SocketError.closed) { try await socket.send([120]) }
        await server.stop()
    }
}

/// Sends back what it gets; `close N` closes with N; only `Bearer good` may come in.
private final class EchoServer {
    private let listener: Listener

    init() async throws {
        let handler = Handler()
        listener = try Listener(
            ListenerConfiguration(host: "127.0.0.1", port: 0, webSocketPath: "/ws"), handler: handler)
        listener.start()
    }

    func request(headers: [String: String], limit: Int = 1 << 20) -> SocketRequest {
        let url = URL(string: "ws://127.0.0.1:\(listener.port)/ws")!  // digits
        return SocketRequest(url: url, headers: headers, messageLimit: limit)
    }

    func stop() async { await listener.stop(within: .seconds(1), reason: "done") }
}

private final class Handler: ListenerHandler {
    func respond(
        to request: WebSockets.HTTPRequest, _ reply: @escaping @Sendable (WebSockets.HTTPResponse) -> Void
    ) {
        reply(WebSockets.HTTPResponse(status: 404))
    }

    func upgrade(_ request: WebSockets.HTTPRequest) -> UpgradeVerdict {
        guard request.headers["authorization"] == "Bearer good" else {
            return .reject(WebSockets.HTTPResponse(status: 401, headers: [("Retry-After", "3")]))
        }
        return .accept
    }

    func opened(_ connection: WebSocketConnection, request: WebSockets.HTTPRequest) {}

    func received(_ message: [UInt8], isText: Bool, on connection: WebSocketConnection) {
        let text = String(decoding: message, as: UTF8.self)
        if let code = text.split(separator: " ").last.flatMap({ UInt16($0) }), text.hasPrefix("close") {
            connection.close(code: code, reason: "asked")
        } else {
            connection.send(message)
        }
    }

    func closed(_ connection: WebSocketConnection, code: UInt16, reason: String) {}
}
