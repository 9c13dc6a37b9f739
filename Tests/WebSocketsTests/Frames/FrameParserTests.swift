import Testing

@testable import WebSockets

/// What a parser makes of `bytes` that arrive in pieces of `piece` bytes.
private func parse(
    _ bytes: [UInt8], role: Role = .server, limit: Int = 128 * 1024, piece: Int = .max
) throws(ProtocolViolation) -> [FrameParser.Event] {
    var parser = FrameParser(role: role, messageLimit: limit)
    var events: [FrameParser.Event] = []
    var start = 0
    while start < bytes.count {
        let end = piece > bytes.count - start ? bytes.count : start + piece
        var copy = Array(bytes[start..<end])
        start = end
        let result = copy.withUnsafeMutableBytes { buffer -> Result<Void, ProtocolViolation> in
            do throws(ProtocolViolation) {
                var input = buffer
                while let event = try parser.next(&input) { events.append(event) }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
    return events
}

private func message(_ text: String) -> FrameParser.Event { .message(bytes(text), isText: true) }

@Suite("Reading frames")
struct FrameParserTests {
    @Test(
        "Messages of every length form are read whole",
        arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 131_072])
    func lengths(count: Int) throws {
        let payload = [UInt8](repeating: UInt8(ascii: "x"), count: count)
        #expect(try parse(clientFrame(payload)) == [.message(payload, isText: true)])
        #expect(
            try parse(clientFrame(payload, isMasked: false), role: .client) == [
                .message(payload, isText: true)
            ])
    }

    @Test("It does not matter how the network cuts the bytes", arguments: 1...17)
    func pieces(piece: Int) throws {
        let stream =
            clientFrame(bytes("grüße "), isFinal: false) + clientFrame(bytes("p"), opcode: 9)
            + clientFrame(bytes("aus"), opcode: 0, isFinal: false) + clientFrame([], opcode: 10)
            + clientFrame(bytes(" Köln"), opcode: 0) + clientFrame([1, 2, 255], opcode: 2) + clientFrame([])
            + clientFrame([0x03, 0xE8] + bytes("bye"), opcode: 8)
        #expect(
            try parse(stream, piece: piece) == [
                .ping(bytes("p")), .pong, message("grüße aus Köln"), .message([1, 2, 255], isText: false),
                message(""), .close(CloseReason(code: 1000, reason: "bye")),
            ])
    }

    @Test("A message as large as the limit passes, one byte more closes with 1009")
    func limit() throws {
        let full = [UInt8](repeating: 7, count: 1000)
        #expect(try parse(clientFrame(full, opcode: 2), limit: 1000).count == 1)
        #expect(throws: ProtocolViolation.tooLarge) {
            try parse(clientFrame(full + [7], opcode: 2), limit: 1000)
        }
        let halves =
            clientFrame(Array(full[..<500]), opcode: 2, isFinal: false)
            + clientFrame(Array(full[..<501]), opcode: 0)
        #expect(throws: ProtocolViolation.tooLarge) { try parse(halves, limit: 1000) }
    }

    @Test("A huge announced length is refused before anything of it arrives")
    func announced() {
        let header: [UInt8] = [0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4]
        #expect(throws: ProtocolViolation.tooLarge) { try parse(header) }
    }

    @Test(
        "What RFC 6455 forbids closes with 1002",
        arguments: [
            ("reserved bit", [0xC1, 0x80, 0, 0, 0, 0]),
            ("unknown data opcode", [0x83, 0x80, 0, 0, 0, 0]),
            ("unknown control opcode", [0x8B, 0x80, 0, 0, 0, 0]),
            ("fragmented ping", [0x09, 0x80, 0, 0, 0, 0]),
            ("ping with a long length", [0x89, 0xFE, 0, 126, 0, 0, 0, 0]),
            ("continuation of nothing", [0x80, 0x80, 0, 0, 0, 0]),
            ("text inside a message", [0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0]),
            ("no mask", [0x81, 0x01, 0x41]),
            ("length above 63 bits", [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("Close with one byte", [0x88, 0x81, 0, 0, 0, 0, 3]),
            ("Close with code 999", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE7]),
            ("Close with code 1005", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED]),
            ("Close with code 1006", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xEE]),
            ("Close with code 1015", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xF7]),
            ("Close with code 2999", [0x88, 0x82, 0, 0, 0, 0, 0x0B, 0xB7]),
            ("Close with a reason that is not UTF-8", [0x88, 0x83, 0, 0, 0, 0, 0x03, 0xE8, 0xFF]),
        ] as [(String, [UInt8])])
    func violations(name: String, stream: [UInt8]) {
        for piece in [1, Int.max] {
            do throws(ProtocolViolation) {
                let events = try parse(stream, piece: piece)
                Issue.record("\(name) was read as \(events)")
            } catch {
                #expect(error.close.code == 1002, "\(name)")
            }
        }
    }

    @Test("A server's mask is refused by a client")
    func maskedServer() {
        #expect(throws: ProtocolViolation.self) { try parse(clientFrame(bytes("x")), role: .client) }
    }

    @Test(
        "Close codes that RFC 6455 and its registry allow pass unchanged",
        arguments: [
            1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4008, 4999,
        ] as [UInt16])
    func closeCodes(code: UInt16) throws {
        let reason = CloseReason(code: code, reason: "why")
        #expect(try parse(clientFrame(reason.payload, opcode: 8)) == [.close(reason)])
    }

    @Test("A Close frame without content reads as 1005")
    func emptyClose() throws {
        #expect(try parse(clientFrame([], opcode: 8)) == [.close(.none)])
        #expect(CloseReason.none.payload.isEmpty)
    }

    @Test("A long close reason is cut between characters to fit a control frame")
    func longReason() {
        let payload = CloseReason(code: 4000, reason: String(repeating: "ü", count: 200)).payload
        #expect(payload.count == 124)
        #expect(CloseReason(payload: payload)?.reason == String(repeating: "ü", count: 61))
    }

    @Test(
        "Text that is not UTF-8 closes with 1007, also across fragments",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3],
            [0x61, 0xE2, 0x82], [0x80],
        ] as [[UInt8]])
    func notUTF8(payload: [UInt8]) throws {
        #expect(throws: ProtocolViolation.notUTF8) { try parse(clientFrame(payload)) }
        let split =
            clientFrame([payload[0]], isFinal: false) + clientFrame(Array(payload.dropFirst()), opcode: 0)
        #expect(throws: ProtocolViolation.notUTF8) { try parse(split) }
        #expect(try parse(clientFrame(payload, opcode: 2)) == [.message(payload, isText: false)])
    }

    @Test("A character may be split between fragments")
    func splitCharacter() throws {
        let split = clientFrame([0xE2, 0x82], isFinal: false) + clientFrame([0xAC], opcode: 0)
        #expect(try parse(split) == [message("€")])
    }

    @Test("Random bytes never crash, and read the same however they are cut", arguments: UInt64(0)..<200)
    func garbage(seed: UInt64) {
        var random = Seeded(seed)
        var stream: [UInt8] = []
        for _ in 0..<20 {
            if Bool.random(using: &random) {
                let opcode = UInt8.random(in: 0...15, using: &random)
                stream += clientFrame(random.bytes(.random(in: 0...300, using: &random)), opcode: opcode)
            } else {
                stream += random.bytes(.random(in: 0...40, using: &random))
            }
        }
        let role: Role = Bool.random(using: &random) ? .server : .client
        let whole = Result { try parse(stream, role: role, limit: 500) }
        let pieces = Result { try parse(stream, role: role, limit: 500, piece: Int(seed % 7) + 1) }
        switch (whole, pieces) {
        case (.success(let one), .success(let other)): #expect(one == other)
        case (.failure(let one), .failure(let other)):
            #expect(one as? ProtocolViolation == other as? ProtocolViolation)
        default: Issue.record("cut at \(seed % 7 + 1) it reads differently")
        }
    }
}

@Suite("Checking UTF-8")
struct UTF8CheckTests {
    @Test("It agrees with the standard library on random bytes", arguments: UInt64(0)..<50)
    func random(seed: UInt64) {
        var random = Seeded(seed)
        let interesting: [UInt8] = [
            0x41, 0x7F, 0x80, 0xBF, 0xC2, 0xDF, 0xE0, 0xA0, 0xED, 0x9F, 0xEF, 0xF0, 0x90, 0xF4, 0x8F,
        ]
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                interesting.randomElement(using: &random) ?? 0
            }
            #expect(isValidUTF8(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }

    @Test("ASCII of every length around a word passes, and a bad byte at any place in it does not")
    func words() {
        for count in 0...40 {
            let ascii = [UInt8](repeating: 0x61, count: count)
            #expect(isValidUTF8(ascii))
            for place in 0..<count {
                var bad = ascii
                bad[place] = 0xFF
                #expect(!isValidUTF8(bad))
            }
        }
    }
}
