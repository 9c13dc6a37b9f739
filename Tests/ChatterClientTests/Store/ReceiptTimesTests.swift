import ChatterModel
import ChatterTestSupport
import SQLite
import Testing

@testable import ChatterClient

/// Ben's watermarks, one's own messages, and the minutes after noon that these were delivered and read at.
@Suite("When a message was delivered and read")
struct ReceiptTimesTests {
    private let bench: StoreBench

    init() async throws { bench = try await StoreBench() }

    // MARK: - Words of these tests

    private static func time(_ minute: Int64?) -> Timestamp? {
        minute.map { Samples.noon.advanced(by: .seconds($0 * 60)) }
    }

    /// A watermark and the minute it came there.
    private typealias Mark = (seq: Int64, minute: Int64?)

    private func receipt(delivered: Mark, read: Mark = (0, nil), by user: ID<User> = Samples.ben) -> Receipt {
        Receipt(
            conversationID: Samples.chat, userID: user, lastDeliveredSeq: delivered.seq,
            lastReadSeq: read.seq, deliveredAt: Self.time(delivered.minute), readAt: Self.time(read.minute))
    }

    private func record(
        lastSeq: Int64, delivered: Mark, read: Mark = (0, nil), version: Int64 = 2,
        lastMessage: Message? = nil, undelivered: [SeqRange] = []
    ) -> Conversation {
        var record = Samples.conversation(
            lastSeq: lastSeq, version: version, peerDelivered: delivered.seq, peerRead: read.seq,
            lastMessage: lastMessage, undelivered: undelivered)
        record.members[1].deliveredAt = Self.time(delivered.minute)
        record.members[1].readAt = Self.time(read.minute)
        return record
    }

    /// Sent on another of one's own devices.
    private func own(_ seqs: ClosedRange<Int64>) -> [Message] {
        seqs.map { Samples.message($0, from: Samples.anna) }
    }

    /// `seq: delivered read`, in minutes; `-` where it is not known.
    private func times(of bench: StoreBench? = nil) async throws -> [String] {
        try await (bench ?? self.bench).content().items.map { item in
            let minutes = [item.deliveredAt, item.readAt].map { time in
                time.map { "\(($0.milliseconds - Samples.noon.milliseconds) / 60_000)" } ?? "-"
            }
            return "\(item.seq.map(String.init) ?? "?"): \(minutes.joined(separator: " "))"
        }
    }

    // MARK: - Moves

    @Test("Each move gives its time to the messages it passes, and only to them")
    func moves() async throws {
        try await bench.receive(own(1...4))
        try await bench.apply(receipt(delivered: (2, 1)))
        #expect(try await times() == ["1: 1 -", "2: 1 -", "3: - -", "4: - -"])
        try await bench.apply(receipt(delivered: (3, 2), read: (1, 3)))
        #expect(try await times() == ["1: 1 3", "2: 1 -", "3: 2 -", "4: - -"])
        try await bench.apply(receipt(delivered: (4, 5), read: (4, 5)))
        #expect(try await times() == ["1: 1 3", "2: 1 5", "3: 2 5", "4: 5 5"])
        try await bench.audit()
    }

    @Test("A move told again, late or by a record, changes no time")
    func again() async throws {
        try await bench.receive(own(1...3))
        let moves = [
            receipt(delivered: (1, 1)), receipt(delivered: (2, 2), read: (1, 3)),
            receipt(delivered: (3, 4), read: (3, 4)),
        ]
        for move in moves { try await bench.apply(move) }
        let expected = ["1: 1 3", "2: 2 4", "3: 4 4"]
        #expect(try await times() == expected)
        for move in moves.reversed() + moves { try await bench.apply(move) }
        try await bench.apply(receipt(delivered: (3, 9), read: (3, 9)))
        _ = try await bench.store.store(record(lastSeq: 3, delivered: (3, 9), read: (3, 9)), at: bench.now)
        try await bench.receive(own(1...3))
        #expect(try await times() == expected)
    }

    @Test("An own message has its time, whether its ack, its echo or the receipt comes first")
    func orders() async throws {
        let draft = Samples.draft(1)
        let steps: [StoredEvent] = [
            .ack(Samples.ack(draft, seq: 1)), .message(Samples.echo(draft, seq: 1)),
            .receipt(receipt(delivered: (1, 2), read: (1, 3))),
        ]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let bench = try await StoreBench()
            try await bench.send(draft)
            for step in order { _ = try await bench.store.apply([steps[step]], at: bench.now) }
            #expect(try await times(of: bench) == ["1: 2 3"], "\(order)")
        }
    }

    @Test("Others' messages have none, and one's own watermarks give none")
    func others() async throws {
        try await bench.receive((1...1).messages() + own(2...2))
        try await bench.apply(receipt(delivered: (2, 1), read: (2, 1), by: Samples.anna))
        #expect(try await times() == ["1: - -", "2: - -"])
        try await bench.apply(receipt(delivered: (2, 4), read: (2, 5)))
        #expect(try await times() == ["1: - -", "2: 4 5"])
    }

    @Test("A server without times moves the ticks all the same")
    func unknown() async throws {
        try await bench.receive(own(1...2))
        try await bench.apply(receipt(delivered: (1, nil), read: (1, nil)))
        #expect(try await bench.content().items.map(\.status) == [.read, .sent])
        #expect(try await times() == ["1: - -", "2: - -"])
        // What was passed without a time stays without.
        try await bench.apply(receipt(delivered: (2, 7), read: (2, 8)))
        #expect(try await times() == ["1: - -", "2: 7 8"])
    }

    @Test("Nobody reads what was not delivered: a reading is the latest that a delivery can be")
    func readIsDelivered() async throws {
        try await bench.receive(own(1...2))
        try await bench.apply(receipt(delivered: (1, nil)))
        try await bench.apply(receipt(delivered: (1, nil), read: (1, 4)))
        #expect(try await times() == ["1: 4 4", "2: - -"])
        // While away: delivery went on to 2 after 1 was read.
        let bench = try await StoreBench()
        try await bench.receive(own(1...2))
        try await bench.apply(receipt(delivered: (2, 6), read: (1, 5)))
        #expect(try await times(of: bench) == ["1: 5 5", "2: 6 -"])
    }

    // MARK: - Missed

    @Test("What was missed has the latest time it can have had, whichever of record and messages comes first")
    func missed() async throws {
        for messagesFirst in [true, false] {
            let bench = try await StoreBench()
            try await bench.receive(own(1...1))
            try await bench.apply(receipt(delivered: (1, 1), read: (1, 1)))
            let record = record(lastSeq: 4, delivered: (4, 30), read: (3, 20))
            if messagesFirst { try await bench.receive(own(2...4)) }
            _ = try await bench.store.store(record, at: bench.now)
            if !messagesFirst { try await bench.receive(own(2...4)) }
            #expect(
                try await times(of: bench) == ["1: 1 1", "2: 20 20", "3: 20 20", "4: 30 -"],
                "messages first: \(messagesFirst)")
        }
    }

    @Test("History of before this device has no times: a watermark of today says nothing about last year")
    func history() async throws {
        let bench = try await StoreBench(conversations: [
            record(
                lastSeq: 60, delivered: (60, 10), read: (59, 5),
                lastMessage: Samples.message(60, from: Samples.anna))
        ])
        try await bench.merge(
            Samples.page(own(56...60), hasMore: true), asked: .newest, limit: 5)
        #expect(try await times(of: bench) == ["56: - -", "57: - -", "58: - -", "59: 5 5", "60: 10 -"])
        try await bench.receive(own(61...61))
        try await bench.apply(receipt(delivered: (61, 12), read: (61, 13)))
        #expect(try await times(of: bench).suffix(3) == ["59: 5 5", "60: 10 13", "61: 12 13"])
    }

    @Test("A chat that a message told of first has its times once its record is there")
    func stub() async throws {
        let bench = try await StoreBench(conversations: [])
        try await bench.receive(own(1...1))
        _ = try await bench.store.store(record(lastSeq: 1, delivered: (1, 3), read: (1, 4)), at: bench.now)
        #expect(try await times(of: bench) == ["1: 3 4"])
    }

    @Test("What a block kept back is shown without times, wherever the watermarks stand")
    func undelivered() async throws {
        try await bench.receive(own(1...3))
        try await bench.apply(receipt(delivered: (3, 5), read: (3, 6)))
        _ = try await bench.store.store(
            record(
                lastSeq: 3, delivered: (3, 5), read: (3, 6), undelivered: [SeqRange(from: 2, to: 2)]),
            at: bench.now)
        #expect(try await times() == ["1: 5 6", "2: - -", "3: 5 6"])
    }

    @Test("In any order and with any losses, a time is never too early, never moves, and is there in the end")
    func random() async throws {
        for seed in UInt64(0)..<60 {
            var random = SeededRandom(seed: seed)
            let bench = try await StoreBench()
            let life = ReceiptLife(messages: 8, random: &random)
            var steps = own(1...8).map { StoredEvent.message($0) }
            steps += life.states.filter { _ in Bool.random(using: &random) }.map {
                .receipt(receipt(delivered: $0.delivered, read: $0.read))
            }
            let last = life.last
            steps.append(.conversation(record(lastSeq: 8, delivered: last.delivered, read: last.read)))
            var known: [MessageItem] = []
            for step in steps.shuffled(using: &random) {
                _ = try await bench.store.apply([step], at: bench.now)
                let items = try await bench.content().items
                for item in items {
                    life.check(item, after: known.first { $0.id == item.id }, "seed \(seed)")
                }
                known = items
            }
            #expect(known.count == 8 && known.allSatisfy { $0.readAt != nil && $0.deliveredAt != nil })
        }
    }

    // MARK: - Groups

    @Test("In a group, the time is when the last of the others was there")
    func group() async throws {
        let cai = ID<User>("019a0000-0000-7000-8000-00000000000d")
        var record = Samples.conversation(version: 2)
        record.type = .group
        record.members.append(Member(user: Samples.user(cai)))
        _ = try await bench.store.store(record, at: bench.now)
        try await bench.receive(own(1...2))
        try await bench.apply(receipt(delivered: (2, 1), read: (2, 2)))
        #expect(try await times() == ["1: - -", "2: - -"])
        try await bench.apply(receipt(delivered: (2, 8), read: (1, 9), by: cai))
        #expect(try await times() == ["1: 8 9", "2: 8 -"])
    }
}

/// What Ben's watermarks went through at the server, and when they really passed each message.
private struct ReceiptLife {
    typealias Mark = (seq: Int64, minute: Int64?)

    private(set) var states: [(delivered: Mark, read: Mark)] = []
    private var delivered: [Int64: Int64] = [:]
    private var read: [Int64: Int64] = [:]

    var last: (delivered: Mark, read: Mark) { states.last ?? ((0, nil), (0, nil)) }

    init(messages: Int64, random: inout SeededRandom) {
        var minute: Int64 = 0
        while last.read.seq < messages {
            minute += 1
            var state = last
            if state.delivered.seq < messages, Bool.random(using: &random) {
                let seq = Int64.random(in: state.delivered.seq + 1...messages, using: &random)
                for passed in state.delivered.seq + 1...seq { delivered[passed] = minute }
                state.delivered = (seq, minute)
            } else if state.read.seq < state.delivered.seq {
                let seq = Int64.random(in: state.read.seq + 1...state.delivered.seq, using: &random)
                for passed in state.read.seq + 1...seq { read[passed] = minute }
                state.read = (seq, minute)
            } else {
                continue
            }
            states.append(state)
        }
    }

    func check(_ item: MessageItem, after before: MessageItem?, _ comment: Comment) {
        let times = [(item.deliveredAt, before?.deliveredAt, delivered), (item.readAt, before?.readAt, read)]
        for (time, earlier, truth) in times {
            if let earlier { #expect(time == earlier, comment) }
            guard let time, let minute = truth[item.seq ?? 0] else { continue }
            #expect(time >= Samples.noon.advanced(by: .seconds(minute * 60)), comment)
        }
        if let delivered = item.deliveredAt, let read = item.readAt { #expect(delivered <= read, comment) }
    }
}
