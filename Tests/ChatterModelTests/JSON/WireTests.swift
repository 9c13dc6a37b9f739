import Foundation
import Testing

@testable import ChatterModel

@Suite("JSON that writes and reads itself is Foundation's JSON")
struct WireTests {
    @Test("Random values are written as Foundation writes them and read back by both")
    func bothWays() throws {
        for seed in UInt64(0)..<150 {
            var frames = RandomFrames(seed: seed)
            try check(frames.message())
            try check(frames.ack())
            try check(frames.receipt())
            try check(frames.page())
            try check(frames.serverFrame())
            try check(frames.clientFrame())
        }
    }

    private func check<Value: QuickWritable & QuickReadable & Equatable>(_ value: Value) throws {
        var json = JSONWriter()
        #expect(value.write(to: &json), "leaves itself to Foundation: \(value)")
        let foundation = try Wire.encodeByFoundation(value)
        #expect(try object(json.bytes) == object(foundation))
        #expect(try Wire.decodeByFoundation(Value.self, from: json.bytes) == value)
        #expect(try Wire.decode(Value.self, from: json.bytes) == value)
        #expect(try Wire.decode(Value.self, from: foundation) == value)
    }

    private func object(_ bytes: [UInt8]) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
    }

    @Test("What is read quickly, Foundation reads alike: texts with one byte changed, lost or added")
    func mutations() throws {
        var frames = RandomFrames(seed: 7)
        var quick = 0
        for round in 0..<3000 {
            let isClient = round.isMultiple(of: 2)
            var bytes = try isClient ? Wire.encode(frames.clientFrame()) : Wire.encode(frames.serverFrame())
            mutate(&bytes, with: &frames.random)
            quick += isClient ? agrees(ClientFrame.self, bytes) : agrees(ServerFrame.self, bytes)
        }
        // Most bytes stand in texts and ids, where another one is as good: the comparison must not be empty.
        #expect(quick > 500)
    }

    private func mutate(_ bytes: inout [UInt8], with random: inout SeededRandom) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let signs = Array("{}[]\":,\\ \t\n0123456789.-+eEutfnl\u{1}é".utf8) + [0xFF, 0x80, 0xED, 0xF5]
        let byte = signs.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.remove(at: place)
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        }
    }

    @Test(
        "Unusual spellings mean what Foundation says they mean",
        arguments: [
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1}}"#,
            #" { "data" : { "seq" : 1 , "conversationId" : "c" } , "type" : "receipt.read" , "id" : "x" } "#,
            #"{"type":"receipt.read","data":{"conversationId":"\u0063\ud83d\ude00\/","seq":-0}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"\ud83d","seq":1}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"\ude00\ud83d","seq":1}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"\u00zz","seq":1}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"\x","seq":1}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":01}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1.0}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1e3}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1.5}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":-}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":"1"}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":true}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":null}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":9223372036854775807}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":9223372036854775808}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":999999999999999999}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1},"id":null}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1,"new":{"a":[1,2]}},"later":[]}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1,"seq":2}}"#,
            #"{"type":"receipt.read","type":"receipt.delivered","data":{"conversationId":"c","seq":1}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c"}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1}}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1}} x"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1,}}"#,
            #"{"type":"receipt.read","data":{"conversationId":"c","seq":1],"x":[1}}"#,
            #"{"type":"receipt.read","data":[]}"#, #"{"type":"receipt.read"}"#, #"{"type":7}"#, "{}", "[]",
            "",
            #"{"type":"ping"}"#, #"{"type":"ping","data":{}}"#, #"{"type":"later","data":{"a":1}}"#,
            "{\"type\":\"receipt.read\",\"data\":{\"conversationId\":\"a\tb\",\"seq\":1}}",
            "{\"type\":\"receipt.read\",\"data\":{\"conversationId\":\"a\0b\",\"seq\":1}}",
            "\u{FEFF}{\"type\":\"receipt.read\",\"data\":{\"conversationId\":\"c\",\"seq\":1}}",
            #"{"type":"receipt.read","data":{"conversationId":"\#u{2028}\u0000","seq":1}}"#,
        ])
    func spellings(text: String) {
        _ = agrees(ClientFrame.self, Array(text.utf8))
    }

    /// 1 when the text was read quickly. Then Foundation must read the same; and `Wire` gives Foundation's verdict.
    private func agrees<Value: QuickReadable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) -> Int {
        let foundation = Result { try Wire.decodeByFoundation(type, from: bytes) }
        let wire = Result { try Wire.decode(type, from: bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        switch (foundation, wire) {
        case (.success(let expected), .success(let read)): #expect(read == expected, "\(text)")
        case (.failure, .failure): break
        default: Issue.record("Foundation: \(foundation), Wire: \(wire), \(text)")
        }
        var json = JSONReader(bytes)
        let quick = Result { () throws(Unusual) in
            let value = try Value(from: &json)
            try json.end()
            return value
        }
        return (try? quick.get()) == nil ? 0 : 1
    }

    /// Foundation's parser also takes signs, white space and a tail.
    @Test("A client message id is a UUID in its one spelling, read in either case")
    func clientMessageIDs() throws {
        let spelling = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
        var accepted = 0
        var frames = RandomFrames(seed: 3)
        for _ in 0..<2000 {
            var bytes = Array(frames.uuid().utf8)
            if Bool.random(using: &frames.random) { mutate(&bytes, with: &frames.random) }
            var text = String(decoding: bytes, as: UTF8.self)
            if Bool.random(using: &frames.random) { text = text.uppercased() }
            let isUUID = try spelling.ignoresCase().asciiOnlyCharacterClasses().wholeMatch(in: text) != nil
            #expect(ClientMessageID(text)?.rawValue == (isUUID ? text.lowercased() : nil), "\(text)")
            accepted += isUUID ? 1 : 0
        }
        #expect((500..<2000).contains(accepted))
    }

    @Test("Slashes are not escaped, and unknown keys are ignored")
    func configuration() throws {
        let health = Health(status: "a/b")
        #expect(String(decoding: try Wire.encode(health), as: UTF8.self) == #"{"status":"a/b"}"#)
        #expect(
            try Wire.decode(Health.self, from: Array(#"{"status":"ok","x":1}"#.utf8)) == Health(status: "ok"))
        #expect(throws: DecodingError.self) { try Wire.decode(Health.self, from: Array("{}".utf8)) }
    }
}
