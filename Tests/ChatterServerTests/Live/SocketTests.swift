import ChatterModel
import ChatterTestSupport
import Foundation
import FoundationNetworking
import Testing
import WebSockets

@testable import ChatterServer

/// The same server behind a real port.
@Suite("Over real sockets", .timeLimit(.minutes(5)))
struct SocketTests {
    let server: TestServer
    let device: TestDevice
    let port: UInt16

    init() async throws {
        server = try await TestServer { $0.port = 0 }
        device = try await server.signIn(phone: server.newPhone())
        port = try server.server.start()
    }

    private func connect(
        token: String? = nil, clientKey: String? = nil,
        _ change: (inout WebSocketClientConfiguration) -> Void = { _ in }
    ) async throws -> WebSocketClient {
        // `!`: made of valid parts.
        var configuration = WebSocketClientConfiguration(
            url: URL(string: "ws://127.0.0.1:\(port)/v1/ws")!,
            headers: [
                ("X-Client-Key", clientKey ?? device.clientKey),
                ("Authorization", "Bearer \(token ?? device.accessToken)"),
            ])
        change(&configuration)
        return try await WebSocketClient.connect(configuration)
    }

    /// What a WebSocket's handshake is answered, with the body, which a `WebSocketClient` does not hand out.
    private func answer(token: String? = nil, clientKey: String? = nil) async throws -> HTTPResponse {
        // `!`: made of valid parts.
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)/v1/ws")!)
        request.allHTTPHeaderFields = [
            "X-Client-Key": clientKey ?? device.clientKey,
            "Authorization": "Bearer \(token ?? device.accessToken)",
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        let (body, response) = try await URLSession.shared.data(for: request)
        return HTTPResponse(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: [UInt8](body))
    }

    @Test("A signed-in device is greeted, and its frames are answered in order")
    func greeting() async throws {
        let client = try await connect()
        for number in 0..<100 { try client.send(try Wire.encode(ClientFrame(.ping, id: "\(number)"))) }
        var frames: [ServerFrame] = []
        for try await message in client.messages {
            frames.append(try Wire.decode(ServerFrame.self, from: message))
            if frames.count == 101 { break }
        }
        guard case .sessionReady(let ready) = frames[0].event else {
            Issue.record("first came \(frames[0])")
            return
        }
        #expect(ready.userID == device.user && ready.deviceID == device.device)
        #expect(frames.dropFirst() == (0..<100).map { ServerFrame(.pong, id: "\($0)") }[...])
        await client.close(code: 1000, reason: "")
        await server.stop()
    }

    @Test("An upgrade without a valid key and token is refused as JSON, with the same codes as a call")
    func refusals() async throws {
        let wrongToken = try await answer(token: "cha_nonsense")
        #expect(try wrongToken.apiError.code == .tokenInvalid)
        let wrongKey = try await answer(clientKey: "ck_nobody")
        #expect(try wrongKey.apiError.code == .clientKeyInvalid)
        server.clock.advance(by: .seconds(3600))
        let expired = try await answer()
        #expect(try expired.apiError.code == .tokenExpired)
        #expect([wrongToken, wrongKey, expired].map(\.status) == [401, 401, 401])
        await #expect(throws: WebSocketError.self) { try await connect() }
        await server.stop()
    }

    // Field case 64
    @Test("Bound to the IPv6 wildcard it serves both families, and by name as by address")
    func dualStack() async throws {
        let both = try await TestServer { configuration in
            configuration.host = "::"
            configuration.port = 0
        }
        let device = try await both.signIn(phone: both.newPhone())
        let port = try both.server.start()
        for host in ["[::1]", "127.0.0.1", "localhost"] {
            let client = try await connect(token: device.accessToken, clientKey: both.clientKey) {
                // `!`: made of valid parts.
                $0.url = URL(string: "ws://\(host):\(port)/v1/ws")!
            }
            var messages = client.messages.makeAsyncIterator()
            let first = try #require(try await messages.next(), "\(host)")
            #expect(try Wire.decode(ServerFrame.self, from: first).event.type == "session.ready")
            await client.close(code: 1000, reason: "")
        }
        await both.stop()
        await server.stop()
    }

    @Test("Stopping says 4012 to every socket, and what was asked before is still answered")
    func stop() async throws {
        let clients = [try await connect(), try await connect()]
        for client in clients { try client.send(try Wire.encode(ClientFrame(.ping))) }
        var types: [[String]] = []
        for client in clients {
            var iterator = client.messages.makeAsyncIterator()
            var seen: [String] = []
            while seen.count < 2, let message = try await iterator.next() {
                seen.append(try Wire.decode(ServerFrame.self, from: message).event.type)
            }
            types.append(seen)
        }
        #expect(types == [["session.ready", "pong"], ["session.ready", "pong"]])
        await server.stop()
        for client in clients { #expect(client.closeCode?.code == CloseCode.restarting.rawValue) }
    }

    @Test("A frame above the limit closes with 1009 and leaves the others alone")
    func tooLarge() async throws {
        let (large, small) = (try await connect { $0.limits.queueBytes = 4 << 20 }, try await connect())
        try large.send([UInt8](repeating: UInt8(ascii: "x"), count: ChatterModel.Limits.frameBytes + 1))
        for try await _ in large.messages {}
        #expect(large.closeCode?.code == CloseCode.tooLarge.rawValue)
        #expect(small.closeCode == nil)
        await server.stop()
    }

    // Field case 62
    @Test("A client that stops reading is cut off, and the others are served all the while")
    func slowReader() async throws {
        // Nobody takes from `messages`: after this many bytes the client reads no more from its socket.
        let slow = try await connect { $0.limits.queueBytes = 64 << 10 }
        let other = try await server.signIn(phone: server.newPhone())
        let quick = try await connect(token: other.accessToken)
        var received = quick.messages.makeAsyncIterator()
        #expect(try await received.next() != nil)
        let hub = server.server.services.hub
        let bulk = FrameError(code: "BULK", message: String(repeating: "x", count: 50_000))
        // Ends when the kernel's buffers and the connection's own queue are full.
        while hub.connectionCount == 2, slow.closeCode == nil, !(await slowConsumers().contains("total 1")) {
            hub.deliver([Outgoing(ServerFrame(.error(bulk)), to: .user(device.user))])
            hub.deliver([Outgoing(ServerFrame(.pong), to: .user(other.user))])
            #expect(try await received.next() != nil)
        }
        #expect(await slowConsumers().contains("total 1"))
        // What had arrived can still be read; then it ends.
        for try await _ in slow.messages {}
        #expect(slow.closeCode != nil)
        #expect(quick.closeCode == nil)
        await quick.close(code: 1000, reason: "")
        await server.stop()
    }

    private func slowConsumers() async -> String {
        let page = await server.anonymous.send("GET", "/metrics")
        return String(decoding: page.body, as: UTF8.self).split(separator: "\n")
            .last { $0.hasPrefix("chatter_slow_consumers_total") }.map(String.init) ?? ""
    }

    @Test("What the listener refuses by itself is an error of the contract too")
    func listenerRefusals() async throws {
        // `!`: made of valid parts.
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)/healthz")!)
        request.setValue(String(repeating: "y", count: 20_000), forHTTPHeaderField: "Authorization")
        let (body, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 431)
        #expect(try Wire.decode(ErrorBody.self, from: [UInt8](body)).error.code == "HEADERS_TOO_LARGE")
        await server.stop()
    }
}
