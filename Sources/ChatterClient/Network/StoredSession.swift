import ChatterModel
import Foundation

/// The signed-in session as it lies in the secret store.
struct StoredSession: Codable, Hashable, Sendable {
    var userID: ID<User>
    var deviceID: ID<Device>
    var accessToken: String
    var refreshToken: String
    /// This device's clock when the pair came; only good for a guess after a relaunch.
    var obtainedAt: Timestamp
    /// Seconds.
    var expiresIn: Int

    static let key = "session"

    init(_ signedIn: SignedIn, at now: Timestamp) {
        userID = signedIn.user.id
        deviceID = signedIn.deviceID
        accessToken = signedIn.accessToken
        refreshToken = signedIn.refreshToken
        expiresIn = signedIn.expiresIn
        obtainedAt = now
    }

    func replacing(_ pair: TokenPair, at now: Timestamp) -> StoredSession {
        var session = self
        session.accessToken = pair.accessToken
        session.refreshToken = pair.refreshToken
        session.expiresIn = pair.expiresIn
        session.obtainedAt = now
        return session
    }

    /// What is probably left of the access token's life. A clock that was set back, or far forward, makes it zero:
    /// a refresh too many harms nobody.
    func remaining(now: Timestamp) -> Duration {
        let age = obtainedAt.duration(to: now)
        guard age >= .zero else { return .zero }
        return max(.zero, .seconds(expiresIn) - age)
    }
}

/// Never prints its tokens.
extension StoredSession: CustomStringConvertible, CustomReflectable {
    var description: String { "session of \(userID) on \(deviceID)" }
    var customMirror: Mirror { Mirror(self, children: ["userID": userID, "deviceID": deviceID]) }
}

extension SecretStore {
    /// nil when nobody is signed in.
    func session() async throws(ClientError) -> StoredSession? {
        guard let data = try await read(StoredSession.key) else { return nil }
        do {
            return try JSONDecoder().decode(StoredSession.self, from: data)
        } catch {
            throw ClientError(.storage(isTransient: false), "the stored session cannot be read")
        }
    }

    func save(_ session: StoredSession) async throws(ClientError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(session)
        } catch {
            throw ClientError(.storage(isTransient: false), "the session cannot be encoded")
        }
        try await write(StoredSession.key, data)
    }
}
