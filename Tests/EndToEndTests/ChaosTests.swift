import ChatterTestSupport
import Foundation
import Testing

/// Real programs, real sockets, real kills: the promise under the worst network that a seed can make.
@Suite("Two people chat while everything around them breaks", .serialized)
struct ChaosTests {
    /// As many as CI has time for; `CHATTER_SEEDS=100-200` runs others.
    static let seeds: [UInt64] = {
        let wish = ProcessInfo.processInfo.environment["CHATTER_SEEDS"] ?? "1-20"
        let ends = wish.split(separator: "-").compactMap { UInt64($0) }
        guard let first = ends.first, let last = ends.last, first <= last else { return [] }
        return Array(first...last)
    }()

    // Field cases 1, 4, 7, 18, 27, 33, 56
    @Test(
        "500 messages arrive once each, in one order, with the right ticks", .timeLimit(.minutes(4)),
        arguments: seeds)
    func nothingIsLostDoubledOrOutOfOrder(seed: UInt64) async throws {
        let world = try await ChaosWorld(seed: seed, messagesEach: 250)
        try await world.chat()
        try await world.calm()
        try await world.waitUntilRead()
        try await world.stop()
        try await world.check()
    }
}
