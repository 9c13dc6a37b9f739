import ChatterClient
import Foundation

/// Secrets in memory; shared by the clients that open it, as a profile's are by its launches.
public final class FakeSecrets: SecretStore, @unchecked Sendable {  // the variables are guarded by `lock`
    public let name = "memory"
    private let lock = NSLock()
    private var secrets: [String: Data] = [:]
    private var failure: ClientError?
    private var callsUntilFailure = 0
    private var written: (@Sendable (String) -> Void)?

    public init() {}

    /// Every call after the next `calls` fails with `failure`, until it is nil again.
    public func fail(with failure: ClientError?, after calls: Int = 0) {
        lock.withLock {
            self.failure = failure
            callsUntilFailure = calls
        }
    }

    /// Called with the key after each secret that was written: the moment of a crash.
    public func onWrite(_ body: (@Sendable (String) -> Void)?) { lock.withLock { written = body } }

    public var isEmpty: Bool { lock.withLock { secrets.isEmpty } }

    public func read(_ key: String) async throws(ClientError) -> Data? {
        try check()
        return lock.withLock { secrets[key] }
    }

    public func write(_ key: String, _ secret: Data) async throws(ClientError) {
        try check()
        let written = lock.withLock {
            secrets[key] = secret
            return self.written
        }
        written?(key)
    }

    public func remove(_ key: String) async throws(ClientError) {
        try check()
        lock.withLock { secrets[key] = nil }
    }

    private func check() throws(ClientError) {
        let failure: ClientError? = lock.withLock {
            guard callsUntilFailure == 0 else {
                callsUntilFailure -= 1
                return nil
            }
            return self.failure
        }
        if let failure { throw failure }
    }
}
