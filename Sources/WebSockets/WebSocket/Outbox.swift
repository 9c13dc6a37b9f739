/// Messages on their way out, in order, and how many bytes they are.
struct Outbox {
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
    /// Bytes queued here or taken and not yet written.
    private(set) var queuedBytes = 0
    private var messages: [SharedBytes] = []
    /// The loop knows that there is something to do.
    private var isScheduled = false

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ message: SharedBytes) -> Admission {
        guard phase == .open else { return .closed }
        guard message.count <= capacity - queuedBytes else {
            phase = .overflowed
            return .overflowed
        }
        messages.append(message)
        queuedBytes += message.count
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
    mutating func take() -> [SharedBytes] {
        defer { messages = [] }
        return messages
    }

    mutating func sent(_ count: Int) {
        if phase != .closed { queuedBytes -= count }
    }

    mutating func end() {
        phase = .closed
        messages = []
        queuedBytes = 0
    }
}
