import Arguments
import ChatterClient
import ChatterModel

/// A message's `seq`, as the history prints it: `12` or `#12`.
struct MessageNumber: ArgumentValue {
    let seq: Int64

    init?(argument: String) {
        guard let seq = Int64(argument.hasPrefix("#") ? String(argument.dropFirst()) : argument), seq > 0
        else {
            return nil
        }
        self.seq = seq
    }

    var argument: String { "\(seq)" }

    static var expected: String { "a message's number in the history, such as 12" }
}

extension Account {
    /// The message with this number, fetching older ones until it is there.
    func message(_ number: MessageNumber, in chat: ID<Conversation>) async throws -> MessageItem {
        let items = try await history(of: chat, from: number.seq)
        guard let item = items.first(where: { $0.seq == number.seq }) else {
            throw Failure(.failure, code: "NOT_FOUND", "There is no message \(number.seq) in this chat.")
        }
        return item
    }

    /// The chat's messages from `seq` on, ascending; fetches older pages until it is reached.
    func history(of chat: ID<Conversation>, from seq: Int64) async throws -> [MessageItem] {
        try await history(of: chat) { items in (items.lazy.compactMap(\.seq).first ?? .max) <= seq }
    }

    /// The last `count` messages of the chat that stand before `before` (nil: of all), ascending.
    func history(of chat: ID<Conversation>, last count: Int, before: Int64?) async throws -> [MessageItem] {
        let isWanted = { (item: MessageItem) in before.map { (item.seq ?? .max) < $0 } ?? true }
        let items = try await history(of: chat) { items in items.count(where: isWanted) >= count }
        return items.filter(isWanted).suffix(count)
    }

    private func history(
        of chat: ID<Conversation>, until isEnough: ([MessageItem]) -> Bool
    ) async throws -> [MessageItem] {
        for await content in client.messages.conversation(chat) {
            guard content.hasOlder, !isEnough(content.items) else { return content.items }
            guard try await loadOlder(chat) else { return content.items }
        }
        throw Failure.notSignedIn
    }

    /// False without a connection, once all that is here is shown.
    private func loadOlder(_ chat: ID<Conversation>) async throws -> Bool {
        do {
            try await client.messages.loadOlder(chat, fetches: !isOffline)
            return true
        } catch  where error.isTransient {
            console.note("Offline: older messages are on the server.")
            return false
        }
    }
}
