import ChatterClient
import ChatterModel

/// Ann and Bob, friends, online, with a direct chat that both have.
public struct ChatScene: Sendable {
    public let scenario: Scenario
    public let ann: TestClient
    public let bob: TestClient
    public let chat: ID<Conversation>

    public init() async throws {
        scenario = try await Scenario()
        ann = try await scenario.person("ann", seed: 1)
        bob = try await scenario.person("bob", seed: 2)
        try await scenario.befriend(ann, bob)
        chat = try await scenario.chat(ann, bob)
        let id = chat
        _ = try await bob.client.conversations.chats().first("the chat") { $0.contains { $0.id == id } }
    }

    public func stop() async { await scenario.stop(ann, bob) }
}
