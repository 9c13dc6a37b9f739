import ChatterModel
import Foundation

/// Random values of the shapes that write and read themselves.
struct RandomFrames {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func text() -> String {
        let pieces = [
            "a", "Z", " ", "é", "e\u{301}", "\"", "\\", "/", "\n", "\r", "\t", "\u{8}", "\u{c}", "\u{1}",
            "\u{1F}",
            "\u{7F}", "\u{2028}", "שלום", "👨‍👩‍👧‍👦", "\u{FFFD}", "\u{10FFFF}", "{", "}", "[", "]", ":", ",",
            "\\u0041", "null",
        ]
        let count = Int.random(in: 0...20, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    mutating func uuid() -> String {
        let bytes = (0..<2).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        let digits = bytes.map {
            String(repeating: "0", count: 16 - String($0, radix: 16).count) + String($0, radix: 16)
        }
        .joined()
        let lengths = [8, 4, 4, 4, 12]
        var rest = digits[...]
        return lengths.map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }

    mutating func number() -> Int64 {
        let limits: [ClosedRange<Int64>] = [0...9, 0...99_999, -999...0, Int64.min...Int64.max]
        return Int64.random(in: limits.randomElement(using: &random) ?? 0...0, using: &random)
    }

    mutating func time() -> Timestamp {
        Timestamp(milliseconds: Int64.random(in: -2_000_000_000_000...253_402_300_799_999, using: &random))
    }

    mutating func maybe<Value>(_ make: (inout RandomFrames) -> Value) -> Value? {
        Bool.random(using: &random) ? make(&self) : nil
    }

    mutating func clientMessageID() -> ClientMessageID {
        ClientMessageID(UUID(uuidString: uuid()) ?? UUID())
    }

    mutating func message() -> Message {
        Message(
            id: ID(uuid()), clientMessageID: clientMessageID(), conversationID: ID(uuid()),
            senderID: ID(text()),
            seq: number(), change: number(), type: MessageType(rawValue: text()), body: text(),
            createdAt: time(), editedAt: maybe { $0.time() }, deletedAt: maybe { $0.time() },
            replyToID: maybe { ID($0.uuid()) }, hidden: maybe { Bool.random(using: &$0.random) })
    }

    mutating func ack() -> MessageAck {
        MessageAck(
            clientMessageID: clientMessageID(), id: ID(uuid()), conversationID: ID(uuid()), seq: number(),
            change: number(), createdAt: time())
    }

    mutating func receipt() -> Receipt {
        Receipt(
            conversationID: ID(uuid()), userID: ID(text()), lastDeliveredSeq: number(), lastReadSeq: number(),
            deliveredAt: maybe { $0.time() }, readAt: maybe { $0.time() })
    }

    mutating func page() -> MessagePage {
        let count = Int.random(in: 0...3, using: &random)
        return MessagePage(
            messages: (0..<count).map { _ in message() }, hasMore: Bool.random(using: &random),
            lastSeq: number(), lastChange: number())
    }

    mutating func serverFrame() -> ServerFrame {
        let event: ServerEvent =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .messageNew(message())
            case 1: .messageUpdated(message())
            case 2: .messageAck(ack())
            default: .receiptUpdated(receipt())
            }
        return ServerFrame(event, id: maybe { $0.text() })
    }

    mutating func clientFrame() -> ClientFrame {
        let mark = Watermark(conversationID: ID(uuid()), seq: number())
        let action: ClientAction =
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                .messageSend(
                    SendMessage(
                        clientMessageID: clientMessageID(), conversationID: ID(text()),
                        type: MessageType(rawValue: text()), body: text(), replyToID: maybe { ID($0.uuid()) })
                )
            case 1: .receiptDelivered(mark)
            default: .receiptRead(mark)
            }
        return ClientFrame(action, id: maybe { $0.text() })
    }
}
