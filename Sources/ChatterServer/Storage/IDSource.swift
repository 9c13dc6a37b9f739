import ChatterModel

/// Makes UUIDv7 ids that grow with every call: new rows go to the end of their index.
struct IDSource {
    private let random: any RandomBytes
    private var lastTime: Int64 = 0
    /// The 12 bits behind the time: a counter within one millisecond.
    private var counter: UInt16 = 0
    private var pool: [UInt8] = []

    init(random: any RandomBytes) { self.random = random }

    mutating func next(at now: Timestamp) -> String {
        advance(to: now.milliseconds)
        if pool.count < 8 { pool = random.bytes(1024) }
        let tail = pool.suffix(8)
        pool.removeLast(8)
        var bytes: [UInt8] = (0..<6).map { UInt8(truncatingIfNeeded: lastTime >> (40 - 8 * $0)) }
        bytes.append(0x70 | UInt8(counter >> 8))
        bytes.append(UInt8(truncatingIfNeeded: counter))
        bytes.append(contentsOf: tail)
        bytes[8] = 0x80 | bytes[8] & 0x3f
        return uuidText(bytes)
    }

    /// A clock that stands still or goes back must not make ids that sort before earlier ones.
    private mutating func advance(to milliseconds: Int64) {
        if milliseconds > lastTime {
            lastTime = milliseconds
            counter = 0
        } else if counter < 0xfff {
            counter += 1
        } else {
            lastTime += 1
            counter = 0
        }
    }
}

/// 16 bytes in the 8-4-4-4-12 spelling, lower case.
func uuidText(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 36) { buffer in
        var place = 0
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                buffer[place] = UInt8(ascii: "-")
                place += 1
            }
            buffer[place] = digits[Int(byte >> 4)]
            buffer[place + 1] = digits[Int(byte & 15)]
            place += 2
        }
        return place
    }
}
