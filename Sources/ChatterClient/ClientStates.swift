import ChatterModel

/// Who is signed in on this profile.
public enum SessionState: Hashable, Sendable {
    /// nil: never signed in here, or signed out by the person.
    case signedOut(SignOutReason?)
    /// Signed in, but without a display name and a username: only the profile can be edited.
    case profileIncomplete(Me)
    case signedIn(Me)
}

public enum SignOutReason: String, Hashable, Sendable, Codable {
    /// The server refused the refresh: signed out from another device, or the account is gone. What is stored here
    /// waits for the same person to sign in again.
    case refreshRefused
    /// The account was deleted from this device. Nothing is left here.
    case accountDeleted
}

/// Where the live connection stands.
public enum ConnectionState: Hashable, Sendable {
    /// Not connected; `retryAt` (this device's clock) is when the next attempt starts by itself.
    case offline(OfflineReason, retryAt: Timestamp?)
    case connecting
    /// Connected; what was missed is being fetched. It stays so while a part of it cannot be fetched, because the server
    /// refuses it or breaks on it: that part is tried again with its next event, or with the next connection.
    case syncing
    /// Connected and up to date.
    case online
}

public enum OfflineReason: Hashable, Sendable {
    /// `start()` was not called, or the process is in the background (`setInBackground`), or the client is closed.
    case stopped
    case signedOut
    /// The system says that there is no network.
    case noNetwork
    /// The last attempt or connection ended so; English, for developers and logs.
    case failed(String)
}

/// How the local database of the signed-in account does.
public enum StorageState: Hashable, Sendable {
    /// Also when nobody is signed in.
    case sound
    /// It was damaged and was repaired when it was opened. Nothing was lost.
    case repaired
    /// It was damaged. When it was opened, what could be read was saved, messages still to be sent and drafts before all
    /// else; the rest is fetched from the server again.
    case salvaged
    /// It cannot be read or written at present, a full disk say; the message is for a person. Tried again by itself.
    case failing(ClientError)
    /// Damage was found while it was open: opening the client again repairs it.
    case damaged
}

/// A snapshot for a status command or a diagnostics screen.
public struct ClientStatus: Hashable, Sendable {
    public var session: SessionState
    public var connection: ConnectionState
    /// Entries waiting in the outbox, by lane (a conversation's id, or the name of another queue).
    public var queued: [String: Int]
    /// Entries that failed and wait for a retry or a discard.
    public var failed: Int
    /// Messages known to be missing in the middle of loaded history.
    public var missingMessages: Int
    /// The server's clock minus this device's; nil before the first answer.
    public var clockSkew: Duration?
    /// Frames that could not be read and were dropped since the client was opened.
    public var malformedFrames: Int
    public var lastError: ClientError?
    /// Where the tokens are kept.
    public var secretStore: String

    public init(
        session: SessionState, connection: ConnectionState, queued: [String: Int] = [:], failed: Int = 0,
        missingMessages: Int = 0, clockSkew: Duration? = nil, malformedFrames: Int = 0,
        lastError: ClientError? = nil, secretStore: String = ""
    ) {
        self.session = session
        self.connection = connection
        self.queued = queued
        self.failed = failed
        self.missingMessages = missingMessages
        self.clockSkew = clockSkew
        self.malformedFrames = malformedFrames
        self.lastError = lastError
        self.secretStore = secretStore
    }
}
