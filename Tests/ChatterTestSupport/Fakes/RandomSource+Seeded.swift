import ChatterClient
import Foundation

extension RandomSource {
    /// The same seed gives the same run.
    public static func seeded(_ seed: UInt64) -> RandomSource {
        let shared = SharedGenerator(SeededRandom(seed: seed))
        return RandomSource { shared.next() }
    }
}

private final class SharedGenerator: @unchecked Sendable {  // `generator` is guarded by `lock`
    private let lock = NSLock()
    private var generator: SeededRandom

    init(_ generator: SeededRandom) { self.generator = generator }

    func next() -> UInt64 { lock.withLock { generator.next() } }
}
