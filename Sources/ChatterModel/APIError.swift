/// Every error the API answers with. `api/openapi.yaml` lists the same; a test compares the two.
public enum ErrorCode: String, Codable, Hashable, Sendable, CaseIterable {
    case validationFailed = "VALIDATION_FAILED"
    case codeInvalid = "CODE_INVALID"
    case codeExpired = "CODE_EXPIRED"
    case clientKeyInvalid = "CLIENT_KEY_INVALID"
    case tokenInvalid = "TOKEN_INVALID"
    case tokenExpired = "TOKEN_EXPIRED"
    case refreshRejected = "REFRESH_REJECTED"
    case profileIncomplete = "PROFILE_INCOMPLETE"
    case notFriends = "NOT_FRIENDS"
    case blocked = "BLOCKED"
    case forbidden = "FORBIDDEN"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case requestTimeout = "REQUEST_TIMEOUT"
    case usernameTaken = "USERNAME_TAKEN"
    case alreadyFriends = "ALREADY_FRIENDS"
    case requestClosed = "REQUEST_CLOSED"
    case idReused = "ID_REUSED"
    case userDeleted = "USER_DELETED"
    case startOver = "START_OVER"
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case upgradeRequired = "UPGRADE_REQUIRED"
    case rateLimited = "RATE_LIMITED"
    case headersTooLarge = "HEADERS_TOO_LARGE"
    case internalError = "INTERNAL"
    case unavailable = "UNAVAILABLE"

    /// The HTTP status it travels with.
    public var status: Int {
        switch self {
        case .validationFailed, .codeInvalid, .codeExpired: 400
        case .clientKeyInvalid, .tokenInvalid, .tokenExpired, .refreshRejected: 401
        case .profileIncomplete, .notFriends, .blocked, .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .usernameTaken, .alreadyFriends, .requestClosed, .idReused: 409
        case .userDeleted: 410
        case .startOver: 412
        case .payloadTooLarge: 413
        case .unsupportedMediaType: 415
        case .upgradeRequired: 426
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .unavailable: 503
        }
    }
}

/// `message` is English for developers and logs; apps show words of their own for each code. `details` names the
/// field and the rule for `VALIDATION_FAILED`; it never holds what a person wrote.
public struct APIError: Error, Hashable, Sendable {
    public var code: ErrorCode
    public var message: String
    public var details: [String: String]?
    /// Seconds to wait, on 429 and 503; travels as the `Retry-After` header.
    public var retryAfter: Int?

    public init(
        _ code: ErrorCode, _ message: String, details: [String: String]? = nil, retryAfter: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.retryAfter = retryAfter
    }

    public static func invalid(_ field: String, _ rule: String) -> APIError {
        APIError(.validationFailed, "\(field): \(rule)", details: ["field": field, "rule": rule])
    }
}

/// The body of every error answer: `{"error": {"code", "message", "details"?}}`.
public struct ErrorBody: Codable, Hashable, Sendable {
    public struct Content: Codable, Hashable, Sendable {
        /// Text and not `ErrorCode`: a client must read codes that a newer server added.
        public var code: String
        public var message: String
        public var details: [String: String]?

        public init(code: String, message: String, details: [String: String]?) {
            self.code = code
            self.message = message
            self.details = details
        }
    }

    public var error: Content

    public init(_ error: APIError) {
        self.error = Content(code: error.code.rawValue, message: error.message, details: error.details)
    }
}
