import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let watch = ChatterCommand(
        "watch", "Print what happens, as it happens, until interrupted.",
        description: "Messages arrive as delivered, not as read. With --json, one object a line.",
        group: CommandGroup.chatting, action: WatchCommand.run)
}

enum WatchCommand {
    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.local) { account in
            // Nothing is on screen: what arrives stays unread.
            let client = account.client
            let console = context.console
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await item in client.messages.arrivals() { try console.event(.message(item)) }
                }
                group.addTask {
                    for await state in client.connection { try console.event(.connection(state)) }
                }
                group.addTask {
                    try await changes(in: client.conversations.chats(), console) { WatchDiff.chats($0, $1) }
                }
                group.addTask {
                    try await changes(in: client.friends.friends(), console) { WatchDiff.friends($0, $1) }
                }
                group.addTask {
                    try await changes(in: client.friends.requests(), console) { WatchDiff.requests($0, $1) }
                }
                // Streams end at sign-out.
                try await group.next()
                group.cancelAll()
            }
            throw Failure.notSignedIn
        }
    }

    private static func changes<State: Sendable>(
        in stream: AsyncStream<State>, _ console: Console, _ events: (State, State) -> [ChatEvent]
    ) async throws {
        var before: State?
        for await state in stream {
            if let before { for event in events(before, state) { try console.event(event) } }
            before = state
        }
    }
}

/// What happened between two states of a list.
enum WatchDiff {
    /// Typing, and the ticks of a chat's newest message when it is one's own: earlier ones are at least as far.
    static func chats(_ before: [ChatItem], _ after: [ChatItem]) -> [ChatEvent] {
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
        return after.flatMap { chat -> [ChatEvent] in
            guard let known = old[chat.id] else { return [] }
            var events: [ChatEvent] = []
            if let peer = chat.peer, chat.typing.contains(peer.id) != known.typing.contains(peer.id) {
                events.append(.typing(peer, chat.typing.contains(peer.id)))
            }
            if let now = chat.preview, let then = known.preview, now.id == then.id {
                if now.isDeleted != then.isDeleted {
                    events.append(.deleted(now))
                } else if now.status != then.status {
                    events.append(.status(now))
                }
            }
            return events
        }
    }

    static func friends(_ before: [FriendItem], _ after: [FriendItem]) -> [ChatEvent] {
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
        let now = Set(after.map(\.id))
        let there = after.flatMap { friend -> [ChatEvent] in
            guard let known = old[friend.id] else { return [.friend(friend.user)] }
            guard let presence = friend.presence, presence.online != known.presence?.online else { return [] }
            return [.presence(friend.user, presence)]
        }
        return there + before.filter { !now.contains($0.id) }.map { .friendRemoved($0.user) }
    }

    static func requests(_ before: [RequestItem], _ after: [RequestItem]) -> [ChatEvent] {
        let old = Set(before.map(\.id))
        let now = Set(after.map(\.id))
        return after.filter { !old.contains($0.id) }.map { .request($0) }
            + before.filter { !now.contains($0.id) }.map { .requestClosed($0) }
    }
}
