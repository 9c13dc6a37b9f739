/// What the peer did wrong, and the Close frame that tells it.
struct ProtocolViolation: Error, Equatable {
    let close: CloseReason

    static func malformed(_ reason: String) -> Self { Self(close: CloseReason(code: 1002, reason: reason)) }
    static let notUTF8 = Self(close: CloseReason(code: 1007, reason: "text is not UTF-8"))
    static let tooLarge = Self(close: CloseReason(code: 1009, reason: "message too large"))
}

/// Takes bytes as they come from the network and gives whole messages and control frames, in order.
///
/// No extension is ever negotiated: permessage-deflate costs memory for each connection, and a small frame
/// that inflates to a huge one is an attack. RFC 6455.
struct FrameParser {
    enum Event: Equatable {
        case message([UInt8], isText: Bool)
        case ping([UInt8])
        case pong
        case close(CloseReason)
    }

    private let role: Role
    private let messageLimit: Int

    /// The header of the frame being read, until it is complete.
    private var header: (bytes: UInt64, more: UInt64) = (0, 0)
    private var headerCount = 0
    private var headerSize = 2

    /// The frame whose payload is being read.
    private var frame: (opcode: Opcode, isFinal: Bool, mask: UInt32, length: Int)?
    private var frameOffset = 0
    private var control: [UInt8] = []

    /// The message being put together.
    private var message: [UInt8] = []
    private var messageOpcode: Opcode?

    init(role: Role, messageLimit: Int) {
        self.role = role
        self.messageLimit = messageLimit
    }

    /// Takes from the front of `input` and returns the next event, nil when the input is used up.
    /// `input` is unmasked in place. After a throw the parser must not be used again.
    mutating func next(
        _ input: inout UnsafeMutableRawBufferPointer
    ) throws(ProtocolViolation) -> Event? {
        while true {
            if frame == nil {
                guard try readHeader(&input) else { return nil }
            }
            if let event = try readPayload(&input) { return event }
            if input.isEmpty && !isAtEmptyPayload { return nil }
        }
    }

    /// A frame without payload is complete with its header.
    private var isAtEmptyPayload: Bool { frame?.length == 0 }

    // MARK: Header

    private mutating func readHeader(
        _ input: inout UnsafeMutableRawBufferPointer
    ) throws(ProtocolViolation) -> Bool {
        while headerCount < headerSize {
            guard let byte = input.first else { return false }
            input = UnsafeMutableRawBufferPointer(rebasing: input.dropFirst())
            set(headerCount, byte)
            headerCount += 1
            if headerCount == 2 { headerSize = try checkedHeaderSize() }
        }
        try beginFrame()
        headerCount = 0
        headerSize = 2
        return true
    }

    private mutating func set(_ index: Int, _ byte: UInt8) {
        if index < 8 {
            header.bytes = header.bytes & ~(0xFF << UInt64(index * 8)) | UInt64(byte) << UInt64(index * 8)
        } else {
            let shift = UInt64((index - 8) * 8)
            header.more = header.more & ~(0xFF << shift) | UInt64(byte) << shift
        }
    }

    private func byte(_ index: Int) -> UInt8 {
        UInt8(
            truncatingIfNeeded: index < 8
                ? header.bytes >> UInt64(index * 8) : header.more >> UInt64((index - 8) * 8))
    }

    private func checkedHeaderSize() throws(ProtocolViolation) -> Int {
        guard byte(0) & 0x70 == 0 else { throw .malformed("reserved bits are set") }
        guard let opcode = Opcode(rawValue: byte(0) & 0x0F) else { throw .malformed("unknown opcode") }
        let isMasked = byte(1) & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw .malformed(
                role == .server ? "a client must mask its frames" : "a server must not mask its frames")
        }
        let short = byte(1) & 0x7F
        if opcode.isControl {
            guard short <= 125 else { throw .malformed("control frame too long") }
            guard byte(0) & 0x80 != 0 else { throw .malformed("fragmented control frame") }
        }
        return 2 + (short == 126 ? 2 : short == 127 ? 8 : 0) + (isMasked ? 4 : 0)
    }

    private mutating func beginFrame() throws(ProtocolViolation) {
        let short = Int(byte(1) & 0x7F)
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        var length = UInt64(short)
        if extra > 0 {
            length = 0
            for index in 2..<2 + extra { length = length << 8 | UInt64(byte(index)) }
            guard length >> 63 == 0 else { throw .malformed("impossible length") }
        }
        var mask: UInt32 = 0
        if role == .server {
            for index in 0..<4 { mask |= UInt32(byte(2 + extra + index)) << UInt32(index * 8) }
        }
        // Checked when the size was taken.
        guard let opcode = Opcode(rawValue: byte(0) & 0x0F) else { throw .malformed("unknown opcode") }
        try begin(opcode, isFinal: byte(0) & 0x80 != 0, mask: mask.littleEndian, length: Int(length))
    }

    private mutating func begin(
        _ opcode: Opcode, isFinal: Bool, mask: UInt32, length: Int
    ) throws(ProtocolViolation) {
        switch opcode {
        case .text, .binary:
            guard messageOpcode == nil else { throw .malformed("a message inside another") }
            messageOpcode = opcode
        case .continuation:
            guard messageOpcode != nil else { throw .malformed("continuation of nothing") }
        case .close, .ping, .pong:
            control.removeAll()
        }
        if !opcode.isControl {
            guard length <= messageLimit - message.count else { throw .tooLarge }
            // What is announced is reserved only as far as one read goes; the rest must arrive first.
            message.reserveCapacity(message.count + min(length, 64 * 1024))
        }
        frame = (opcode, isFinal, mask, length)
        frameOffset = 0
    }

    // MARK: Payload

    private mutating func readPayload(
        _ input: inout UnsafeMutableRawBufferPointer
    ) throws(ProtocolViolation) -> Event? {
        guard let frame else { return nil }
        let taken = min(input.count, frame.length - frameOffset)
        if taken > 0 {
            let bytes = UnsafeMutableRawBufferPointer(rebasing: input[..<taken])
            if frame.mask != 0 { applyMask(frame.mask, at: frameOffset, to: bytes) }
            if frame.opcode.isControl {
                control.append(contentsOf: bytes)
            } else {
                message.append(contentsOf: bytes)
            }
            frameOffset += taken
            input = UnsafeMutableRawBufferPointer(rebasing: input[taken...])
        }
        guard frameOffset == frame.length else { return nil }
        self.frame = nil
        return try finish(frame.opcode, isFinal: frame.isFinal)
    }

    private mutating func finish(_ opcode: Opcode, isFinal: Bool) throws(ProtocolViolation) -> Event? {
        switch opcode {
        case .ping:
            return .ping(control)
        case .pong:
            return .pong
        case .close:
            guard let reason = CloseReason(payload: control) else { throw .malformed("bad Close frame") }
            return .close(reason)
        case .text, .binary, .continuation:
            guard isFinal else { return nil }
            let isText = messageOpcode == .text
            if isText, !isValidUTF8(message) { throw .notUTF8 }
            defer {
                message = []
                messageOpcode = nil
            }
            return .message(message, isText: isText)
        }
    }
}
