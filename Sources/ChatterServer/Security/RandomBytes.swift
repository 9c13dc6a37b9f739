import CCrypto

/// Where ids, codes, keys and tokens get their randomness; injected for tests and simulations.
public protocol RandomBytes: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomBytes {
    /// Every number of `range` with the same probability.
    func number(in range: Range<UInt32>) -> UInt32 {
        let width = UInt32(range.count)
        // Above the largest multiple of the width, a remainder would favour the small numbers.
        let limit = UInt32.max - UInt32.max % width
        while true {
            let number = bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if number < limit { return range.lowerBound + number % width }
        }
    }
}

/// OpenSSL's generator, seeded by the kernel.
public struct SecureRandom: RandomBytes {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            // It fails only when the kernel gives no entropy; a predictable token would be worse than a stop.
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "no entropy for random numbers")
            written = count
        }
    }
}
