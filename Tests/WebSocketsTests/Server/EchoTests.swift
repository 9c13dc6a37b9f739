import Foundation
import Synchronization
import Testing
import WebSockets

@Suite("Messages between client and server", .timeLimit(.minutes(5)))
struct EchoTests {
    @Test(
        "Messages of every length form come back as they were sent",
        arguments: [0, 1, 125, 126, 65_535, 65_536, 131_072])
    func echo(count: Int) async throws {
        let scene = try Scene()
        let client = try await scene.connect()
        let message = [UInt8](repeating: UInt8(ascii: "m"), count: count)
        try client.send(message)
        #expect(try await client.next(1) == [message])
        await client.close(code: 1000, reason: "done")
        #expect(client.closeCode?.code == 1000)
        let closed = await scene.handler.closings.first()
        #expect(closed.code == 1000)
        #expect(closed.reason == "done")
        await scene.stop()
    }

    @Test("A server sends by itself, also from opened and also shared bytes")
    func push() async throws {
        let scene = try Scene(RecordingHandler())
        let client = try await scene.connect()
        let connection = await scene.handler.openings.first()
        #expect(connection.remoteAddress == "127.0.0.1")
        let shared = SharedBytes(bytes("for all"))
        #expect(connection.send(bytes("one")))
        #expect(connection.send(shared))
        #expect(try await client.next(2) == [bytes("one"), bytes("for all")])
        await scene.stop()
    }

    @Test("A message in pieces arrives whole, around the pings between them")
    func fragments() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        _ = await socket.upgrade()
        let pieces =
            [("grüße ", 1, false), ("p", 9, true), ("aus ", 0, false), ("Köln", 0, true)]
            as [(String, UInt8, Bool)]
        socket.send(pieces.flatMap { clientFrame(bytes($0), opcode: $1, isFinal: $2) })
        #expect(await scene.handler.messages.first() == bytes("grüße aus Köln"))
        await scene.stop()
    }

    @Test("libwebsockets takes a client's frame without a mask too")
    func unmasked() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        _ = await socket.upgrade()
        socket.send(clientFrame(bytes("bare"), isMasked: false))
        #expect(await scene.handler.messages.first() == bytes("bare"))
        await scene.stop()
    }

    @Test("A binary message is told from text")
    func binary() async throws {
        let kinds = Events<Bool>()
        let scene = try Scene(RecordingHandler(onMessage: { _, isText, _ in kinds.add(isText) }))
        let socket = try scene.raw()
        _ = await socket.upgrade()
        socket.send(clientFrame([1, 0xFF], opcode: 2) + clientFrame(bytes("t")))
        #expect(await kinds.wait(for: 2) == [false, true])
        await scene.stop()
    }

    @Test("Ten thousand sends from many threads arrive, each thread's in its order")
    func order() async throws {
        let scene = try Scene(RecordingHandler()) { $0.limits.queueBytes = 16 * 1024 * 1024 }
        let client = try await scene.connect()
        let connection = await scene.handler.openings.first()
        let threads = 10
        let each = 1000
        for thread in 0..<threads {
            Thread {
                for number in 0..<each { connection.send(bytes("\(thread) \(number)")) }
            }.start()
        }
        var next = [Int](repeating: 0, count: threads)
        for message in try await client.next(threads * each) {
            let parts = text(message).split(separator: " ").compactMap { Int($0) }
            #expect(parts.count == 2 && next[parts[0]] == parts[1])
            next[parts[0]] += 1
        }
        #expect(next == [Int](repeating: each, count: threads))
        await scene.stop()
    }

    @Test("Ten thousand messages from a client arrive in order")
    func clientOrder() async throws {
        let scene = try Scene(RecordingHandler())
        let client = try await scene.connect { $0.limits.queueBytes = 16 * 1024 * 1024 }
        for number in 0..<10_000 { try client.send(bytes("\(number)")) }
        let received = await scene.handler.messages.wait(for: 10_000)
        #expect(received == (0..<10_000).map { bytes("\($0)") })
        await scene.stop()
    }

    @Test("Both sides may send much at once without waiting for each other")
    func bothWays() async throws {
        let piece = [UInt8](repeating: UInt8(ascii: "b"), count: 100_000)
        let count = 200
        let scene = try Scene(RecordingHandler()) { $0.limits.queueBytes = 64 * 1024 * 1024 }
        let client = try await scene.connect { $0.limits.queueBytes = 64 * 1024 * 1024 }
        let connection = await scene.handler.openings.first()
        for _ in 0..<count {
            connection.send(piece)
            try client.send(piece)
        }
        #expect(try await client.next(count).allSatisfy { $0 == piece })
        #expect(await scene.handler.messages.wait(for: count).allSatisfy { $0 == piece })
        await scene.stop()
    }

    @Test("A ping is answered with its payload, between messages too")
    func ping() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        _ = await socket.upgrade()
        socket.send(clientFrame(bytes("a")) + clientFrame(bytes("p"), opcode: 9))
        let answers = await socket.read { $0.count >= 6 }
        let echo = clientFrame(bytes("a"), isMasked: false)
        let pong = clientFrame(bytes("p"), opcode: 10, isMasked: false)
        #expect(answers == echo + pong || answers == pong + echo)
        await scene.stop()
    }

    @Test("The frames that come with the handshake are not lost")
    func early() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        let head =
            "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        socket.send(bytes(head) + clientFrame(bytes("early")))
        #expect(await socket.read(through: "early").hasPrefix("HTTP/1.1 101 "))
        await scene.stop()
    }

    @Test("An upgrade may follow other requests on its connection")
    func lateUpgrade() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        socket.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await socket.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
        #expect(await socket.upgrade().hasPrefix("HTTP/1.1 101 "))
        socket.send(clientFrame(bytes("hello")))
        #expect(await socket.read { $0.count >= 7 } == clientFrame(bytes("hello"), isMasked: false))
        await scene.stop()
    }
}
