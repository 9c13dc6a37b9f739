import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Merging against a plain list of messages")
struct MergeOracleTests {
    @Test(
        "Whatever comes in whatever order: the same rows, ticks, unread count, holes and preview",
        arguments: 0..<80)
    func agrees(seed: UInt64) async throws {
        let run = try await MergeRun(seed: seed, onDisk: seed % 8 == 0)
        for step in 0..<70 {
            try await run.step()
            try await run.compare("seed \(seed), step \(step)")
        }
        try await run.catchUp()
        try await run.compare("seed \(seed), at the end")
        try await run.compareWithServer("seed \(seed)")
        try await run.bench.audit()
    }
}

/// One chat behind a network that drops, repeats and reorders; each thing that arrives goes to the store and the oracle.
private final class MergeRun {
    let bench: StoreBench
    private var server = ServerModel()
    private var oracle = ChatOracle()
    private var random: SeededRandom
    private var live: [Message] = []
    private var acks: [(draft: SendMessage, ack: MessageAck)] = []
    private var pages: [(range: MessageRange, page: MessagePage, limit: Int)] = []
    private var unsent: [SendMessage] = []
    private var written: Int64 = 0
    private let canRelaunch: Bool

    init(seed: UInt64, onDisk: Bool) async throws {
        random = SeededRandom(seed: seed)
        canRelaunch = onDisk
        bench = try await StoreBench(onDisk: onDisk)
    }

    private func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private var chat: ServerModel.Chat { server[Samples.chat] }

    func step() async throws {
        switch pick(0..<16) {
        case 0...1: live.append(server.receive())
        case 2: try await write()
        case 3...4: send()
        case 5: change()
        case 6: server.skip()
        case 7...8: try await hear()
        case 9: try await acknowledge()
        case 10: try await ask()
        case 11: try await answer()
        case 12: try await receipt()
        case 13: try await look()
        case 14: try await hide()
        default: if canRelaunch { try await bench.relaunch() }
        }
    }

    // MARK: - The server and the person

    private func write() async throws {
        written += 1
        let draft = Samples.draft(written)
        unsent.append(draft)
        oracle.write(draft)
        try await bench.send(draft)
    }

    private func send() {
        guard !unsent.isEmpty else { return }
        let draft = unsent.removeFirst()
        acks.append((draft, server.send(draft)))
        if let message = chat.messages.last { live.append(message) }
    }

    private func change() {
        guard let message = chat.messages.randomElement(using: &random), message.deletedAt == nil else {
            return
        }
        let changed =
            pick(0..<2) == 0
            ? server.delete(message.seq) : server.edit(message.seq, "edited \(chat.lastChange)")
        if let changed { live.append(changed) }
    }

    // MARK: - What arrives

    private func hear() async throws {
        guard !live.isEmpty else { return }
        let index = pick(0..<live.count)
        let message = live[index]
        // Some are lost, some come twice.
        let fate = pick(0..<5)
        if fate > 0 { live.remove(at: index) }
        if fate == 1 { return }
        oracle.take(message)
        try await bench.receive([message])
    }

    private func acknowledge() async throws {
        guard let (draft, ack) = acks.randomElement(using: &random) else { return }
        oracle.take(Samples.echo(draft, seq: ack.seq, change: ack.change))
        _ = try await bench.store.applyAck(ack, at: bench.now)
    }

    private func ask() async throws {
        let known = try await bench.sync()
        let ranges: [MessageRange] = [
            .newest, .before(seq: Int64.random(in: 1...known.lastSeq + 1, using: &random)),
            .afterChange(known.held.change),
        ]
        let (range, limit) = (ranges[pick(0..<3)], pick(1..<8))
        pages.append((range, server.page(Samples.chat, range, limit: limit), limit))
    }

    private func answer() async throws {
        guard !pages.isEmpty else { return }
        let (range, page, limit) = pages.remove(at: pick(0..<pages.count))
        oracle.take(page, asked: range)
        try await bench.merge(page, asked: range, limit: limit)
    }

    private func receipt() async throws {
        guard chat.lastSeq > 0 else { return }
        let read = Int64.random(in: 0...chat.lastSeq, using: &random)
        let receipt = Receipt(
            conversationID: Samples.chat, userID: pick(0..<2) == 0 ? Samples.anna : Samples.ben,
            lastDeliveredSeq: Int64.random(in: read...chat.lastSeq, using: &random), lastReadSeq: read)
        oracle.take(receipt)
        _ = try await bench.store.apply([.receipt(receipt)], at: bench.now)
    }

    private func look() async throws {
        let seq = Int64(pick(1..<40))
        oracle.look(upTo: seq)
        try await bench.store.markRead(Samples.chat, upTo: seq, at: bench.now)
    }

    /// Another device of this account deletes for itself; here that comes with the message, or before it.
    private func hide() async throws {
        guard var message = chat.messages.randomElement(using: &random) else { return }
        if pick(0..<2) == 0 {
            message.hidden = true
            oracle.take(message)
            return try await bench.receive([message])
        }
        oracle.hide(message.id)
        let mark = HiddenMessage(conversationID: Samples.chat, messageID: message.id)
        _ = try await bench.store.applySync(
            SyncPage(cursor: "c", hasMore: false, serverTime: bench.now, hiddenMessages: [mark]),
            at: bench.now)
    }

    func catchUp() async throws {
        while !unsent.isEmpty { send() }
        let range = MessageRange.afterChange(try await bench.sync().held.change)
        let page = server.page(Samples.chat, range, limit: 1000)
        oracle.take(page, asked: range)
        try await bench.merge(page, asked: range, limit: 1000)
    }

    // MARK: - Comparing

    func compare(_ moment: String) async throws {
        let content = try await bench.content()
        let rows = content.items.map {
            ChatOracle.Row(seq: $0.seq, body: $0.body, isDeleted: $0.isDeleted, status: $0.status)
        }
        try #require(rows == oracle.rows, "\(moment)")
        try #require(content.unreadCount == oracle.unread, "\(moment)")
        try #require(content.readSeq == oracle.readSeq, "\(moment)")
        try #require(content.holes.flatMap { Array($0.from...$0.to) } == oracle.missing, "\(moment)")
        let item = try await bench.chat()
        try #require(item.unreadCount == oracle.unread, "\(moment)")
        try #require(item.preview?.body == oracle.preview, "\(moment)")
        let sends = try await bench.outbox().compactMap(\.clientMessageID)
        try #require(sends == oracle.waiting.map(\.clientMessageID), "\(moment)")
    }

    /// After the catch-up the device holds what the server has, whatever was lost on the way.
    func compareWithServer(_ label: String) async throws {
        #expect(oracle.waiting.isEmpty && oracle.missing.isEmpty, "\(label)")
        let rows = try await bench.store.read { context in
            try context.database.all(
                "SELECT seq, CASE WHEN hidden THEN NULL ELSE body END FROM messages ORDER BY seq"
            ) { (seq: $0.int64(0), body: $0.optionalText(1)) }
        }
        #expect(rows.map(\.seq) == chat.messages.map(\.seq), "\(label)")
        for (row, message) in zip(rows, chat.messages) {
            #expect(row.body == nil || row.body == message.body, "\(label), \(message.seq)")
        }
        #expect(try await bench.sync().synced == chat.lastChange, "\(label)")
    }
}
