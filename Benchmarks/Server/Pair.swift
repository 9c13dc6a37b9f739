import ChatterModel
import Foundation
import Synchronization
import WebSockets

/// Two befriended users on sockets of their own. The first keeps `window` messages on their way; each counts once
/// it was acked, delivered to the second, and the second's receipt came back.
///
/// Frames are built from a template and read by searching their bytes: the generator shares two cores with the
/// server, and a JSON coder for each frame would measure the generator.
final class Pair: Sendable {
    struct Sample: Sendable {
        let ack: Duration
        let receipt: Duration
    }

    private struct State {
        var sent: Int64 = 0
        var acked: Int64 = 0
        var receipted: Int64 = 0
        var started: [ContinuousClock.Instant] = []
        var acks: [Duration] = []
        var samples: [Sample] = []
        var stopping = false
    }

    private let sender: WebSocketClient
    private let receiver: WebSocketClient
    private let conversation: ID<Conversation>
    private let receiverID: [UInt8]
    private let window: Int64
    private let body: String
    private let state = Mutex(State())

    init(
        sender: WebSocketClient, receiver: WebSocketClient, receiverID: ID<User>,
        conversation: ID<Conversation>,
        window: Int64, bytes: Int
    ) {
        self.sender = sender
        self.receiver = receiver
        self.receiverID = Array("\"userId\":\"\(receiverID)\"".utf8)
        self.conversation = conversation
        self.window = window
        body = String(repeating: "x", count: bytes)
    }

    var samples: [Sample] { state.withLock { $0.samples } }

    func stop() { state.withLock { $0.stopping = true } }

    /// Sends until stopped and everything on its way has come back.
    func run() async throws {
        async let receiving: Void = receive()
        for _ in 0..<window { try sendNext() }
        for try await frame in sender.messages {
            if try note(frame) { break }
        }
        await sender.close(code: 1000, reason: "")
        await receiver.close(code: 1000, reason: "")
        _ = try await receiving
    }

    private func receive() async throws {
        for try await frame in receiver.messages where frame.contains(bytes: #""message.new""#) {
            guard let seq = frame.integer(after: #""seq":"#) else { continue }
            let data = #"{"conversationId":"\#(conversation)","seq":\#(seq)}"#
            try receiver.send(Array(#"{"type":"receipt.delivered","data":\#(data)}"#.utf8))
        }
    }

    private func sendNext() throws {
        let stopping = state.withLock { state in
            if !state.stopping {
                state.sent += 1
                state.started.append(.now)
            }
            return state.stopping
        }
        guard !stopping else { return }
        let data =
            #"{"clientMessageId":"\#(UUID().uuidString)","conversationId":"\#(conversation)","type":"text","#
        try sender.send(Array((#"{"type":"message.send","data":"# + data + #""body":"\#(body)"}}"#).utf8))
    }

    /// True when all is done.
    private func note(_ frame: [UInt8]) throws -> Bool {
        var free: Int64 = 0
        let done = state.withLock { state in
            if frame.contains(bytes: #""message.ack""#) {
                state.acks.append(state.started[Int(state.acked)].duration(to: .now))
                state.acked += 1
            } else if frame.contains(bytes: #""receipt.updated""#), frame.contains(receiverID),
                let delivered = frame.integer(after: #""lastDeliveredSeq":"#)
            {
                // An ack is on its way before the receipt of the same message, never behind it.
                while state.receipted < delivered {
                    let index = Int(state.receipted)
                    let took = state.started[index].duration(to: .now)
                    state.samples.append(Sample(ack: state.acks[index], receipt: took))
                    state.receipted += 1
                    free += 1
                }
            }
            return state.stopping && state.receipted == state.sent
        }
        for _ in 0..<free { try sendNext() }
        return done
    }
}

extension [UInt8] {
    func contains(bytes text: StaticString) -> Bool {
        withUnsafeBytes {
            $0.end(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) != nil
        }
    }

    func contains(_ needle: [UInt8]) -> Bool {
        withUnsafeBytes { bytes in needle.withUnsafeBytes { bytes.end(of: $0) != nil } }
    }

    func integer(after text: StaticString) -> Int64? {
        withUnsafeBytes { bytes in
            let needle = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard var index = bytes.end(of: needle) else { return nil }
            var value: Int64 = 0
            while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
                value = value * 10 + Int64(bytes[index] - 48)
                index += 1
            }
            return value
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where the first occurrence of `needle` ends.
    fileprivate func end(of needle: UnsafeRawBufferPointer) -> Int? {
        guard let base = baseAddress, let wanted = needle.baseAddress, count >= needle.count else {
            return nil
        }
        var start = 0
        while start <= count - needle.count {
            guard let hit = memchr(base + start, Int32(needle[0]), count - needle.count - start + 1) else {
                return nil
            }
            start = UnsafeRawPointer(hit) - base
            if memcmp(hit, wanted, needle.count) == 0 { return start + needle.count }
            start += 1
        }
        return nil
    }
}
