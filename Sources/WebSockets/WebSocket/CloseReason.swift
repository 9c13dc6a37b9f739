/// A Close frame's content.
struct CloseReason: Equatable, Sendable {
    var code: UInt16
    var reason: String

    /// No code was given in the Close frame.
    static let none = CloseReason(code: 1005, reason: "")
    /// The connection ended without a Close frame.
    static let abnormal = CloseReason(code: 1006, reason: "")
    static let tooLarge = CloseReason(code: 1009, reason: "message too large")

    init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Of a frame that libwebsockets has checked.
    init(payload: UnsafeRawBufferPointer) {
        guard payload.count >= 2 else {
            self = .none
            return
        }
        code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        reason = String(decoding: payload[2...], as: UTF8.self)
    }

    /// The reason as it fits a Close frame: cut at 123 bytes, between characters.
    var reasonBytes: [UInt8] {
        var bytes: [UInt8] = []
        for character in reason {
            guard bytes.count + character.utf8.count <= 123 else { break }
            bytes.append(contentsOf: character.utf8)
        }
        return bytes
    }
}
