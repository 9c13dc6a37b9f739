/// Every REST call of the API. Query parameters stand in the comment; a bad one is VALIDATION_FAILED.
public enum Routes {
    public static let health = Endpoint<Nothing, Health>(.get, "/healthz", access: .open)

    public static let requestCode = Endpoint<RequestCode, CodeRequested>(
        .post, "/v1/auth/request-code", access: .workspace)
    public static let verifyCode = Endpoint<VerifyCode, SignedIn>(
        .post, "/v1/auth/verify", access: .workspace)
    public static let refresh = Endpoint<RefreshTokens, TokenPair>(
        .post, "/v1/auth/refresh", access: .workspace)
    public static let logOut = Endpoint<Nothing, Nothing>(
        .post, "/v1/auth/logout", access: .account, status: 204)

    public static let me = Endpoint<Nothing, Me>(.get, "/v1/me", access: .account)
    public static let editProfile = Endpoint<EditProfile, Me>(.patch, "/v1/me", access: .account)
    public static let deleteAccount = Endpoint<Nothing, Nothing>(
        .delete, "/v1/me", access: .account, status: 204)
    public static let usernameAvailability = Endpoint<Nothing, UsernameAvailability>(
        .get, "/v1/usernames/{username}/availability", access: .account)

    /// `q`: a username prefix (2 characters at least, a leading `@` is dropped) or a whole phone number with `+`.
    public static let searchUsers = Endpoint<Nothing, Page<FoundUser>>(.get, "/v1/users/search")
    public static let user = Endpoint<Nothing, FoundUser>(.get, "/v1/users/{id}")

    /// Crossing requests become a friendship: then the answer's status is `accepted`.
    public static let sendFriendRequest = Endpoint<NewFriendRequest, FriendRequest>(
        .post, "/v1/friend-requests", status: 201)
    /// `direction` = `incoming` | `outgoing`, `cursor`, `limit`: the pending ones, newest first.
    public static let friendRequests = Endpoint<Nothing, Page<FriendRequest>>(.get, "/v1/friend-requests")
    public static let acceptFriendRequest = Endpoint<Nothing, Friend>(
        .post, "/v1/friend-requests/{id}/accept")
    public static let declineFriendRequest = Endpoint<Nothing, Nothing>(
        .post, "/v1/friend-requests/{id}/decline", status: 204)
    public static let cancelFriendRequest = Endpoint<Nothing, Nothing>(
        .delete, "/v1/friend-requests/{id}", status: 204)

    /// `cursor`, `limit`.
    public static let friends = Endpoint<Nothing, Page<Friend>>(.get, "/v1/friends")
    public static let removeFriend = Endpoint<Nothing, Nothing>(.delete, "/v1/friends/{userId}", status: 204)

    /// `cursor`, `limit`.
    public static let blocks = Endpoint<Nothing, Page<Block>>(.get, "/v1/blocks")
    public static let block = Endpoint<Nothing, Block>(.put, "/v1/blocks/{userId}")
    public static let unblock = Endpoint<Nothing, Nothing>(.delete, "/v1/blocks/{userId}", status: 204)
    public static let report = Endpoint<NewReport, ReportFiled>(.post, "/v1/reports", status: 201)

    public static let openDirect = Endpoint<OpenDirect, Conversation>(.post, "/v1/conversations/direct")
    /// `updatedSince` (an opaque cursor of this list), `limit`. `nextCursor` is always there: the last page's is
    /// where the next call continues; the list has ended when a page is empty.
    public static let conversations = Endpoint<Nothing, Page<Conversation>>(.get, "/v1/conversations")
    public static let conversation = Endpoint<Nothing, Conversation>(.get, "/v1/conversations/{id}")
    public static let editSettings = Endpoint<EditSettings, Conversation>(
        .patch, "/v1/conversations/{id}/settings")

    /// One of `beforeSeq`, `afterSeq`, `afterChange`, or none for the newest; `limit` 1...200, 50 unless told.
    /// By `afterChange` a page holds the messages with the lowest changes above it: continue from the largest
    /// `change` in the page.
    public static let messages = Endpoint<Nothing, MessagePage>(.get, "/v1/conversations/{id}/messages")
    public static let sendMessage = Endpoint<NewMessage, MessageAck>(.post, "/v1/conversations/{id}/messages")
    /// `scope` = `me` | `everyone`; idempotent.
    public static let deleteMessage = Endpoint<Nothing, Message>(.delete, "/v1/messages/{id}")
    public static let moveReceipts = Endpoint<MoveReceipts, Receipt>(.post, "/v1/conversations/{id}/receipts")

    /// `since` (absent: everything), `limit`.
    public static let sync = Endpoint<Nothing, SyncPage>(.get, "/v1/sync")

    public static let devices = Endpoint<Nothing, Page<Device>>(.get, "/v1/devices", access: .account)
    public static let signOutDevice = Endpoint<Nothing, Nothing>(
        .delete, "/v1/devices/{id}", access: .account, status: 204)

    /// The operator's: `cursor`, `limit`.
    public static let reports = Endpoint<Nothing, Page<Report>>(.get, "/v1/admin/reports", access: .admin)
}
