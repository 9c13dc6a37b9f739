/// The contract's limits, the same on both sides.
public enum Limits {
    /// Of a message body: user-visible characters (extended grapheme clusters).
    public static let messageCharacters = 4096
    /// Of a message body, in UTF-8.
    public static let messageBytes = 64 * 1024
    public static let usernameLength = 3...32
    public static let displayNameCharacters = 64
    public static let aboutCharacters = 140
    public static let reportCharacters = 1000
    public static let deviceNameCharacters = 64
    /// Of a stored name or `about`, in UTF-8: 64 emoji families fit.
    public static let nameBytes = 2048
    /// Of a name or `about` as it was typed, in UTF-8, before hidden characters are dropped.
    public static let rawNameBytes = 8192
    public static let reportBytes = 16_000
    public static let frameIDCharacters = 64
    /// Of a request body, in bytes, and of a WebSocket frame: a message body whose every byte is escaped as six still
    /// fits, with a third to spare.
    public static let requestBytes = 512 * 1024
    public static let frameBytes = 512 * 1024
    public static let pageSize = 50
    public static let largestPage = 200
    public static let searchPrefixLength = 2
    public static let searchResults = 20
    public static let syncConversations = 1000
    /// Messages streamed per conversation in answer to one `sync.request`.
    public static let syncMessages = 100
    public static let typingExpiry = Duration.seconds(6)
    public static let pingInterval = Duration.seconds(25)
}
