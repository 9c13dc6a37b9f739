import ChatterModel
import ChatterTestSupport

@testable import ChatterClient

extension ChatScene {
    /// Read receipts wait a moment in the outbox, so that several become one.
    func receiptsLeave(_ client: TestClient) async throws {
        let items = client.client.outbox.items()
        _ = try await items.first("receipt") { $0.contains { $0.kind == "receipt.read" } }
        scenario.clock.advance(by: ReceiptScheduler.quiet)
        _ = try await client.client.outbox.items().first("no receipt") {
            !$0.contains { $0.kind == "receipt.read" }
        }
    }
}

extension TestClient {
    var me: Me {
        get async throws { try await client.profile.me().first("profile") { _ in true } }
    }

    var id: ID<User> { get async throws { try await me.id } }
    var phone: String { get async throws { try await me.phone } }

    @discardableResult
    func say(_ text: String, in chat: ID<Conversation>) async throws -> ClientMessageID {
        try await client.messages.send(text, in: chat)
    }

    /// Waits until these are all the texts that the chat shows.
    func sees(_ texts: [String], in chat: ID<Conversation>) async throws {
        try await conversation(chat, "\(texts.suffix(3))") { $0.items.map(\.body) == texts }
    }

    /// Waits until a message has this status.
    func status(of text: String, is status: DeliveryStatus, in chat: ID<Conversation>) async throws {
        try await conversation(chat, "\(text) \(status)") { content in
            content.items.contains { $0.body == text && $0.status == status }
        }
    }

    @discardableResult
    func chatItem(_ chat: ID<Conversation>, _ condition: (ChatItem) -> Bool) async throws -> ChatItem {
        let chats = try await client.conversations.chats().first("chat") { chats in
            chats.contains { $0.id == chat && condition($0) }
        }
        guard let item = chats.first(where: { $0.id == chat }) else {
            throw Scenario.Failure("no such chat")
        }
        return item
    }
}
