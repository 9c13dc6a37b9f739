import ChatterClient
import ChatterModel

/// A chat as a growing list of lines: finds what is new between two states of it. For scripts and pipes.
struct ChatLog: Sendable {
    private struct Shown: Equatable {
        var status: DeliveryStatus?
        var isDeleted: Bool
        var seq: Int64?
    }

    private var shown: [MessageItem.Key: Shown] = [:]
    private var typing: Set<ID<User>> = []
    private var presence: Presence?
    private var isFirst = true

    /// Messages that are there at first are shown when they are unread.
    mutating func events(_ content: ConversationContent) -> [ChatEvent] {
        var events: [ChatEvent] = []
        for item in content.items {
            let now = Shown(status: item.status, isDeleted: item.isDeleted, seq: item.seq)
            if let before = shown.updateValue(now, forKey: item.id) {
                if before != now {
                    events.append(before.isDeleted == now.isDeleted ? .status(item) : .deleted(item))
                }
            } else if !isFirst || (!item.isMine && (item.seq ?? 0) > content.readSeq) {
                events.append(.message(item))
            }
        }
        events += people(content.header)
        isFirst = false
        return events
    }

    private mutating func people(_ header: ConversationContent.Header) -> [ChatEvent] {
        guard let peer = header.peer else { return [] }
        var events: [ChatEvent] = []
        if header.typing != typing, header.typing.contains(peer.id) != typing.contains(peer.id) {
            events.append(.typing(peer, header.typing.contains(peer.id)))
        }
        if let now = header.presence, now.online != presence?.online { events.append(.presence(peer, now)) }
        (typing, presence) = (header.typing, header.presence ?? presence)
        return events
    }
}
