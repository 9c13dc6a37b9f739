import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Two devices of one person", .timeLimit(.minutes(5)))
struct DevicesTests {
    // Field case 42
    @Test("Sends, reads, mutes, archives, pins and deletions appear on both")
    func both() async throws {
        let scene = try await ChatScene()
        let tablet = try await second(scene)
        try await scene.ann.say("from the phone", in: scene.chat)
        try await tablet.sees(["from the phone"], in: scene.chat)
        try await tablet.say("from the tablet", in: scene.chat)
        try await scene.ann.sees(["from the phone", "from the tablet"], in: scene.chat)
        let content = try await scene.ann.conversation(scene.chat) { $0.items.count == 2 }
        #expect(content.items.allSatisfy { $0.isMine })
        #expect(content.unreadCount == 0)

        try await scene.bob.say("an answer", in: scene.chat)
        for client in [scene.ann, tablet] { try await client.chatItem(scene.chat) { $0.unreadCount == 1 } }
        try await tablet.client.messages.markRead(scene.chat, upTo: 3)
        try await scene.receiptsLeave(tablet)
        try await scene.ann.chatItem(scene.chat) { $0.unreadCount == 0 }

        try await scene.ann.client.conversations.setMuted(scene.chat, until: .distantFuture)
        try await scene.ann.client.conversations.setArchived(scene.chat, true)
        try await scene.ann.client.conversations.setPinned(scene.chat, true)
        try await tablet.chatItem(scene.chat) { $0.isMuted && $0.isArchived && $0.isPinned }

        try await delete("an answer", from: tablet, .me, scene)
        try await scene.ann.sees(["from the phone", "from the tablet"], in: scene.chat)
        try await delete("from the phone", from: scene.ann, .everyone, scene)
        for client in [scene.ann, tablet, scene.bob] {
            try await client.conversation(scene.chat) { $0.items.first?.isDeleted == true }
        }
        await tablet.client.close()
        await scene.stop()
    }

    // Field case 30
    @Test("A device that was away is repaired")
    func repaired() async throws {
        let scene = try await ChatScene()
        let tablet = try await second(scene)
        for text in ["one", "two", "three"] { try await scene.bob.say(text, in: scene.chat) }
        try await tablet.sees(["one", "two", "three"], in: scene.chat)
        try await scene.ann.sees(["one", "two", "three"], in: scene.chat)
        await tablet.client.close()

        try await scene.ann.client.messages.markRead(scene.chat, upTo: 3)
        try await scene.receiptsLeave(scene.ann)
        try await delete("one", from: scene.ann, .me, scene)
        try await delete("two", from: scene.bob, .everyone, scene)
        try await scene.ann.say("four", in: scene.chat)
        try await scene.ann.client.conversations.setMuted(scene.chat, until: .distantFuture)
        try await scene.ann.client.profile.edit(EditProfile(about: "away"))
        try await scene.ann.settle()
        try await scene.bob.settle()

        try await tablet.relaunch()
        try await tablet.connection(is: .online)
        let content = try await tablet.conversation(scene.chat) { $0.items.last?.body == "four" }
        #expect(content.items.map(\.body) == ["", "three", "four"])
        #expect(content.items[0].isDeleted)
        #expect(content.unreadCount == 0)
        #expect(try await tablet.chatItem(scene.chat) { _ in true }.isMuted)
        #expect(try await tablet.me.about == "away")
        await tablet.client.close()
        await scene.stop()
    }

    @Test("The list names both, and each can sign the other out")
    func list() async throws {
        let scene = try await ChatScene()
        let tablet = try await second(scene)
        let devices = try await tablet.client.devices.list()
        #expect(Set(devices.map(\.name)) == ["test 1", "test 9"])
        let phone = try #require(devices.first { !$0.isCurrent })
        try await tablet.client.devices.signOut(phone.id)
        _ = try await scene.ann.client.session.first("signed out") { $0 == .signedOut(.refreshRefused) }
        #expect(try await tablet.client.devices.list().count == 1)
        await tablet.client.close()
        await scene.stop()
    }

    private func second(_ scene: ChatScene) async throws -> TestClient {
        let tablet = try await scene.scenario.client(seed: 9)
        try await tablet.signIn(phone: try await scene.ann.phone)
        try await tablet.connection(is: .online)
        try await tablet.chatItem(scene.chat) { _ in true }
        return tablet
    }

    private func delete(
        _ text: String, from client: TestClient, _ scope: DeletionScope, _ scene: ChatScene
    ) async throws {
        let content = try await client.conversation(scene.chat) { $0.items.contains { $0.body == text } }
        let item = try #require(content.items.first { $0.body == text })
        try await client.client.messages.delete(item.id, scope: scope)
        try await client.settle()
    }
}
