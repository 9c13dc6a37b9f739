/// What passes between two people while a block stands between them, as docs/blocking.md has it.
enum BlockTable {
    /// What the other notices.
    enum Verdict: String, Sendable {
        case nothing
        /// The actor is told BLOCKED: only the one who set the block ever is.
        case refused = "refused, `BLOCKED`"
        case passes
    }

    struct Row: Sendable, Equatable {
        let channel: BlockChannel
        let fromBlocked: Verdict
        let fromBlocker: Verdict
    }

    static let rows: [Row] = [
        Row(channel: .message, fromBlocked: .nothing, fromBlocker: .refused),
        Row(channel: .unreadCount, fromBlocked: .nothing, fromBlocker: .refused),
        Row(channel: .typing, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .online, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .lastSeen, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .deliveredReceipt, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .readReceipt, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .profile, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .avatar, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .search, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .lookUp, fromBlocked: .passes, fromBlocker: .nothing),
        Row(channel: .friendRequest, fromBlocked: .nothing, fromBlocker: .refused),
        Row(channel: .newConversation, fromBlocked: .nothing, fromBlocker: .refused),
        Row(channel: .sync, fromBlocked: .nothing, fromBlocker: .nothing),
        Row(channel: .friendRemoved, fromBlocked: .passes, fromBlocker: .passes),
        Row(channel: .deletedForEveryone, fromBlocked: .passes, fromBlocker: .passes),
        Row(channel: .accountDeleted, fromBlocked: .passes, fromBlocker: .passes),
    ]

    /// The table as it stands in the page.
    static var markdown: [String] {
        let head = [
            "| what one of them does | the blocker notices of the blocked | the blocked notices of the blocker |",
            "| --- | --- | --- |",
        ]
        return head
            + rows.map {
                "| \($0.channel.rawValue) | \($0.fromBlocked.rawValue) | \($0.fromBlocker.rawValue) |"
            }
    }
}

enum BlockChannel: String, Sendable, CaseIterable {
    case message = "sends a message"
    case unreadCount = "sends a message: the unread count"
    case typing = "types"
    case online = "comes online"
    case lastSeen = "goes offline: last seen"
    case deliveredReceipt = "receives: delivered receipt"
    case readReceipt = "reads: read receipt"
    case profile = "changes name, username, about"
    case avatar = "changes the avatar"
    case search = "is searched for, by username or phone"
    case lookUp = "is looked up by id, without a friendship or a chat"
    case friendRequest = "sends a friend request"
    case newConversation = "opens a chat: `conversation.updated`"
    case sync = "does all of this: `GET /sync`"
    case friendRemoved = "ends the friendship"
    case deletedForEveryone = "deletes a message for everyone"
    case accountDeleted = "deletes the account"
}
