/// Why the server closed a socket. 1xxx as in RFC 6455, 4xxx are Chatter's.
public enum CloseCode: UInt16, Sendable, CaseIterable {
    /// A frame above the limit.
    case tooLarge = 1009
    /// The access token ended: refresh, then reconnect.
    case tokenExpired = 4001
    /// Signed out here, from another device, or the account is gone: refreshing tells.
    case signedOut = 4003
    /// Read too slowly: reconnect and resync.
    case slowConsumer = 4008
    /// The server is stopping: reconnect with back-off. Not 1012, which libwebsockets hands out as 1002.
    case restarting = 4012
    /// Frames that are no JSON objects of the contract, too many in a row.
    case malformed = 4002
    /// Far above the rate limit: back off.
    case flooding = 4029
}
