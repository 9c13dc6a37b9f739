import ChatterModel

/// The REST calls of the signed-in account that the sync and the outbox need. An answer 401 was already met with a
/// refresh and one more try.
protocol ServerCalls: Sendable {
    func sync(since cursor: String?) async throws(ClientError) -> SyncPage
    func messages(
        in conversation: ID<Conversation>, _ range: MessageRange, limit: Int
    ) async throws(ClientError) -> MessagePage
    func send(_ message: SendMessage) async throws(ClientError) -> MessageAck
    /// The direct chat with a friend, made when there is none.
    func openDirect(with user: ID<User>) async throws(ClientError) -> Conversation
    func deleteMessage(_ id: ID<Message>, scope: DeletionScope) async throws(ClientError) -> Message
    func moveReceipts(
        in conversation: ID<Conversation>, _ receipts: MoveReceipts
    ) async throws(ClientError) -> Receipt
    func editSettings(
        of conversation: ID<Conversation>, _ edit: EditSettings
    ) async throws(ClientError) -> Conversation
    func editProfile(_ edit: EditProfile) async throws(ClientError) -> Me
    func sendFriendRequest(to user: ID<User>) async throws(ClientError) -> FriendRequest
    func acceptFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) -> Friend
    func declineFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError)
    func cancelFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError)
    func removeFriend(_ user: ID<User>) async throws(ClientError)
    func block(_ user: ID<User>) async throws(ClientError) -> Block
    func unblock(_ user: ID<User>) async throws(ClientError)
}

/// Which page of a conversation's messages is asked for.
enum MessageRange: Hashable, Sendable {
    case newest
    case before(seq: Int64)
    case afterChange(Int64)
}

/// Opens live connections of the signed-in account.
protocol LiveConnector: Sendable {
    /// One attempt; returns once the handshake is done. A handshake answered 401 throws `unauthorised`.
    func connect() async throws(ClientError) -> any LiveLink
    /// Renews the access token when the server refused it or when it is about to end; open connections then live as
    /// long as the new one. Answers when the token ends, by the monotonic clock. Throws `signedOut` only when the refresh
    /// itself was refused.
    func refreshToken() async throws(ClientError) -> Duration
}

/// One live connection.
protocol LiveLink: Sendable {
    /// When the token that it was opened with ends, by the monotonic clock: the server closes it then.
    var tokenEndsAt: Duration { get }
    /// What comes in, in order; ends after `closed`. For one consumer.
    var inputs: AsyncStream<LiveInput> { get }
    /// How many frames came that could not be read and were left out of `inputs`. It only grows.
    var unreadableFrames: Int { get }
    /// Hands a frame over in the order of the calls; that it left says nothing about its arrival.
    func send(_ frame: ClientFrame) async throws(ClientError)
    /// Harmless when closed already.
    func close()
}

enum LiveInput: Hashable, Sendable {
    case frame(ServerFrame)
    /// The last one. `code` is the server's close code, nil when the network took the connection; the reason is
    /// English, for logs.
    case closed(code: UInt16?, reason: String)
}
