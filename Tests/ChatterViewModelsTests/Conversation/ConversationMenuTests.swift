import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("What one does in a conversation besides writing", .timeLimit(.minutes(5)))
@MainActor
struct ConversationMenuTests {
    // Field case 76
    @Test("A very long message shows its beginning until one wants more; copying takes the whole")
    func long() async throws {
        let desk = try await ChatScene()
        let text = String(repeating: "long text ", count: 400)
        try await desk.bob.client.messages.send(text, in: desk.chat)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts.count == 1 }
            let beginning = try #require(model.bubble(model.texts[0]))
            #expect(beginning.isShortened && beginning.text.count <= 1001)
            #expect(model.text(of: beginning.key) == text)
            model.expandTapped(beginning.key)
            #expect(model.texts == [text] && model.bubble(text)?.isShortened == false)
        }
        await desk.stop()
    }

    @Test("Somebody else's message is reported from its menu, and one's own is not")
    func report() async throws {
        let desk = try await ChatScene()
        try await desk.bob.client.messages.send("rude", in: desk.chat)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await model.typed("mine")
            await until { model.texts == ["rude"] && model.canSend }
            await model.sendTapped()
            await until { model.bubble("mine")?.tick == .delivered }
            let (rude, mine) = (try #require(model.bubble("rude")), try #require(model.bubble("mine")))
            #expect(rude.canReport && !mine.canReport)
            #expect(model.report(mine.key) === nil)
            let report = try #require(model.report(rude.key))
            #expect(report.question.title == "Report This Message?")
            report.reasonChosen(.harassment)
            report.commentTyped("not nice")
            await report.sendTapped()
            #expect(model.notice == "Thank you. Your report was sent.")
            let long = try #require(model.report(rude.key))
            long.reasonChosen(.other)
            long.commentTyped(String(repeating: "x", count: 1001))
            await long.sendTapped()
            #expect(model.notice == "The comment must be at most 1000 characters.")
        }
        await desk.stop()
    }

    @Test("A screen of the chat that is left late takes nothing from the one that shows it now")
    func leftLate() async throws {
        let desk = try await ChatScene()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            main.chatTapped(desk.chat)
            let old = try #require(main.conversation)
            let screen = Task { await old.run() }
            await until { old.isEmpty }
            main.conversationClosed()
            main.chatTapped(desk.chat)
            try await showing(#require(main.conversation), { await $0.run() }) { model in
                await until { model.isEmpty }
                screen.cancel()
                await screen.value
                try await desk.bob.client.messages.send("seen?", in: desk.chat)
                await until { model.texts == ["seen?"] }
                _ = try await desk.ann.client.conversations.chats().first("read") {
                    $0.first?.preview?.body == "seen?" && $0.first?.unreadCount == 0
                }
            }
        }
        await desk.stop()
    }

    @Test("The jump to what is new fetches older pages until its first message is there")
    func jump() async throws {
        let desk = try await ChatScene()
        for number in 1...120 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
        _ = try await desk.ann.client.conversations.chats().first("unread") { $0.first?.unreadCount == 120 }
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts.last == "120" && model.unreadCount == 120 }
            // Above the newest page the line is not yet in its place.
            model.unreadSeen()
            #expect(model.unreadCount == 120)
            await model.jumpToUnreadTapped()
            await until { !model.isSeekingUnread && model.texts.first == "1" }
            #expect(model.unreadJumps == 1 && model.unreadSpoken == "120 new messages")
            #expect(model.rows.prefix(2).map(\.id).contains(.unread))
            // Past it, and before it.
            model.unreadMissed(inSight: model.rows.last?.id)
            #expect(!model.isUnreadBelow && model.unreadCount == 120)
            model.unreadMissed(inSight: model.rows.first?.id)
            #expect(model.isUnreadBelow && model.unreadCount == 120)
            model.unreadSeen()
            #expect(model.unreadCount == 0 && model.unreadRow == .unread)
            await model.typed("answer")
            await model.sendTapped()
            await until { model.unreadRow == nil }
        }
        await desk.stop()
    }

    @Test("Only one's own message of the last two days can be deleted for everyone")
    func deletable() async throws {
        let desk = try await ChatScene()
        desk.scenario.clock.set(desk.scenario.server.clock.now)
        try await desk.bob.client.messages.send("theirs", in: desk.chat)
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await model.typed("mine")
            await until { model.texts == ["theirs"] && model.canSend }
            await model.sendTapped()
            await until { model.bubble("mine")?.tick == .delivered }
            #expect(model.bubble("mine")?.canDeleteForEveryone == true)
            #expect(model.bubble("theirs")?.canDeleteForEveryone == false)
            desk.scenario.clock.advance(by: .seconds(2 * 86_400))
            await until { model.bubble("mine")?.canDeleteForEveryone == false }
        }
        await desk.stop()
    }

    // Field case 87
    @Test("Another time zone: headers and times are right at once, and the order stays")
    func zone() async throws {
        let desk = try await ChatScene()
        desk.scenario.clock.set(desk.scenario.server.clock.now)
        let zone = Zone("Asia/Singapore")
        let words = TimeWords(clock: desk.scenario.clock) {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone.now
            calendar.locale = Locale(identifier: "en_GB")
            return calendar
        }
        let app = AppModel(clock: desk.scenario.clock, words: words, notifier: RecordingNotifier()) {
            desk.ann.client
        }
        for text in ["one", "two"] { try await desk.bob.client.messages.send(text, in: desk.chat) }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            let main = try #require(app.main)
            main.chatTapped(desk.chat)
            let model = try #require(main.conversation)
            try await showing(main, { await $0.run() }) { main in
                try await showing(model, { await $0.run() }) { model in
                    await until { model.texts == ["one", "two"] && main.chats.row(desk.chat)?.time != "" }
                    let singapore = (model.bubble("one")?.time, main.chats.row(desk.chat)?.time)
                    zone.change(to: "America/New_York")
                    app.clockChanged()
                    let newYork = (model.bubble("one")?.time, main.chats.row(desk.chat)?.time)
                    let time = words.time(desk.scenario.server.clock.now)
                    #expect(newYork == (time, time) && newYork != singapore)
                    #expect(model.texts == ["one", "two"])
                    // The next midnight is another one, too: New York's, and no more Singapore's.
                    desk.scenario.clock.advance(by: .seconds(86_400))
                    await until { model.rows.first?.content == .day("Yesterday") }
                }
            }
        }
        await desk.stop()
    }

    // Field case 99
    @Test("A deleted account keeps its name and its history, and says what it is")
    func deleted() async throws {
        let desk = try await ChatScene()
        try await desk.bob.client.messages.send("last words", in: desk.chat)
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.chats.state == .list }
            main.chatTapped(desk.chat)
            let peer = try await desk.id(of: desk.bob)
            let contact = main.contact(peer)
            try await showing(#require(main.conversation), { await $0.run() }) { model in
                await until { model.texts == ["last words"] }
                try await desk.bob.client.auth.deleteAccount()
                await until { model.header?.subtitle == "Deleted account" && model.header?.title == "Bob" }
                #expect(model.texts == ["last words"])
                #expect(
                    model.composer == .closed(reason: "This account no longer exists.", remedy: nil))
                await until { main.chats.row(desk.chat)?.isPeerDeleted == true }
                #expect(main.chats.row(desk.chat)?.title == "Bob")
                #expect(main.chats.row(desk.chat)?.face.isGone == true && model.header?.face.isGone == true)
                #expect(main.chats.row(desk.chat)?.spoken.hasPrefix("Bob, deleted account, ") == true)
                try await showing(contact, { await $0.run() }) { contact in
                    await until { contact.isDeleted && !contact.isFriend }
                    #expect(contact.actions == [.report] && contact.face.isGone)
                }
            }
        }
        await desk.stop()
    }
}

/// Where the device is.
private final class Zone: @unchecked Sendable {
    // Guarded by `lock`.
    private var identifier: String
    private let lock = NSLock()

    init(_ identifier: String) { self.identifier = identifier }

    var now: TimeZone { TimeZone(identifier: lock.withLock { identifier }) ?? .gmt }

    func change(to identifier: String) { lock.withLock { self.identifier = identifier } }
}
