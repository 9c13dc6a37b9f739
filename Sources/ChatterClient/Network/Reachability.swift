/// Whether the system has a network path; a hint that starts an attempt early, never a reason not to try.
public protocol Reachability: Sendable {
    /// The state now, then each change: up or down, or another path (a new address or interface repeats `true`).
    /// For any number of consumers; each gets its own.
    func changes() -> AsyncStream<Bool>
}
