import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("The main window", .timeLimit(.minutes(5)))
@MainActor
struct MainTests {
    @Test("A message that nobody looks at is announced; one in the open chat, or in a muted one, is not")
    func notifications() async throws {
        let desk = try await ChatScene()
        let notifier = RecordingNotifier()
        try await showing(desk.main(notifier), { await $0.run() }) { main in
            await until { main.chats.chats.count == 1 }
            try await desk.bob.client.messages.send("psst", in: desk.chat)
            await until { main.chats.unread == 1 }
            await until { main.chats.chats[0].preview == .message("psst", tick: nil) }
            try await desk.bob.client.messages.send("hey", in: desk.chat)
            await until { main.chats.unread == 2 }
            #expect(notifier.posted.allSatisfy { $0.title == "Bob" && $0.conversation == desk.chat })
            main.chatTapped(desk.chat)
            #expect(main.section == .chats && main.conversation?.id == desk.chat)
            #expect(notifier.withdrawn == [desk.chat])
            main.becameActive(false)
            main.becameActive(true)
            #expect(notifier.withdrawn == [desk.chat, desk.chat])
            main.conversationClosed()
            #expect(main.conversation == nil)
        }
        await desk.stop()
    }

    @Test("The next chat and the one before open by their places in the list, which ends at its ends")
    func stepping() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let cat = try await scenario.person("cat", seed: 3)
        for friend in [bob, cat] {
            try await scenario.befriend(ann, friend)
            let id = try await friend.client.profile.me().first("me") { _ in true }.id
            try await ann.client.messages.send("hi", in: ann.client.conversations.openDirect(with: id))
        }
        let main = MainViewModel(
            client: ann.client, clock: scenario.clock, words: words(scenario.clock),
            notifier: RecordingNotifier())
        main.chatStepped(by: 1)
        #expect(main.conversation == nil, "there is nothing yet")
        try await showing(main, { await $0.run() }) { main in
            await until { main.chats.chats.count == 2 }
            let ids = main.chats.chats.map(\.id)
            for (steps, place) in [(1, 0), (1, 1), (1, 1), (-1, 0), (-1, 0)] {
                main.chatStepped(by: steps)
                #expect(main.conversation?.id == ids[place])
            }
            main.conversationClosed()
            main.chatStepped(by: -1)
            #expect(main.conversation?.id == ids[1])
        }
        await scenario.stop(ann, bob, cat)
    }

    @Test("A friend's chat opens, made when there is none; without a connection there is a word")
    func friend() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        try await scenario.befriend(ann, bob)
        let id = try await bob.client.profile.me().first("me") { _ in true }.id
        let main = MainViewModel(
            client: ann.client, clock: scenario.clock, words: words(scenario.clock),
            notifier: RecordingNotifier())
        ann.goOffline()
        await main.friendTapped(id)
        #expect(main.conversation == nil && main.notice != nil)
        ann.goOnline()
        await main.friendTapped(id)
        #expect(main.conversation != nil && main.notice == nil)
        await scenario.stop(ann, bob)
    }

    @Test("Of two friends that were tapped the later one's chat opens, whichever answer comes first")
    func laterFriend() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let cat = try await scenario.person("cat", seed: 3)
        var ids: [ID<User>] = []
        for friend in [bob, cat] {
            try await scenario.befriend(ann, friend)
            ids.append(try await friend.client.profile.me().first("me") { _ in true }.id)
        }
        let known = try await ann.client.conversations.openDirect(with: ids[1])
        let main = MainViewModel(
            client: ann.client, clock: scenario.clock, words: words(scenario.clock),
            notifier: RecordingNotifier())
        let asking = Task.immediate { await main.friendTapped(ids[0]) }
        await main.friendTapped(ids[1])
        await asking.value
        #expect(main.conversation?.id == known)
        // A word on the first would be about something that nobody wants any more.
        main.conversationClosed()
        ann.goOffline()
        let failing = Task.immediate { await main.friendTapped(ID("nobody")) }
        main.chatTapped(known)
        await failing.value
        #expect(main.conversation?.id == known && main.notice == nil)
        await scenario.stop(ann, bob, cat)
    }

    @Test("The banner tells of a lost connection and goes with it")
    func banner() async throws {
        let desk = try await ChatScene()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.chats.state == .list && main.banner == nil }
            desk.ann.goOffline()
            await until { main.banner == "Offline. What you write is sent later." }
            desk.ann.goOnline()
            await until { main.banner == nil }
        }
        await desk.stop()
    }

    @Test("Who comes back to a chat that was left open finds a line above what came meanwhile")
    func lineOnReturn() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            app.main?.chatTapped(desk.chat)
            try await showing(#require(app.main?.conversation), { await $0.run() }) { model in
                await until { model.header != nil }
                try await desk.bob.client.messages.send("seen", in: desk.chat)
                await until { model.texts == ["seen"] }
                await app.becameActive(false)
                for text in ["one", "two"] { try await desk.bob.client.messages.send(text, in: desk.chat) }
                await until { model.texts == ["seen", "one", "two"] }
                #expect(model.unreadRow == nil)
                await app.becameActive(true)
                let line = try #require(model.rows.firstIndex { $0.id == .unread })
                #expect(model.rows[line + 1].spoken.contains("one") && model.unreadCount == 2)
                _ = try await desk.ann.client.messages.conversation(desk.chat).first("all read") {
                    $0.unreadCount == 0
                }
                #expect(model.unreadRow != nil, "it stays while one reads")
                // Further up, what comes meanwhile stands below what is in sight, and so does the line.
                await model.scrolled(toEnd: false)
                await app.becameActive(false)
                try await desk.bob.client.messages.send("three", in: desk.chat)
                await until { model.texts.last == "three" }
                await app.becameActive(true)
                #expect(model.unreadCount == 1 && model.newBelow == 1)
                model.unreadMissed(inSight: model.rows.first?.id)
                #expect(model.isUnreadBelow)
            }
        }
        await desk.stop()
    }

    // Field case 39
    @Test("What one sent right before turning away is not new, and what others wrote meanwhile is")
    func sentAndTurnedAway() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            app.main?.chatTapped(desk.chat)
            try await showing(#require(app.main?.conversation), { await $0.run() }) { model in
                await until { model.header != nil }
                desk.ann.goOffline()
                for text in ["one", "two"] {
                    await model.typed(text)
                    await model.sendTapped()
                }
                await until { model.bubble("two")?.tick == .sending }
                await app.becameActive(false)
                desk.ann.goOnline()
                await until { model.bubble("two")?.tick == .delivered }
                await app.becameActive(true)
                #expect(model.unreadRow == nil && model.unreadCount == 0)
                desk.ann.goOffline()
                await model.typed("three")
                await model.sendTapped()
                await app.becameActive(false)
                try await desk.bob.client.messages.send("an answer", in: desk.chat)
                try await desk.bob.settle()
                desk.ann.goOnline()
                await until { model.bubble("three")?.tick == .delivered && model.texts.contains("an answer") }
                await app.becameActive(true)
                let line = try #require(model.rows.firstIndex { $0.id == .unread })
                #expect(model.rows[line + 1].spoken.contains("an answer") && model.unreadCount == 1)
            }
        }
        await desk.stop()
    }

    @Test("A clock that was set makes the labels anew once the person is back")
    func clockSet() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            app.main?.chatTapped(desk.chat)
            try await showing(#require(app.main?.conversation), { await $0.run() }) { model in
                await until { model.header != nil }
                try await desk.bob.client.messages.send("today", in: desk.chat)
                await until { model.rows.first?.content == .day("Today") }
                await app.becameActive(false)
                desk.scenario.clock.set(desk.scenario.server.clock.now.advanced(by: .seconds(86_400)))
                await app.becameActive(true)
                #expect(model.rows.first?.content == .day("Yesterday"))
            }
        }
        await desk.stop()
    }

    @Test("Log-out leads back to the welcome page, wherever it came from")
    func logOut() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { if case .main = app.root { true } else { false } }
            try await desk.ann.client.auth.logOut()
            await until { if case .onboarding = app.root { true } else { false } }
        }
        await desk.stop()
    }

    @Test("A profile that cannot be opened says why, and can be tried again")
    func unavailable() async throws {
        let desk = try await ChatScene()
        var fails = true
        let app = AppModel(notifier: RecordingNotifier()) { () async throws(ClientError) in
            if fails { throw ClientError(.profileInUse(processID: 1), "in use") }
            return desk.ann.client
        }
        await app.run()
        guard case .unavailable(let why) = app.root else { throw Scenario.Failure("\(app.root)") }
        #expect(why == "Another window has this profile open.")
        fails = false
        try await showing(app, { await $0.run() }) { app in
            await until { if case .main = app.root { true } else { false } }
        }
        await desk.stop()
    }

    // Field case 38
    @Test(
        "A window that nobody looked at when the account opened announces, and reads nothing, until it is looked at"
    )
    func openedUnseen() async throws {
        let desk = try await ChatScene()
        let notifier = RecordingNotifier()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: notifier
        ) { desk.ann.client }
        await app.becameActive(false)
        try await showing(app, { await $0.run() }) { app in
            await until { if case .main = app.root { true } else { false } }
            guard case .main(let main) = app.root else { throw Scenario.Failure("\(app.root)") }
            #expect(app.title == "Chatter")
            try await showing(main, { await $0.run() }) { main in
                await until { main.chats.chats.count == 1 }
                main.chatTapped(desk.chat)
                let conversation = try #require(main.conversation)
                try await showing(conversation, { await $0.run() }) { conversation in
                    await until { conversation.header != nil }
                    try await desk.bob.client.messages.send("psst", in: desk.chat)
                    await until {
                        main.chats.unread == 1 && conversation.rows.last?.spoken.contains("psst") == true
                    }
                    #expect(app.title == "(1) Chatter")
                    await until { notifier.posted.map(\.body) == ["psst"] }
                    await app.becameActive(true)
                    await until { main.chats.unread == 0 }
                    #expect(app.title == "Chatter")
                }
            }
        }
        await desk.stop()
    }
}
