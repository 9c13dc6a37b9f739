import Foundation

/// Randomness that can be shared between tasks, injected so that tests repeat exactly.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private let draw: @Sendable () -> UInt64

    public init(_ draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

    public static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    public func next() -> UInt64 { draw() }

    /// In 0..<1.
    public func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A random (version 4) UUID.
    public func uuid() -> UUID {
        var (high, low) = (next(), next())
        high = (high & ~0xf000) | 0x4000
        low = (low & ~(0xc << 60)) | (0x8 << 60)
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
