/// Puts messages and control frames into write buffers, where a message may take several.
struct FrameWriter {
    /// Room for any frame header, and for any control frame.
    static let roomForControl = 160

    private let role: Role
    private var entries: [Outbox.Entry] = []
    private var nextEntry = 0
    private var current: Message?
    private var pong: [UInt8]?
    private var isPingOwed = false

    private struct Message {
        let entry: Outbox.Entry
        let mask: UInt32?
        /// In the payload, or in the whole frame of a shared entry.
        var offset = 0
    }

    init(role: Role) { self.role = role }

    // MARK: Messages

    /// False in the middle of a message, where no other frame may go.
    var isBetweenFrames: Bool { current == nil }

    var hasMessages: Bool { nextEntry < entries.count }

    /// Call when there are none left.
    mutating func queue(_ entries: [Outbox.Entry]) {
        self.entries = entries
        nextEntry = 0
    }

    /// Forgets the messages that were not begun.
    mutating func dropMessages() {
        entries = []
        nextEntry = 0
    }

    /// Writes the next message's header; false when there is no message.
    mutating func beginMessage(_ buffer: inout WriteBuffer) -> Bool {
        guard hasMessages else { return false }
        let entry = entries[nextEntry]
        nextEntry += 1
        let mask = newMask()
        // A shared entry brings its header along.
        if case .text(let bytes) = entry { writeHeader(.text, bytes.count, mask, &buffer) }
        current = Message(entry: entry, mask: mask)
        return true
    }

    /// Writes as much of the begun message as fits and returns how many of the entry's bytes that was.
    mutating func continueMessage(_ buffer: inout WriteBuffer) -> Int {
        guard var message = current else { return 0 }
        let bytes =
            switch message.entry {
            case .text(let bytes): bytes
            case .shared(let shared): shared.frame
            }
        let taken = write(bytes, from: message.offset, message.mask, &buffer)
        message.offset += taken
        current = message.offset == bytes.count ? nil : message
        return taken
    }

    // MARK: Control frames

    /// Of several pings only the last must be answered, so that a flood of them costs no memory.
    mutating func owePong(_ payload: [UInt8]) { pong = payload }

    mutating func owePing() { isPingOwed = true }

    mutating func writeControl(_ buffer: inout WriteBuffer) {
        if let payload = pong {
            pong = nil
            write(.pong, payload, &buffer)
        }
        if isPingOwed {
            isPingOwed = false
            write(.ping, [], &buffer)
        }
    }

    func writeClose(_ reason: CloseReason, _ buffer: inout WriteBuffer) {
        write(.close, reason.payload, &buffer)
    }

    // MARK: Bytes

    private func write(_ opcode: Opcode, _ payload: [UInt8], _ buffer: inout WriteBuffer) {
        let mask = newMask()
        writeHeader(opcode, payload.count, mask, &buffer)
        _ = write(payload, from: 0, mask, &buffer)
    }

    private func writeHeader(_ opcode: Opcode, _ length: Int, _ mask: UInt32?, _ buffer: inout WriteBuffer) {
        _ = FrameHeader(opcode: opcode, length: length, mask: mask).append(to: &buffer)
    }

    private func write(
        _ bytes: [UInt8], from offset: Int, _ mask: UInt32?, _ buffer: inout WriteBuffer
    ) -> Int {
        let start = buffer.count
        let taken = bytes.withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        if let mask { applyMask(mask, at: offset, to: buffer[from: start]) }
        return taken
    }

    private func newMask() -> UInt32? { role == .client ? UInt32.random(in: .min ... .max) : nil }
}
