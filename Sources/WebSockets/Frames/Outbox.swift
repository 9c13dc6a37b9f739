/// A text frame ready to be sent by a server to many connections: encoded once, shared by all their queues.
public final class SharedBytes: Sendable {
    /// Frame header and payload, unmasked.
    let frame: [UInt8]

    public init(_ text: [UInt8]) {
        let header = FrameHeader(opcode: .text, length: text.count)
        frame = [UInt8](unsafeUninitializedCapacity: text.count + 14) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            let start = header.encode(into: raw)
            text.withUnsafeBytes { raw[start...].copyBytes(from: $0) }
            count = start + text.count
        }
    }
}

/// Messages on their way out, in order, and how many bytes they are.
struct Outbox {
    enum Entry {
        case text([UInt8])
        case shared(SharedBytes)

        var size: Int {
            switch self {
            case .text(let bytes): bytes.count
            case .shared(let shared): shared.frame.count
            }
        }
    }

    enum Phase: Equatable {
        case open
        /// No more is accepted; what is queued goes first.
        case closing(CloseReason)
        /// No more is accepted; what is queued is dropped.
        case overflowed
        case closed
    }

    enum Admission: Equatable {
        case queued
        case closed
        case overflowed
    }

    let capacity: Int
    private(set) var phase = Phase.open
    /// Bytes queued here or taken and not yet given to the kernel.
    private(set) var queuedBytes = 0
    private var entries: [Entry] = []
    /// The loop knows that there is something to do.
    private var isScheduled = false

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ entry: Entry) -> Admission {
        guard phase == .open else { return .closed }
        let size = entry.size
        guard size <= capacity - queuedBytes else {
            phase = .overflowed
            return .overflowed
        }
        entries.append(entry)
        queuedBytes += size
        return .queued
    }

    mutating func close(_ reason: CloseReason) -> Bool {
        guard phase == .open else { return false }
        phase = .closing(reason)
        return true
    }

    /// True once for any number of changes before the loop takes them.
    mutating func needsSchedule() -> Bool {
        defer { isScheduled = true }
        return !isScheduled
    }

    /// The loop looks now; later changes schedule again.
    mutating func beginFlush() -> Phase {
        isScheduled = false
        return phase
    }

    /// Everything queued, for the loop to write; it reports with `sent` as it goes.
    mutating func take() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    mutating func sent(_ count: Int) { queuedBytes -= count }

    mutating func end() {
        phase = .closed
        entries = []
        queuedBytes = 0
    }
}
