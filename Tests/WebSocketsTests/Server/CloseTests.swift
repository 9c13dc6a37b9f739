import Foundation
import Testing
import WebSockets

@Suite("How a WebSocket ends", .timeLimit(.minutes(5)))
struct CloseTests {
    @Test(
        "The server's close sends what is queued first, then code and reason",
        arguments: [1000, 4001, 4012] as [UInt16])
    func serverCloses(code: UInt16) async throws {
        let scene = try Scene(RecordingHandler())
        let client = try await scene.connect()
        let connection = await scene.handler.openings.first()
        for number in 0..<100 { connection.send(bytes("\(number)")) }
        connection.close(code: code, reason: "grüße")
        #expect(!connection.send(bytes("too late")))
        connection.close(code: 1011, reason: "second close")
        var received: [String] = []
        for try await message in client.messages { received.append(text(message)) }
        #expect(received == (0..<100).map { "\($0)" })
        #expect(client.closeCode?.code == code)
        #expect(client.closeCode?.reason == "grüße")
        let closed = await scene.handler.closings.first()
        #expect(closed == .init(id: connection.id, code: code, reason: "grüße"))
        #expect(!connection.send(bytes("closed")))
        await scene.stop()
        #expect(scene.handler.closings.all.count == 1)
    }

    @Test(
        "The codes 1012 to 1014 arrive as 1002, which is why a stopping server says 4012",
        arguments: 1012...1014)
    func rewritten(code: Int) async throws {
        let scene = try Scene(RecordingHandler())
        let client = try await scene.connect()
        await scene.handler.openings.first().close(code: UInt16(code), reason: "")
        #expect(try await client.end() == 1002)
        await scene.stop()
    }

    @Test("The client's close sends what is queued first, and sending afterwards throws")
    func clientCloses() async throws {
        let scene = try Scene(RecordingHandler())
        let client = try await scene.connect()
        for number in 0..<100 { try client.send(bytes("\(number)")) }
        await client.close(code: 4100, reason: "bye")
        #expect(throws: WebSocketError.closed(code: 4100, reason: "bye")) { try client.send(bytes("x")) }
        let closed = await scene.handler.closings.first()
        #expect(closed.code == 4100 && closed.reason == "bye")
        #expect(scene.handler.messages.all == (0..<100).map { bytes("\($0)") })
        await scene.stop()
    }

    @Test("A client that vanishes is closed with 1006, once")
    func vanished() async throws {
        let scene = try Scene()
        var socket: RawSocket? = try scene.raw()
        _ = await socket?.upgrade()
        socket = nil
        #expect(await scene.handler.closings.first().code == 1006)
        await scene.stop()
        #expect(scene.handler.closings.all.count == 1)
    }

    @Test("A message over the limit closes with 1009, in both directions")
    func tooLarge() async throws {
        let scene = try Scene { $0.limits.frameBytes = 1000 }
        let client = try await scene.connect()
        try client.send([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(try await client.end() == 1009)
        #expect(await scene.handler.closings.first().code == 1009)
        let strict = try await scene.connect { $0.limits.frameBytes = 10 }
        let connection = await scene.handler.openings.wait(for: 2)[1]
        connection.send(bytes("more than ten"))
        #expect(try await strict.end() == 1009)
        #expect(await scene.handler.closings.wait(for: 2)[1].code == 1009)
        await scene.stop()
    }

    @Test(
        "A peer that breaks the protocol is told why",
        arguments: [
            (clientFrame([0xFF]), 1007), (clientFrame(bytes("x"), opcode: 3), 1002),
            (clientFrame(bytes("x"), opcode: 9, isFinal: false), 1002),
            (clientFrame(bytes("x"), opcode: 0), 1002),
        ] as [([UInt8], UInt16)])
    func violation(frame: [UInt8], code: UInt16) async throws {
        let scene = try Scene(RecordingHandler()) { $0.timeouts.close = .milliseconds(50) }
        let socket = try scene.raw()
        _ = await socket.upgrade()
        socket.send(clientFrame(bytes("ok")) + frame + clientFrame(bytes("never read")))
        let frames = try #require(serverFrames(await socket.read()))
        #expect(frames.map(\.opcode) == [8])
        #expect(frames[0].payload.prefix(2).elementsEqual([UInt8(code >> 8), UInt8(code & 0xFF)]))
        #expect(await scene.handler.closings.first().code == code)
        #expect(scene.handler.messages.all == [bytes("ok")])
        await scene.stop()
    }

    // Field case 62
    @Test("A client that stops reading is closed with 4008, and what was queued for it is freed")
    func slowConsumer() async throws {
        let scene = try Scene(RecordingHandler()) {
            $0.limits.queueBytes = 100_000
            $0.timeouts.close = .milliseconds(100)
        }
        let socket = try RawSocket(port: scene.listener.port, receiveBuffer: 4096)
        _ = await socket.upgrade()
        let connection = await scene.handler.openings.first()
        let piece = [UInt8](repeating: 0x61, count: 10_000)
        var accepted = 0
        while connection.send(piece) { accepted += 1 }
        #expect(accepted >= 10)
        #expect(await scene.handler.closings.first().code == 4008)
        #expect(connection.queuedBytes == 0)
        #expect(!connection.send(piece))
        await scene.stop()
    }

    @Test("A slow client that reads again after all finds only whole frames and the Close frame")
    func slowConsumerReads() async throws {
        let scene = try Scene(RecordingHandler()) {
            $0.limits.queueBytes = 100_000
            $0.limits.frameBytes = 100_000
            $0.timeouts.close = .seconds(30)
        }
        let socket = try RawSocket(port: scene.listener.port, receiveBuffer: 4096)
        _ = await socket.upgrade()
        let connection = await scene.handler.openings.first()
        let piece = [UInt8](repeating: 0x61, count: 10_000)
        while connection.send(piece) {}
        // The Close frame is the last thing, and 0x88 occurs nowhere else.
        let stream = await socket.read {
            $0.suffix(40).contains(0x88) && $0.suffix(20).contains(UInt8(ascii: "y"))
        }
        let frames = try #require(serverFrames(stream))
        #expect(frames.dropLast().allSatisfy { $0.opcode == 1 && $0.payload == piece })
        #expect(frames.last?.opcode == 8)
        #expect(frames.last?.payload.prefix(2).elementsEqual([0x0F, 0xA8]) == true)
        await scene.stop()
    }

    @Test("A half-open peer is pinged, then given up")
    func halfOpen() async throws {
        let scene = try Scene {
            $0.timeouts.idlePing = .seconds(1)
            $0.timeouts.idleClose = .seconds(2)
        }
        let socket = try scene.raw()
        _ = await socket.upgrade()
        // A ping comes, and nobody answers it.
        #expect(await socket.read { $0.count >= 2 } == [0x89, 0x00])
        #expect(await scene.handler.closings.first().code == 1006)
        await scene.stop()
    }

    @Test("A server that never answers a Close frame does not hold the client")
    func deafServer() async throws {
        let listener = try RawListener()
        async let accepted = listener.acceptWebSocket()
        var configuration = WebSocketClientConfiguration(url: listener.url)
        configuration.closeTimeout = .milliseconds(50)
        let client = try await WebSocketClient.connect(configuration)
        let peer = await accepted
        await client.close(code: 1000, reason: "anyone?")
        #expect(client.closeCode?.code == 1000)
        withExtendedLifetime(peer) {}
    }
}
