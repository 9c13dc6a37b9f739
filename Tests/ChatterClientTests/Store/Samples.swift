import ChatterModel
import Foundation

@testable import ChatterClient

/// The people and things of these tests.
enum Samples {
    static let anna = ID<User>("019a0000-0000-7000-8000-00000000000a")
    static let ben = ID<User>("019a0000-0000-7000-8000-00000000000b")
    static let chat = ID<Conversation>("019a0000-0000-7000-8000-0000000000c1")
    static let otherChat = ID<Conversation>("019a0000-0000-7000-8000-0000000000c2")
    static let thirdChat = ID<Conversation>("019a0000-0000-7000-8000-0000000000c3")
    static let noon = Timestamp(milliseconds: 1_780_000_000_000)

    static func user(_ id: ID<User>, name: String? = nil, version: Int64 = 1, isDeleted: Bool = false) -> User
    {
        let name = name ?? (id == anna ? "Anna" : id == ben ? "Ben" : "User \(id.rawValue.suffix(4))")
        return User(
            id: id, username: isDeleted ? nil : name.lowercased(), displayName: name, isDeleted: isDeleted,
            version: version)
    }

    static func me(version: Int64 = 1) -> Me {
        Me(
            id: anna, phone: "+4915112345678", username: "anna", displayName: "Anna", profileComplete: true,
            version: version)
    }

    static func friend(_ id: ID<User> = ben, version: Int64 = 1, lastSeenAt: Timestamp? = nil) -> Friend {
        Friend(
            user: user(id), since: noon,
            presence: Presence(userID: id, online: lastSeenAt == nil, lastSeenAt: lastSeenAt, at: noon),
            version: version)
    }

    static func request(
        from: ID<User>, to: ID<User>, _ number: Int = 1, status: FriendRequest.Status = .pending,
        version: Int64 = 1
    ) -> FriendRequest {
        FriendRequest(
            id: ID("019a0000-0000-7000-8000-0000000f000\(number)"), from: user(from), to: user(to),
            status: status, createdAt: noon, version: version)
    }

    /// A direct chat of Anna and Ben.
    static func conversation(
        _ id: ID<Conversation> = chat, lastSeq: Int64 = 0, lastChange: Int64? = nil, version: Int64 = 1,
        unread: Int = 0, myRead: Int64 = 0, myDelivered: Int64? = nil, peerDelivered: Int64 = 0,
        peerRead: Int64 = 0, lastMessage: Message? = nil, settings: ConversationSettings = .init(),
        peer: User? = nil, undelivered: [SeqRange] = []
    ) -> Conversation {
        Conversation(
            id: id, type: .direct,
            members: [
                Member(
                    user: user(anna), lastDeliveredSeq: max(myRead, myDelivered ?? myRead),
                    lastReadSeq: myRead),
                Member(
                    user: peer ?? user(ben), lastDeliveredSeq: peerDelivered, lastReadSeq: peerRead,
                    undelivered: undelivered),
            ],
            lastSeq: lastSeq, lastChange: lastChange ?? lastSeq, lastMessage: lastMessage,
            unreadCount: unread,
            settings: settings, createdAt: noon, lastActivityAt: noon, version: version)
    }

    /// A message whose ids follow from its seq, unless told.
    static func message(
        _ seq: Int64, change: Int64? = nil, from sender: ID<User> = ben,
        in conversation: ID<Conversation> = chat,
        body: String? = nil, clientMessageID: ClientMessageID? = nil, deleted: Bool = false,
        hidden: Bool? = nil
    ) -> Message {
        Message(
            id: messageID(seq, in: conversation), clientMessageID: clientMessageID ?? key(1_000_000 + seq),
            conversationID: conversation, senderID: sender, seq: seq, change: change ?? seq,
            body: deleted ? "" : body ?? "text \(seq)", createdAt: noon.advanced(by: .seconds(seq)),
            deletedAt: deleted ? noon.advanced(by: .seconds(seq + 1)) : nil, hidden: hidden)
    }

    static func messageID(_ seq: Int64, in conversation: ID<Conversation> = chat) -> ID<Message> {
        ID("019a\(conversation.rawValue.suffix(4))-0000-7000-8000-" + String(seq).leftPadded(12))
    }

    static func key(_ number: Int64) -> ClientMessageID {
        guard let key = ClientMessageID("00000000-0000-4000-8000-" + String(number, radix: 16).leftPadded(12))
        else { preconditionFailure("not a UUID: \(number)") }
        return key
    }

    static func draft(
        _ number: Int64, _ body: String? = nil, in conversation: ID<Conversation> = chat
    ) -> SendMessage {
        SendMessage(
            clientMessageID: key(number), conversationID: conversation, body: body ?? "own \(number)")
    }

    static func ack(_ draft: SendMessage, seq: Int64, change: Int64? = nil) -> MessageAck {
        MessageAck(
            clientMessageID: draft.clientMessageID, id: messageID(seq, in: draft.conversationID),
            conversationID: draft.conversationID, seq: seq, change: change ?? seq,
            createdAt: noon.advanced(by: .seconds(seq)))
    }

    /// The event that tells the sender's devices of a send.
    static func echo(_ draft: SendMessage, seq: Int64, change: Int64? = nil) -> Message {
        message(
            seq, change: change, from: anna, in: draft.conversationID, body: draft.body,
            clientMessageID: draft.clientMessageID)
    }

    static func page(
        _ messages: [Message], hasMore: Bool = false, lastSeq: Int64? = nil, lastChange: Int64? = nil
    ) -> MessagePage {
        MessagePage(
            messages: messages, hasMore: hasMore, lastSeq: lastSeq ?? messages.map(\.seq).max() ?? 0,
            lastChange: lastChange ?? messages.map(\.change).max() ?? 0)
    }
}

extension String {
    func leftPadded(_ width: Int) -> String { String(repeating: "0", count: max(0, width - count)) + self }
}

extension ClosedRange<Int64> {
    /// Messages by Ben with these seqs.
    func messages(in conversation: ID<Conversation> = Samples.chat) -> [Message] {
        map { Samples.message($0, in: conversation) }
    }
}
