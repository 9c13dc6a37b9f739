import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("The way to the first message that is new", .timeLimit(.minutes(5)))
@MainActor
struct UnreadSearchTests {
    /// Bob wrote so many messages, and Ann has read none.
    private func desk(unread: Int) async throws -> ChatScene {
        let desk = try await ChatScene()
        for number in 1...unread { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
        try await desk.bob.settle()
        try await desk.ann.settle()
        return desk
    }

    @Test("Something that went wrong before does not end the search early")
    func oldNotice() async throws {
        let desk = try await desk(unread: 120)
        desk.ann.goOffline()
        _ = try await desk.ann.client.connection.first("offline") { $0 != .online }
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts.last == "120" }
            await model.retryTapped(
                MessageItem.Key(senderID: ID("me"), clientMessageID: ClientMessageID(UUID())))
            #expect(model.notice != nil)
            await model.jumpToUnreadTapped()
            await until { model.unreadJumps > 0 }
            #expect(model.texts.first == "1" && !model.isSeekingUnread)
        }
        await desk.stop()
    }

    @Test("A page that is fetched already and does not come ends the search, and it can begin again")
    func failed() async throws {
        let desk = try await desk(unread: 260)
        let phone = try await desk.ann.client.profile.me().first("profile") { _ in true }.phone
        let tablet = try await desk.scenario.client(seed: 3)
        try await tablet.signIn(phone: phone)
        try await tablet.connection(is: .online)
        try await tablet.settle()
        tablet.goOffline()
        _ = try await tablet.client.connection.first("offline") { $0 != .online }
        // Until all that is here is shown, which holds for whoever opens the chat next; nothing is read.
        let first = desk.conversation(of: tablet)
        await first.scrolled(toEnd: false)
        try await showing(first, { await $0.run() }) { model in
            await until { model.texts.last == "260" }
            for _ in 1...6 { await model.topReached() }
        }
        try await showing(desk.conversation(of: tablet), { await $0.run() }) { model in
            await until { model.texts.last == "260" }
            let stored = model.texts.count
            let scrolling = Task.immediate { await model.topReached() }
            await model.jumpToUnreadTapped()
            await scrolling.value
            await until { model.unreadJumps == 1 }
            #expect(!model.isSeekingUnread && model.hasOlder)
            tablet.goOnline()
            await until { model.texts.count > stored }
            await model.jumpToUnreadTapped()
            await until { model.unreadJumps == 2 }
            #expect(model.texts.first == "1" && model.unreadRow != nil)
        }
        await desk.scenario.stop(tablet)
        await desk.stop()
    }

    @Test("New messages that were taken back lead nowhere")
    func takenBack() async throws {
        let desk = try await desk(unread: 2)
        let sent = try await desk.bob.client.messages.conversation(desk.chat).first("sent") {
            $0.items.count == 2
        }
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.unreadCount == 2 }
            for item in sent.items { try await desk.bob.client.messages.delete(item.id, scope: .everyone) }
            await until { model.unreadCount == 0 && model.unreadRow == nil }
        }
        await desk.stop()
    }

    @Test("An answer that could not be stored leaves what is new as it is")
    func refusedAnswer() async throws {
        let desk = try await desk(unread: 2)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.unreadCount == 2 }
            await model.typed(String(repeating: "a", count: Limits.messageCharacters + 1))
            await model.sendTapped()
            #expect(model.notice != nil && model.unreadCount == 2 && model.unreadRow != nil)
        }
        await desk.stop()
    }
}
