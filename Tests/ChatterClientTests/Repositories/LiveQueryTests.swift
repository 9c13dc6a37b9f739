import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("What a screen is given", .timeLimit(.minutes(5)))
struct LiveQueryTests {
    @Test("A screen that looks late is given one value, the newest")
    func coalesced() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        var values = scene.ann.client.messages.conversation(scene.chat).makeAsyncIterator()
        #expect(await values.next()?.items.isEmpty == true)
        for number in 1...20 { try await scene.ann.say("\(number)", in: scene.chat) }
        #expect(await values.next()?.items.count == 20)
        try await scene.ann.say("21", in: scene.chat)
        #expect(await values.next()?.items.count == 21)
        await scene.stop()
    }

    @Test("A change that shows nothing new is not given")
    func distinct() async throws {
        let scene = try await ChatScene()
        let conversations = scene.ann.client.conversations
        scene.ann.goOffline()
        _ = try await scene.ann.client.connection.first("offline") {
            if case .offline = $0 { true } else { false }
        }
        var values = conversations.chats().makeAsyncIterator()
        #expect(await values.next()?.first?.draft == nil)
        for text in ["a", "a", "a", "b"] { try await conversations.setDraft(text, in: scene.chat) }
        #expect(await values.next()?.first?.draft == "b")
        for text in ["b", "b"] { try await conversations.setDraft(text, in: scene.chat) }
        try await conversations.setDraft("c", in: scene.chat)
        #expect(await values.next()?.first?.draft == "c")
        await scene.stop()
    }

    // Field case 120
    @Test("A mute ends by itself, by the server's clock")
    func muteEnds() async throws {
        let scene = try await ChatScene()
        let skew = try #require(try await scene.ann.client.status().clockSkew)
        let serverNow = scene.scenario.clock.now.advanced(by: skew)
        #expect(serverNow == scene.scenario.server.clock.now)
        try await scene.ann.client.conversations.setMuted(
            scene.chat, until: serverNow.advanced(by: .seconds(3600)))
        var values = scene.ann.client.conversations.chats().makeAsyncIterator()
        while let chats = await values.next(), chats.first?.isMuted != true {}
        // The device's own clock is set back: nothing changes.
        scene.scenario.clock.set(scene.scenario.clock.now.advanced(by: .seconds(-86_400)))
        scene.scenario.clock.advance(by: .seconds(3601))
        try await scene.ann.chatItem(scene.chat) { !$0.isMuted }
        await scene.stop()
    }

    @Test("A mute for an hour lasts one by the server's clock, however wrong the device's is")
    func muteLasts() async throws {
        let scene = try await ChatScene()
        let conversations = scene.ann.client.conversations
        scene.scenario.clock.set(scene.scenario.clock.now.advanced(by: .seconds(-86_400)))
        let end = scene.scenario.server.clock.now.advanced(by: .seconds(3600))
        try await conversations.mute(scene.chat, for: .seconds(3600))
        #expect(try await scene.ann.chatItem(scene.chat) { $0.isMuted }.mutedUntil == end)
        try await conversations.mute(scene.chat, for: nil)
        try await scene.ann.chatItem(scene.chat) { $0.mutedUntil == .distantFuture }
        await scene.stop()
    }

    @Test("Older pages widen every stream of the conversation, and only that one's")
    func windows() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        for number in 1...130 { try await scene.ann.say("\(number)", in: scene.chat) }
        scene.ann.goOnline()
        try await scene.ann.settle()
        let messages = scene.ann.client.messages
        let first = try await scene.ann.conversation(scene.chat) { $0.items.allSatisfy { $0.seq != nil } }
        #expect(first.items.count == MessagesRepository.pageSize)
        #expect(first.hasOlder)
        #expect(try await messages.loadOlder(scene.chat))
        #expect(try await scene.ann.conversation(scene.chat) { _ in true }.items.count == 100)
        #expect(try await !messages.loadOlder(scene.chat))
        let all = try await scene.ann.conversation(scene.chat) { _ in true }
        #expect(all.items.map(\.body) == (1...130).map { "\($0)" })
        #expect(!all.hasOlder)
        await scene.stop()
    }
}
