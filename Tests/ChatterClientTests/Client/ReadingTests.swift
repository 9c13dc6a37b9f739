import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Only what was on a screen is read, with the real server", .timeLimit(.minutes(5)))
struct ReadingTests {
    @Test(
        "What arrives before a message written in the tunnel leaves is unread until the chat is opened",
        arguments: [false, true])
    func tunnel(relaunches: Bool) async throws {
        let scene = try await ChatScene()
        scene.bob.goOffline()
        try await scene.bob.say("from the tunnel", in: scene.chat)
        if relaunches { await scene.bob.client.close() }
        let texts = ["one", "two", "three"]
        for text in texts { try await scene.ann.say(text, in: scene.chat) }
        try await scene.ann.settle()

        scene.bob.goOnline()
        if relaunches { try await scene.bob.relaunch() }
        try await scene.bob.sees(texts + ["from the tunnel"], in: scene.chat)
        try await scene.bob.settle()
        try await scene.ann.status(of: "three", is: .delivered, in: scene.chat)
        try await scene.ann.sees(texts + ["from the tunnel"], in: scene.chat)
        #expect(try await statuses(of: texts, scene) == [.delivered, .delivered, .delivered])
        #expect(try await scene.bob.chatItem(scene.chat) { _ in true }.unreadCount == 3)

        // A second message with the chat closed changes nothing either.
        try await scene.bob.say("later", in: scene.chat)
        try await scene.bob.settle()
        try await scene.ann.sees(texts + ["from the tunnel", "later"], in: scene.chat)
        #expect(try await statuses(of: texts, scene) == [.delivered, .delivered, .delivered])
        #expect(try await scene.bob.chatItem(scene.chat) { _ in true }.unreadCount == 3)

        await scene.bob.client.messages.setOnScreen(scene.chat, true)
        try await scene.receiptsLeave(scene.bob)
        try await scene.ann.status(of: "three", is: .read, in: scene.chat)
        #expect(try await statuses(of: texts, scene) == [.read, .read, .read])
        #expect(try await scene.bob.chatItem(scene.chat) { _ in true }.unreadCount == 0)
        await scene.stop()
    }

    @Test("What was on screen is read by the time the answer is there, on the road and in the tunnel")
    func answering() async throws {
        let scene = try await ChatScene()
        await scene.bob.client.messages.setOnScreen(scene.chat, true)
        try await scene.ann.say("a question", in: scene.chat)
        try await scene.bob.chatItem(scene.chat) { $0.preview?.body == "a question" && $0.unreadCount == 0 }
        // Nobody moves the clock: the receipt does not sit out its quiet time.
        try await scene.bob.say("an answer", in: scene.chat)
        try await scene.ann.status(of: "a question", is: .read, in: scene.chat)
        await scene.bob.client.messages.setOnScreen(scene.chat, false)

        try await scene.ann.say("another", in: scene.chat)
        try await scene.bob.chatItem(scene.chat) { $0.unreadCount == 1 }
        scene.bob.goOffline()
        await scene.bob.client.messages.setOnScreen(scene.chat, true)
        try await scene.bob.chatItem(scene.chat) { $0.unreadCount == 0 }
        try await scene.bob.say("from the tunnel", in: scene.chat)
        await scene.bob.client.messages.setOnScreen(scene.chat, false)
        try await scene.ann.say("unseen", in: scene.chat)
        scene.bob.goOnline()
        try await scene.bob.settle()
        try await scene.ann.status(of: "another", is: .read, in: scene.chat)
        try await scene.ann.status(of: "unseen", is: .delivered, in: scene.chat)
        #expect(try await scene.bob.chatItem(scene.chat) { _ in true }.unreadCount == 1)
        await scene.stop()
    }

    @Test("Two devices read by turns, across a relaunch: the mark is one and never goes back")
    func twoDevices() async throws {
        let scene = try await ChatScene()
        let tablet = try await scene.scenario.client(seed: 9)
        try await tablet.signIn(phone: try await scene.ann.phone)
        try await tablet.connection(is: .online)
        for number in 1...4 { try await scene.bob.say("\(number)", in: scene.chat) }
        func unread(_ count: Int) async throws {
            for client in [scene.ann, tablet] {
                try await client.chatItem(scene.chat) { $0.unreadCount == count }
            }
        }
        try await unread(4)
        try await scene.ann.client.messages.markRead(scene.chat, upTo: 2)
        try await scene.receiptsLeave(scene.ann)
        try await unread(2)
        try await tablet.say("a send reads nothing", in: scene.chat)
        try await tablet.settle()
        try await unread(2)
        try await tablet.client.messages.markRead(scene.chat, upTo: 1)
        try await tablet.client.messages.markRead(scene.chat, upTo: 3)
        try await scene.receiptsLeave(tablet)
        try await unread(1)
        try await scene.ann.relaunch()
        try await scene.ann.connection(is: .online)
        try await scene.ann.client.messages.markRead(scene.chat, upTo: 2)
        try await scene.ann.settle()
        try await unread(1)
        try await scene.bob.status(of: "3", is: .read, in: scene.chat)
        try await scene.bob.status(of: "4", is: .delivered, in: scene.chat)
        await tablet.client.close()
        await scene.stop()
    }

    private func statuses(of texts: [String], _ scene: ChatScene) async throws -> [DeliveryStatus?] {
        let content = try await scene.ann.conversation(scene.chat) { _ in true }
        return content.items.filter { texts.contains($0.body) }.map(\.status)
    }
}
