/// Real time, for tests of real processes: trouble that lasts a while, and another look at what tells nobody when it
/// changes (another process's database). Within this process, wait for the thing itself.
public func pause(_ duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
}
