import ChatterClient
import ChatterModel
import Foundation

@testable import chatter

let bob = User(id: ID("bob-id"), username: "bob", displayName: "Bob", version: 1)
let alice = User(id: ID("alice-id"), username: "alice", displayName: "Alice", version: 1)

/// Monday 30 November 2026, 15:53 UTC.
let moment = Timestamp(milliseconds: 1_796_054_000_000)
let utc = TimeText(now: moment, timeZone: .gmt)

func minutes(_ count: Int64) -> Duration { .seconds(60 * count) }

/// A message from Bob, or one's own when it has a status.
func message(
    _ number: Int64, _ body: String, _ status: DeliveryStatus? = nil, seq: Int64?? = .none,
    at time: Timestamp? = nil, isDeleted: Bool = false, type: MessageType = .text
) -> MessageItem {
    let isMine = status != nil
    let sender = isMine ? alice : bob
    let uuid = String(format: "00000000-0000-4000-8000-%012lld", number)
    guard let id = ClientMessageID(uuid) else { preconditionFailure("\(uuid) is a UUID") }
    return MessageItem(
        id: .init(senderID: sender.id, clientMessageID: id), conversationID: ID("chat"),
        messageID: ID("message-\(number)"), seq: seq ?? number, sender: sender, isMine: isMine, type: type,
        body: isDeleted ? "" : body, createdAt: time ?? moment.advanced(by: minutes(number - 100)),
        isDeleted: isDeleted, status: status)
}

func content(
    _ items: [MessageItem], presence: Presence? = nil, typing: Bool = false, hasOlder: Bool = false,
    holes: [SeqRange] = [], readSeq: Int64 = .max, composer: ConversationContent.Composer = .open
) -> ConversationContent {
    ConversationContent(
        id: ID("chat"),
        header: .init(
            title: "Bob", peer: bob, presence: presence, typing: typing ? [bob.id] : [], composer: composer),
        items: items, hasOlder: hasOlder, holes: holes, readSeq: readSeq)
}

func presence(online: Bool, lastSeenAt: Timestamp? = nil) -> Presence {
    Presence(userID: bob.id, online: online, lastSeenAt: lastSeenAt, at: moment)
}
