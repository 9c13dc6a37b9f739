import ChatterModel

@testable import ChatterClient

/// What a chat has to show after everything that was told of it: plain lists and sets, without floors, ledgers and SQL.
/// The chat was met when it was empty, so nothing stands below what is loaded.
struct ChatOracle {
    struct Row: Hashable {
        var seq: Int64?
        var body: String
        var isDeleted: Bool
        var status: DeliveryStatus?
    }

    private var latest: [ID<Message>: Message] = [:]
    private var hidden: Set<ID<Message>> = []
    /// Seqs that are here or are not to be had.
    private var accounted: Set<Int64> = []
    private(set) var waiting: [SendMessage] = []
    private(set) var readSeq: Int64 = 0
    private var peerDelivered: Int64 = 0
    private var peerRead: Int64 = 0

    // MARK: - What comes

    mutating func write(_ draft: SendMessage) { waiting.append(draft) }

    mutating func take(_ message: Message) {
        accounted.insert(message.seq)
        if message.hidden == true { hidden.insert(message.id) }
        if message.senderID == Samples.anna {
            waiting.removeAll { $0.clientMessageID == message.clientMessageID }
        }
        if latest[message.id]?.change ?? 0 < message.change { latest[message.id] = message }
    }

    mutating func take(_ page: MessagePage, asked range: MessageRange) {
        page.messages.forEach { take($0) }
        let lowest = page.messages.map(\.seq).min() ?? 1
        switch range {
        case .afterChange:
            // Asked for with what is held: the end of it leaves nothing open.
            if !page.hasMore { account(for: 1, through: page.lastSeq) }
        case .newest: account(for: page.hasMore ? lowest : 1, through: page.lastSeq)
        case .before(let seq): account(for: page.hasMore ? lowest : 1, through: seq - 1)
        }
    }

    private mutating func account(for lower: Int64, through upper: Int64) {
        if lower <= upper { accounted.formUnion(lower...upper) }
    }

    mutating func hide(_ id: ID<Message>) { hidden.insert(id) }

    mutating func take(_ receipt: Receipt) {
        if receipt.userID == Samples.anna {
            readSeq = max(readSeq, receipt.lastReadSeq)
        } else {
            peerDelivered = max(peerDelivered, receipt.lastDeliveredSeq)
            peerRead = max(peerRead, receipt.lastReadSeq)
        }
    }

    /// The person has looked: never past a message that is not here.
    mutating func look(upTo seq: Int64) { readSeq = max(readSeq, min(seq, contiguous)) }

    // MARK: - What is shown

    private var shown: [Message] {
        latest.values.filter { !hidden.contains($0.id) }.sorted { $0.seq < $1.seq }
    }

    var rows: [Row] {
        shown.map { message in
            let isDeleted = message.deletedAt != nil
            let status: DeliveryStatus =
                message.seq <= peerRead ? .read : message.seq <= peerDelivered ? .delivered : .sent
            return Row(
                seq: message.seq, body: isDeleted ? "" : message.body, isDeleted: isDeleted,
                status: message.senderID == Samples.anna ? status : nil)
        } + waiting.map { Row(seq: nil, body: $0.body, isDeleted: false, status: .pending) }
    }

    var unread: Int {
        shown.count { $0.senderID != Samples.anna && $0.deletedAt == nil && $0.seq > readSeq }
    }

    var preview: String? { waiting.last?.body ?? shown.last { $0.deletedAt == nil }?.body }

    /// The largest seq below which nothing is missing.
    var contiguous: Int64 {
        var seq: Int64 = 0
        while accounted.contains(seq + 1) { seq += 1 }
        return seq
    }

    var missing: [Int64] {
        guard let top = accounted.max() else { return [] }
        return (1...top).filter { !accounted.contains($0) }
    }
}
