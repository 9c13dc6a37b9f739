import ChatterModel

/// An action that has not reached the server yet.
public struct OutboxItem: Hashable, Sendable, Identifiable {
    public enum State: Hashable, Sendable {
        case waiting
        /// Waits for a retry or a discard by the person.
        case failed(FailureReason)
    }

    public var id: Int64
    /// `message.send`, `friend.request`, …
    public var kind: String
    /// Entries of one lane leave one after the other: a conversation's id, or another queue's name.
    public var lane: String
    public var clientMessageID: ClientMessageID?
    public var state: State
    public var attempts: Int
    /// Not before then (this device's clock); nil: as soon as there is a connection.
    public var nextAttemptAt: Timestamp?
    /// English, for developers and logs.
    public var lastError: String?
    public var createdAt: Timestamp

    public init(
        id: Int64, kind: String, lane: String, clientMessageID: ClientMessageID? = nil, state: State,
        attempts: Int, nextAttemptAt: Timestamp? = nil, lastError: String? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.lane = lane
        self.clientMessageID = clientMessageID
        self.state = state
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.lastError = lastError
        self.createdAt = createdAt
    }
}
