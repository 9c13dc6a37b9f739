import ChatterClient
import ChatterModel

/// How two people stand, in words, and what would change that: a closed chat and a person's page say the same.
nonisolated public enum Standing: Hashable, Sendable {
    case friends
    case strangers
    /// One's own request waits for an answer.
    case asked
    /// The other's request does.
    case asksYou
    case blocked
    /// The account no longer exists.
    case gone

    /// Of two who are not friends.
    init(request: FriendRequest.Direction?) {
        self =
            switch request {
            case .outgoing: .asked
            case .incoming: .asksYou
            case nil: .strangers
            }
    }

    /// What stands between the two; nil when nothing does.
    public var sentence: String? {
        switch self {
        case .friends: nil
        case .strangers: "You are not friends."
        case .asked: "You have asked to be friends."
        case .asksYou: "This person asks to be your friend."
        case .blocked: "You have blocked this person."
        case .gone: "This account no longer exists."
        }
    }

    public var remedy: Remedy? {
        switch self {
        case .friends, .gone: nil
        case .strangers: .add
        case .asked: .cancel
        case .asksYou: .accept
        case .blocked: .unblock
        }
    }
}

/// The one step that changes how two people stand.
nonisolated public enum Remedy: Hashable, Sendable {
    case add, cancel, accept, unblock

    public var title: String {
        switch self {
        case .add: "Add Friend"
        case .cancel: "Cancel Request"
        case .accept: "Accept"
        case .unblock: "Unblock"
        }
    }
}

extension FriendsRepository {
    nonisolated func apply(_ remedy: Remedy, to user: User) async throws(ClientError) {
        switch remedy {
        case .add: try await sendRequest(to: user)
        case .cancel: try await cancel(to: user.id)
        case .accept: try await accept(from: user.id)
        case .unblock: try await unblock(user.id)
        }
    }
}
