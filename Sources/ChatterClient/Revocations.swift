import ChatterModel
import Foundation

/// Sessions that ended here but that the server does not know to have ended: told when it can be reached, remembered
/// until then.
actor Revocations {
    private static let key = "revocations"

    private let secrets: any SecretStore
    private let workspace: WorkspaceAPI
    private let clock: any ChatterClock
    private let random: RandomSource
    private var loop: Task<Void, Never>?
    /// Of the last try; nil once none is left. For the status of the client.
    private(set) var lastError: ClientError?

    init(secrets: any SecretStore, network: ClientNetwork) {
        self.secrets = secrets
        workspace = network.workspace
        (clock, random) = (network.clock, network.random)
    }

    /// Durable when it returns. The same session twice is one.
    func remember(_ session: StoredSession) async throws(ClientError) {
        var sessions = try await pending()
        sessions.removeAll { $0.deviceID == session.deviceID }
        try await save(sessions + [session])
    }

    /// Tries each once. Returns whether none is left.
    @discardableResult
    func attempt() async throws(ClientError) -> Bool {
        for session in try await pending() { try await revoke(session) }
        return try await pending().isEmpty
    }

    /// Tries until none is left, at a growing distance. Calling it while it runs is harmless.
    func start() {
        guard loop == nil else { return }
        loop = Task {
            await self.run()
            self.loop = nil
        }
    }

    func stop() async {
        loop?.cancel()
        await loop?.value
    }

    private func run() async {
        var failures = 0
        while !Task.isCancelled {
            do throws(ClientError) {
                if try await attempt() {
                    lastError = nil
                    return
                }
            } catch {
                // Tried again, by the next launch at the latest.
                lastError = error
            }
            failures += 1
            do {
                try await clock.sleep(for: Backoff.delay(failures: failures, random: random.unit()))
            } catch {
                return  // Stopped.
            }
        }
    }

    /// A refusal means that the session is over, which is all that is wanted.
    private func revoke(_ session: StoredSession) async throws(ClientError) {
        do {
            do {
                try await logOut(session.accessToken)
            } catch let error where error.kind == .unauthorised {
                try await logOut(try await renewed(session).accessToken)
            }
        } catch let error where !error.isTransient || error.kind == .unauthorised {
            // Over already.
        }
        try await save(try await pending().filter { $0.deviceID != session.deviceID })
    }

    private func logOut(_ token: String) async throws(ClientError) {
        _ = try await workspace.call(Routes.logOut, Nothing(), token: token, timeout: .seconds(5))
    }

    private func renewed(_ session: StoredSession) async throws(ClientError) -> StoredSession {
        let pair = try await workspace.call(
            Routes.refresh, RefreshTokens(refreshToken: session.refreshToken), timeout: .seconds(5))
        let renewed = session.replacing(pair, at: clock.now)
        try await remember(renewed)
        return renewed
    }

    private func pending() async throws(ClientError) -> [StoredSession] {
        guard let data = try await secrets.read(Self.key) else { return [] }
        do {
            return try JSONDecoder().decode([StoredSession].self, from: data)
        } catch {
            throw ClientError(.storage(isTransient: false), "the stored revocations cannot be read")
        }
    }

    private func save(_ sessions: [StoredSession]) async throws(ClientError) {
        guard !sessions.isEmpty else { return try await secrets.remove(Self.key) }
        let data: Data
        do {
            data = try JSONEncoder().encode(sessions)
        } catch {
            throw ClientError(.storage(isTransient: false), "the revocations cannot be encoded")
        }
        try await secrets.write(Self.key, data)
    }
}
