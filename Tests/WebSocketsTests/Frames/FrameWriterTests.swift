import Testing

@testable import WebSockets

/// What a writer puts out when its buffers hold `size` bytes.
private func output(_ writer: inout FrameWriter, size: Int) -> [UInt8] {
    var all: [UInt8] = []
    let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    defer { storage.deallocate() }
    while true {
        var buffer = WriteBuffer(storage)
        while true {
            _ = writer.continueMessage(&buffer)
            guard writer.isBetweenFrames, buffer.room >= FrameWriter.roomForControl else { break }
            writer.writeControl(&buffer)
            guard writer.beginMessage(&buffer) else { break }
        }
        guard buffer.count > 0 else { return all }
        all.append(contentsOf: buffer.bytes)
    }
}

/// The payloads of `stream`, read as the other side would.
private func messages(_ stream: [UInt8], sentBy role: Role) throws -> [[UInt8]] {
    var stream = stream
    var parser = FrameParser(role: role == .client ? .server : .client, messageLimit: 1 << 20)
    return try stream.withUnsafeMutableBytes { buffer throws(ProtocolViolation) in
        var input = buffer
        var payloads: [[UInt8]] = []
        while let event = try parser.next(&input) {
            if case .message(let payload, isText: true) = event { payloads.append(payload) }
        }
        return payloads
    }
}

@Suite("Writing frames")
struct FrameWriterTests {
    @Test(
        "Messages come out whole and in order through buffers of any size",
        arguments: [160, 177, 300, 65_536])
    func sizes(size: Int) throws {
        let texts = [0, 1, 125, 126, 500, 65_535, 65_536].map { count in
            [UInt8](repeating: UInt8(ascii: "a") + UInt8(count % 26), count: count)
        }
        var server = FrameWriter(role: .server)
        server.queue(texts.flatMap { [.text($0), .shared(SharedBytes($0))] })
        #expect(try messages(output(&server, size: size), sentBy: .server) == texts.flatMap { [$0, $0] })
        var client = FrameWriter(role: .client)
        client.queue(texts.map { .text($0) })
        #expect(try messages(output(&client, size: size), sentBy: .client) == texts)
    }

    @Test("A client's masks differ from frame to frame")
    func masks() {
        var client = FrameWriter(role: .client)
        client.queue((0..<100).map { _ in .text([]) })
        let stream = output(&client, size: 65_536)
        let masks = Set((0..<100).map { Array(stream[($0 * 6 + 2)..<($0 * 6 + 6)]) })
        #expect(masks.count > 90)
    }

    @Test("A flood of pings is answered once, with the last payload")
    func pings() {
        var server = FrameWriter(role: .server)
        for number in 0..<1000 { server.owePong([UInt8(number % 256)]) }
        #expect(output(&server, size: 200) == [0x8A, 0x01, UInt8(999 % 256)])
        #expect(output(&server, size: 200) == [])
    }

    @Test("Dropping leaves the begun message whole")
    func drop() throws {
        var server = FrameWriter(role: .server)
        let long = [UInt8](repeating: 0x61, count: 1000)
        server.queue([.text(long), .text(long)])
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 200, alignment: 1)
        defer { storage.deallocate() }
        var buffer = WriteBuffer(storage)
        #expect(server.beginMessage(&buffer) == true)
        _ = server.continueMessage(&buffer)
        let begun = Array(buffer.bytes)
        server.dropMessages()
        #expect(try messages(begun + output(&server, size: 200), sentBy: .server) == [long])
    }
}
