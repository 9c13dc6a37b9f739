import ChatterClient
import ChatterModel

/// What stands above a conversation.
nonisolated public struct ConversationHeader: Hashable, Sendable {
    public var title: String
    public var face: Face
    /// `typing…`, `online`, `last seen today at 14:03`; nil when there is nothing to say.
    public var subtitle: String?
    public var isTyping: Bool
    /// The other person, whose contact page a click on the header opens.
    public var peer: ID<User>?

    /// - Parameter isOnline: without a connection of one's own, somebody's “online” would be a guess.
    init(_ header: ConversationContent.Header, isOnline: Bool, words: TimeWords) {
        title = header.peer.map { PersonLabel.name(of: $0) } ?? header.title
        face = header.peer.map { Face($0) } ?? Face(name: title, pictureURL: header.avatarURL)
        isTyping = !header.typing.isEmpty
        peer = header.peer?.id
        let isDeleted = header.peer?.isDeleted == true
        let presence = header.presence?.online == true && !isOnline ? nil : words.presence(header.presence)
        subtitle = isTyping ? ActivityWords.typing : isDeleted ? "Deleted account" : presence
    }
}

/// Whether one can write, and what is said where one cannot.
nonisolated public enum ComposerState: Hashable, Sendable {
    case open
    case closed(reason: String, remedy: Remedy?)

    /// - Parameter request: the one between the two, if any.
    init(_ composer: ConversationContent.Composer, request: FriendRequest.Direction?) {
        self =
            switch composer {
            case .open: .open
            case .peerDeleted: .closed(.gone)
            case .notFriends: .closed(Standing(request: request))
            case .blocked: .closed(.blocked)
            case .gone: .closed(reason: "You are no longer in this chat.", remedy: nil)
            }
    }

    private static func closed(_ standing: Standing) -> Self {
        .closed(reason: standing.sentence ?? "", remedy: standing.remedy)
    }
}
