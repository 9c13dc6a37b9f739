/// One REST call, defined once for both sides: the server registers it, the client calls it, the tests pin it to
/// `api/openapi.yaml`.
public struct Endpoint<Body: Codable & Sendable, Reply: Codable & Sendable>: Sendable {
    public let method: HTTPMethod
    /// With named parameters in braces: `/v1/friend-requests/{id}/accept`.
    public let path: String
    public let access: Access
    /// The status of success; 204 has no body and goes with `Nothing`.
    public let status: Int

    init(_ method: HTTPMethod, _ path: String, access: Access = .user, status: Int = 200) {
        self.method = method
        self.path = path
        self.access = access
        self.status = status
    }
}

public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
}

/// What a call must carry.
public enum Access: Sendable, CaseIterable {
    /// Nothing: `/healthz`, `/metrics`.
    case open
    /// `X-Client-Key`.
    case workspace
    /// `X-Client-Key` and a bearer token; the profile may still be incomplete.
    case account
    /// As `account`, with a complete profile.
    case user
    /// `X-Client-Secret`: the operator.
    case admin
}

/// No body. Encodes as an empty object and accepts any.
public struct Nothing: Codable, Hashable, Sendable {
    public init() {}
}

/// A page of a list. `nextCursor` is opaque; absent on the last page.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    public var nextCursor: String?

    public init(items: [Item], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

extension Page: Equatable where Item: Equatable {}

public enum Headers {
    public static let clientKey = "X-Client-Key"
    public static let clientSecret = "X-Client-Secret"
    /// The epoch that the caller's numbers are of; optional. The call is refused with START_OVER when it has ended.
    public static let epoch = "X-Epoch"
    public static let authorization = "Authorization"
    public static let retryAfter = "Retry-After"
}
