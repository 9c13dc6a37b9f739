import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Observation
import Testing

@testable import ChatterViewModels

@MainActor
extension ConversationViewModel {
    /// The texts in sight, oldest first.
    var texts: [String] {
        rows.compactMap { if case .message(let bubble) = $0.content { bubble.text } else { nil } }
    }

    func bubble(_ text: String) -> Bubble? {
        for row in rows {
            if case .message(let bubble) = row.content, bubble.text == text { return bubble }
        }
        return nil
    }
}

@Suite("An open conversation", .timeLimit(.minutes(5)))
@MainActor
struct ConversationTests {
    @Test("What is sent shows at once, leaves the composer, and its ticks come")
    func sending() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            #expect(model.header?.title == "Bob")
            #expect(!model.canSend)
            await model.typed("hello")
            #expect(model.canSend)
            await model.sendTapped()
            #expect(model.draft.isEmpty && model.endJumps == 1)
            await until { model.bubble("hello")?.tick == .delivered }
            try await showing(desk.conversation(of: desk.bob), { await $0.run() }) { theirs in
                await until { theirs.texts == ["hello"] }
                _ = try await desk.bob.client.outbox.items().first("receipt") { !$0.isEmpty }
                desk.scenario.clock.advance(by: .seconds(1))
                await until { model.bubble("hello")?.tick == .read }
            }
        }
        await desk.stop()
    }

    @Test("Blanks are not sent")
    func blanks() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            #expect(model.emptyPlaceholder?.title == "Say Hello to Bob")
            await model.typed(" \n ")
            #expect(!model.canSend)
            await model.sendTapped()
            #expect(model.draft == " \n ")
            // Whoever reads above stays there.
            #expect(model.endJumps == 0)
        }
        await desk.stop()
    }

    @Test("A text that is too long stays in the composer, with the reason")
    func tooLong() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            let long = String(repeating: "a", count: Limits.messageCharacters + 1)
            await model.typed(long)
            await model.sendTapped()
            #expect(model.draft == long && model.endJumps == 0)
            #expect(model.notice == "A message must be at most 4096 characters.")
            model.noticeClosed()
            #expect(model.notice == nil)
        }
        await desk.stop()
    }

    @Test("Typing shows in the header and redraws no rows")
    func typing() async throws {
        let desk = try await ChatScene()
        try await desk.bob.client.messages.send("hi", in: desk.chat)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts == ["hi"] }
            var draws = 0
            withObservationTracking {
                _ = model.rows
            } onChange: {
                MainActor.assumeIsolated { draws += 1 }
            }
            await desk.bob.client.messages.setTyping(desk.chat, true)
            await until { model.header?.isTyping == true }
            #expect(model.header?.subtitle == "typing…")
            #expect(draws == 0)
        }
        await desk.stop()
    }

    @Test("What was unread stands below a line that stays, and is read once it was seen")
    func unread() async throws {
        let desk = try await ChatScene()
        for text in ["one", "two"] { try await desk.bob.client.messages.send(text, in: desk.chat) }
        _ = try await desk.ann.client.conversations.chats().first("unread") { $0.first?.unreadCount == 2 }
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts == ["one", "two"] }
            #expect(model.unreadRow == .unread)
            #expect(model.rows[1].id == .unread)
            _ = try await desk.ann.client.conversations.chats().first("read") { $0.first?.unreadCount == 0 }
            #expect(model.unreadRow == .unread)
            await model.typed("an answer")
            await model.sendTapped()
            await until { model.texts.last == "an answer" && model.unreadRow == nil }
        }
        await desk.stop()
    }

    // Field case 38
    @Test("What comes while one reads above is counted and not read, until one is at the end again")
    func newBelow() async throws {
        let desk = try await ChatScene()
        try await desk.bob.client.messages.send("one", in: desk.chat)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts == ["one"] }
            _ = try await desk.ann.client.conversations.chats().first("read") { $0.first?.unreadCount == 0 }
            await model.scrolled(toEnd: false)
            desk.ann.goOffline()
            await model.typed("waits")
            await model.sendTapped()
            await until { model.texts == ["one", "waits"] }
            #expect(model.newBelow == 0)
            for text in ["two", "three"] { try await desk.bob.client.messages.send(text, in: desk.chat) }
            try await desk.bob.settle()
            desk.ann.goOnline()
            await until { model.newBelow == 2 }
            #expect(!model.isAtEnd && model.newBelowSpoken == "2 new messages" && model.newBelowBadge == "2")
            _ = try await desk.ann.client.conversations.chats().first("unread") { $0.first?.unreadCount == 2 }
            await model.scrolled(toEnd: true)
            #expect(model.newBelow == 0 && model.isAtEnd && model.newBelowSpoken == "Newest message")
            _ = try await desk.ann.client.conversations.chats().first("read") { $0.first?.unreadCount == 0 }
        }
        await desk.stop()
    }

    @Test("Older pages come when the top is reached, one at a time")
    func older() async throws {
        let desk = try await ChatScene()
        for number in 1...120 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
        try await desk.bob.settle()
        try await desk.ann.settle()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts.last == "120" }
            #expect(model.texts.count == 50 && model.hasOlder)
            await model.topReached()
            await until { model.texts.count == 100 }
            await model.topReached()
            await until { model.texts.count == 120 && !model.hasOlder }
            #expect(model.texts == (1...120).map(String.init))
            #expect(!model.isLoadingOlder)
        }
        await desk.stop()
    }

    @Test("Older pages that only the server has wait for a connection, and come by themselves then")
    func olderOffline() async throws {
        let desk = try await ChatScene()
        for number in 1...260 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
        try await desk.bob.settle()
        let phone = try await desk.ann.client.profile.me().first("profile") { _ in true }.phone
        let tablet = try await desk.scenario.client(seed: 3)
        try await tablet.signIn(phone: phone)
        try await tablet.connection(is: .online)
        try await tablet.settle()
        tablet.goOffline()
        _ = try await tablet.client.connection.first("offline") { $0 != .online }
        try await showing(desk.conversation(of: tablet), { await $0.run() }) { model in
            await until { model.texts.last == "260" }
            for _ in 1...6 { await model.topReached() }
            #expect(model.hasOlder && model.notice == nil && !model.isLoadingOlder)
            let stored = model.texts.count
            tablet.goOnline()
            await until { model.texts.count > stored }
        }
        await desk.scenario.stop(tablet)
        await desk.stop()
    }

    @Test("A refused message says why; it can be given up, copied and looked into")
    func failed() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            desk.ann.goOffline()
            await model.typed("to nobody")
            await model.sendTapped()
            await until { model.bubble("to nobody")?.tick == .sending }
            try await desk.bob.client.friends.remove(desk.id(of: desk.ann))
            try await desk.bob.settle()
            desk.ann.goOnline()
            await until { model.bubble("to nobody")?.failure == "You are not friends." }
            let key = try #require(model.bubble("to nobody")).key
            #expect(model.text(of: key) == "to nobody")
            model.detailsTapped(key)
            #expect(model.details?.lines.contains { $0.value == "You are not friends." } == true)
            model.detailsClosed()
            #expect(model.details == nil)
            await model.discardTapped(key)
            await until { model.isEmpty }
            await until { model.composer == .closed(reason: "You are not friends.", remedy: .add) }
            await model.remedyTapped()
            await until {
                model.composer == .closed(reason: "You have asked to be friends.", remedy: .cancel)
            }
            #expect(model.notice == nil)
            _ = try await desk.bob.client.friends.requests().first("request") { !$0.isEmpty }
            await model.remedyTapped()
            await until { model.composer == .closed(reason: "You are not friends.", remedy: .add) }
            _ = try await desk.bob.client.friends.requests().first("no request") { $0.isEmpty }
            let ann = try #require(try await desk.bob.client.friends.search("ann").first).user
            try await desk.bob.client.friends.sendRequest(to: ann)
            await until {
                model.composer == .closed(reason: "This person asks to be your friend.", remedy: .accept)
            }
            await model.remedyTapped()
            await until { model.composer == .open }
            #expect(model.notice == nil)
        }
        await desk.stop()
    }

    @Test("A draft is stored a moment after the last key, and is there again")
    func drafts() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            await model.typed("half a th")
            desk.scenario.clock.advance(by: Draft.quiet)
            _ = try await desk.ann.client.conversations.chats().first("draft") {
                $0.first?.draft == "half a th"
            }
            await model.typed("half a thought")
        }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "half a thought")
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.draft == "half a thought" }
            await model.sendTapped()
            await until { model.texts == ["half a thought"] }
        }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat).isEmpty)
        await desk.stop()
    }

    @Test("What was sent just as it was stored as a draft is none any more")
    func draftSent() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            for number in 1...40 {
                await model.typed("message \(number)")
                let sent = Task.immediate { await model.sendTapped() }
                desk.scenario.clock.advance(by: Draft.quiet)
                await sent.value
                // Stored after whatever is still on its way.
                try await desk.ann.client.messages.send("after \(number)", in: desk.chat)
                let draft = try await desk.ann.client.conversations.draft(in: desk.chat)
                #expect(draft.isEmpty, "after \(number)")
            }
        }
        await desk.stop()
    }

    @Test("What is typed before the draft is there goes on where that ended")
    func typedAtOnce() async throws {
        let desk = try await ChatScene()
        try await desk.ann.client.conversations.setDraft("half a ", in: desk.chat)
        let model = desk.conversation()
        await model.typed("th")
        try await showing(model, { await $0.run() }) { model in await until { model.draft == "half a th" } }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "half a th")
        // On screen once more: nothing is there twice.
        try await showing(model, { await $0.run() }) { model in
            await until { model.isEmpty }
            await model.typed("half a thought")
        }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "half a thought")
        await desk.stop()
    }

    @Test("A blocked person's chat is closed, with the way back")
    func blocked() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            try await desk.ann.client.friends.block(desk.id(of: desk.bob))
            await until {
                model.composer == .closed(reason: "You have blocked this person.", remedy: .unblock)
            }
            await model.remedyTapped()
            await until { model.composer == .open }
        }
        await desk.stop()
    }

    @Test("Day headers follow the local day")
    func midnight() async throws {
        let desk = try await ChatScene()
        desk.scenario.clock.set(desk.scenario.server.clock.now)
        try await desk.bob.client.messages.send("late", in: desk.chat)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts == ["late"] }
            desk.scenario.clock.advance(by: .seconds(86_400))
            await until { model.rows.first?.content == .day("Yesterday") }
        }
        await desk.stop()
    }
}
