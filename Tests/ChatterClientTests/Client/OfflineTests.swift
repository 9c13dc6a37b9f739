import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("What happens without a connection", .timeLimit(.minutes(5)))
struct OfflineTests {
    // Field case 11
    @Test("What was deleted before it left never leaves, also after a relaunch")
    func discarded() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        try await scene.ann.say("A", in: scene.chat)
        let second = try await scene.ann.say("B", in: scene.chat)
        try await scene.ann.say("C", in: scene.chat)
        try await scene.ann.client.messages.discard(second)
        try await scene.ann.sees(["A", "C"], in: scene.chat)
        let waiting = try await scene.ann.client.outbox.items().first("outbox") { _ in true }
        #expect(waiting.map(\.kind) == ["message.send", "message.send"])

        try await scene.ann.relaunch()
        try await scene.ann.sees(["A", "C"], in: scene.chat)
        scene.ann.goOnline()
        try await scene.ann.settle()
        // Dense numbers: the server has never heard of the one between.
        let received = try await scene.bob.conversation(scene.chat) { $0.items.count == 2 }
        #expect(received.items.map(\.body) == ["A", "C"])
        #expect(received.items.map(\.seq) == [1, 2])
        try await scene.ann.sees(["A", "C"], in: scene.chat)
        await scene.stop()
    }

    // Field case 24
    @Test(
        "More than one page was missed: nothing is missing in the middle", arguments: [1, 99, 100, 101, 250])
    func missed(count: Int) async throws {
        let scene = try await ChatScene()
        let texts = (1...10 + count).map { "message \($0)" }
        for text in texts.prefix(10) { try await scene.ann.say(text, in: scene.chat) }
        try await scene.bob.sees(Array(texts.prefix(10)), in: scene.chat)
        await scene.bob.client.close()
        for text in texts.dropFirst(10) { try await scene.ann.say(text, in: scene.chat) }
        try await scene.ann.settle()

        try await scene.bob.relaunch()
        try await scene.bob.connection(is: .online)
        try await scene.bob.settle()
        let last = "message \(texts.count)"
        try await scene.ann.status(of: last, is: .delivered, in: scene.chat)
        #expect(try await scene.bob.client.status().missingMessages == 0)
        // All of it is in the store before anybody scrolls: without a connection nothing more can come.
        scene.bob.goOffline()
        while try await scene.bob.client.messages.loadOlder(scene.chat) {}
        try await scene.bob.sees(texts, in: scene.chat)
        await scene.stop()
    }
}
