import ChatterModel
import Foundation

/// Time, injected so that tests own it.
public protocol ChatterClock: Sendable {
    /// This device's wall clock: for people to read, never to measure with; it jumps.
    var now: Timestamp { get }
    /// Time since some fixed moment; never goes back, goes on while the device sleeps.
    var monotonic: Duration { get }
    /// Returns once `monotonic` has reached `deadline`; throws only `CancellationError`.
    func sleep(until deadline: Duration) async throws
}

extension ChatterClock {
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: monotonic + duration)
    }
}

/// The system's clocks.
public struct SystemClock: ChatterClock {
    private static let start = ContinuousClock.now

    public init() {}

    public var now: Timestamp { Timestamp(Date()) }

    public var monotonic: Duration { Self.start.duration(to: .now) }

    public func sleep(until deadline: Duration) async throws {
        try await ContinuousClock().sleep(until: Self.start.advanced(by: deadline), tolerance: nil)
    }
}
