import ChatterModel

/// Why the client could not do what it was asked.
public struct ClientError: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The server cannot be reached, or asks to come back later: no connection, time-out, TLS or socket closed,
        /// 408, 412, 425, 429, 502, 503, 504.
        case outage
        /// The server broke on this one call: any other 5xx, an answer that cannot be read.
        case fault
        /// The server understood and said no: any other 4xx. An `ErrorCode`, or a newer server's own.
        case refused(code: String)
        /// The access token was refused, and again after a refresh.
        case unauthorised
        /// The server does not know the client key: a wrong configuration, which says nothing about the account.
        case clientKeyRefused
        /// Nobody is signed in, or the refresh itself was refused.
        case signedOut
        /// Refused here, before anything was sent or queued: the text names the field and the rule.
        case invalid
        /// What was asked for is not in the local database.
        case notFound
        /// Another process has this profile open; nil when it has not written its id yet.
        case profileInUse(processID: Int32?)
        /// The local database or the secrets could not be read or written.
        case storage(isTransient: Bool)
        /// The task was cancelled.
        case cancelled
        /// The client was closed.
        case closed
    }

    public var kind: Kind
    /// English, for developers and logs; never holds what a person wrote, nor a secret.
    public var message: String
    /// `VALIDATION_FAILED` names the field and the rule here.
    public var details: [String: String]?
    /// How long the server asks to wait.
    public var retryAfter: Duration?
    /// The answer's HTTP status, when there was one.
    public var status: Int?
    /// The code of the contract's error body, when there was one: the answer came from the server and no proxy.
    public var serverCode: String?

    public init(
        _ kind: Kind, _ message: String, status: Int? = nil, serverCode: String? = nil,
        details: [String: String]? = nil, retryAfter: Duration? = nil
    ) {
        self.kind = kind
        self.message = message
        self.status = status
        self.serverCode = serverCode
        self.details = details
        self.retryAfter = retryAfter
    }

    /// The same call may succeed later, unchanged.
    public var isTransient: Bool {
        switch kind {
        case .outage, .fault, .unauthorised, .clientKeyRefused, .cancelled: true
        case .storage(let isTransient): isTransient
        case .refused, .signedOut, .invalid, .notFound, .profileInUse, .closed: false
        }
    }

    /// The contract's code, when the server refused with one that this build knows.
    public var code: ErrorCode? {
        if case .refused(let code) = kind { ErrorCode(rawValue: code) } else { nil }
    }
}

extension ClientError: CustomStringConvertible {
    public var description: String { message }
}
