import Testing

@testable import WebSockets

@Suite("Compression", .timeLimit(.minutes(5)))
struct CompressionTests {
    // Field case 58
    @Test("Compression is never agreed to, and a compressed frame ends the connection")
    func refused() async throws {
        let scene = try Scene { $0.timeouts.close = .milliseconds(50) }
        let socket = try scene.raw()
        socket.send(
            "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n")
        let head = await socket.read(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        #expect(!head.lowercased().contains("sec-websocket-extensions"))

        // "Hello" as RFC 7692 compresses it, with the bit that says so.
        var frame = clientFrame([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        frame[0] |= 0x40
        socket.send(frame)
        #expect(await scene.handler.closings.first().code == 1002)
        #expect(scene.handler.messages.all.isEmpty)
        await scene.stop()
    }

    // Field case 58
    @Test("A client does not ask for compression")
    func notAsked() async throws {
        let requests = Events<HTTPRequest>()
        let scene = try Scene(
            RecordingHandler(onUpgrade: { request in
                requests.add(request)
                return .accept
            }))
        let client = try await scene.connect()
        #expect(await requests.first().headers["sec-websocket-extensions"] == nil)
        await client.close(code: 1000, reason: "")
        await scene.stop()
    }
}
