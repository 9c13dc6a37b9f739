import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

/// Ways into a chat. Field cases 111, 118.
@Suite("Notifications lead to the right place", .timeLimit(.minutes(5)))
@MainActor
struct NotificationTests {
    // Field case 111
    @Test("A chat that is opened again keeps what is being written, by whichever way, and each chat its own")
    func drafts() async throws {
        let desk = try await ChatScene()
        let cai = try await desk.scenario.person("cai", seed: 7)
        try await desk.scenario.befriend(desk.ann, cai)
        let other = try await desk.scenario.chat(desk.ann, cai)
        let main = desk.main(RecordingNotifier())
        main.chatTapped(desk.chat)
        let first = try #require(main.conversation)
        try await showing(first, { await $0.run() }) { model in
            await until { model.header != nil }
            await model.typed("half a th")
            main.chatTapped(desk.chat)
            await main.notificationTapped(desk.chat)
            main.becameActive(false)
            main.becameActive(true)
            try await desk.bob.client.messages.send("psst", in: desk.chat)
            await until { model.texts == ["psst"] }
            #expect(main.conversation === model && model.draft == "half a th")
            // To another chat and back before anything was stored.
            main.chatTapped(other)
            try await showing(#require(main.conversation), { await $0.run() }) { elsewhere in
                await until { elsewhere.header != nil }
                #expect(elsewhere.draft.isEmpty)
                await elsewhere.typed("for Cai")
            }
            main.chatTapped(desk.chat)
            try await showing(#require(main.conversation), { await $0.run() }) { again in
                await until { again.draft == "half a th" }
            }
        }
        for (chat, text) in [(desk.chat, "half a th"), (other, "for Cai")] {
            #expect(try await desk.ann.client.conversations.draft(in: chat) == text)
        }
        await cai.client.close()
        await desk.stop()
    }

    @Test("Quitting stores what was typed last")
    func quit() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            app.main?.chatTapped(desk.chat)
            await app.main?.conversation?.typed("the last wo")
            await app.quit()
        }
        try await desk.ann.relaunch()
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "the last wo")
        await desk.stop()
    }

    @Test("Tapped while the app is ending, the chat opens when it is started again")
    func ending() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            let ending = Task.immediate { await app.quit() }
            await app.notificationTapped(desk.chat)
            await ending.value
            #expect(app.main == nil)
        }
        try await desk.ann.relaunch(start: false)
        try await showing(app, { await $0.run() }) { app in
            await until { app.main?.conversation?.id == desk.chat }
        }
        await desk.stop()
    }

    // Field case 118
    @Test("Tapped before the app is up, it opens the chat once it is")
    func notRunning() async throws {
        let desk = try await ChatScene()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier()
        ) { desk.ann.client }
        await app.notificationTapped(desk.chat)
        try await showing(app, { await $0.run() }) { app in
            await until { app.main?.conversation?.id == desk.chat }
            app.main?.conversationClosed()
            await app.requestNotificationTapped()
            #expect(app.main?.section == .friends)
            // Once only.
            #expect(app.main?.conversation == nil)
        }
        await desk.stop()
    }

    // Field case 118
    @Test("Tapped before the sign-in, on a device without the chat, it opens once the chat was fetched")
    func signedOut() async throws {
        let scenario = try await Scenario()
        let phone = scenario.server.newPhone()
        let ann = try await scenario.person("ann", phone: phone, seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        try await scenario.befriend(ann, bob)
        let chat = try await scenario.chat(ann, bob)
        let second = try await scenario.client(seed: 3)
        let app = AppModel(
            clock: scenario.clock, words: words(scenario.clock), notifier: RecordingNotifier()
        ) { second.client }
        try await showing(app, { await $0.run() }) { app in
            await until { if case .onboarding = app.root { true } else { false } }
            await app.notificationTapped(chat)
            try await second.signIn(phone: phone)
            await until { app.main != nil }
            try await showing(#require(app.main), { await $0.run() }) { main in
                await until { main.conversation?.id == chat }
                #expect(main.notice == nil)
            }
        }
        await scenario.stop(ann, bob, second)
    }

    // Field case 118
    @Test("A chat that is gone leaves a friendly word; one that is not here yet waits for the connection")
    func vanished() async throws {
        let desk = try await ChatScene()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.chats.state == .list && main.banner == nil }
            main.sectionTapped(.settings)
            await main.notificationTapped(ID("nowhere"))
            await until { main.notice == "That chat is no longer here." }
            #expect(main.conversation == nil && main.section == .chats)
            desk.ann.goOffline()
            await until { main.banner != nil }
            await main.notificationTapped(ID("not here yet"))
            #expect(main.notice == "That chat is not on this device yet. It opens once it was fetched.")
            // Something else is opened first: nothing jumps in between later.
            main.chatTapped(desk.chat)
            main.noticeClosed()
            desk.ann.goOnline()
            await until { main.banner == nil }
            #expect(main.conversation?.id == desk.chat && main.notice == nil)
        }
        await desk.stop()
    }

    @Test("Whoever turns to another list waits for no chat any more; a switcher that follows changes nothing")
    func turnedAway() async throws {
        let desk = try await ChatScene()
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            await until { main.chats.state == .list && main.banner == nil }
            desk.ann.goOffline()
            await until { main.banner != nil }
            await main.notificationTapped(ID("not here yet"))
            main.noticeClosed()
            main.sectionShown(.friends)
            desk.ann.goOnline()
            await until { main.banner == nil }
            #expect(main.section == .friends && main.notice == nil)
            main.folded(true)
            main.chatTapped(desk.chat)
            // The switcher now stands where the chat has put it.
            main.sectionShown(.chats)
            #expect(main.conversation?.id == desk.chat)
        }
        await desk.stop()
    }

    @Test(
        "On a narrow window a request, or another list, is shown in place of the open chat; its draft is kept"
    )
    func folded() async throws {
        let desk = try await ChatScene()
        let main = desk.main(RecordingNotifier())
        main.chatTapped(desk.chat)
        main.requestNotificationTapped()
        #expect(main.section == .friends && main.conversation != nil, "both have room")
        main.folded(true)
        main.chatTapped(desk.chat)
        try await showing(#require(main.conversation), { await $0.run() }) { model in
            await until { model.header != nil }
            await model.typed("half a th")
            main.requestNotificationTapped()
            #expect(main.section == .friends && main.conversation == nil)
        }
        main.chatTapped(desk.chat)
        #expect(main.section == .chats && main.conversation != nil)
        try await showing(#require(main.conversation), { await $0.run() }) { model in
            await until { model.draft == "half a th" }
        }
        main.sectionTapped(.chats)
        #expect(main.section == .chats && main.conversation == nil)
        await desk.stop()
    }

    @Test("Requests that stand before the person's eyes are not announced")
    func requestsInSight() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let notifier = RecordingNotifier()
        let main = MainViewModel(
            client: ann.client, clock: scenario.clock, words: words(scenario.clock), notifier: notifier)
        try await showing(main, { await $0.run() }) { main in
            await until { main.friends.state == .empty && !main.requests.isLoading }
            main.sectionTapped(.friends)
            let found = try await bob.client.friends.search("ann")
            try await bob.client.friends.sendRequest(to: #require(found.first).user)
            await until { main.requests.count == 1 }
            // Announcing what is in sight would have come before this.
            main.becameActive(false)
            let cat = try await scenario.person("cat", seed: 3)
            let again = try await cat.client.friends.search("ann")
            try await cat.client.friends.sendRequest(to: #require(again.first).user)
            await until { !notifier.requests.isEmpty }
            #expect(notifier.requests.map(\.body) == ["Cat wants to be your friend."])
            await cat.client.close()
        }
        await scenario.stop(ann, bob)
    }

    @Test("A friend request is announced once, leads to the requests, and is withdrawn with its answer")
    func requests() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let notifier = RecordingNotifier()
        let main = MainViewModel(
            client: ann.client, clock: scenario.clock, words: words(scenario.clock), notifier: notifier)
        try await showing(main, { await $0.run() }) { main in
            await until { main.friends.state == .empty && !main.requests.isLoading }
            let found = try await bob.client.friends.search("ann")
            let bobID = try await bob.client.profile.me().first("me") { _ in true }.id
            try await bob.client.friends.sendRequest(to: #require(found.first).user)
            await until { main.requests.count == 1 && notifier.requests.count == 1 }
            #expect(
                notifier.requests == [
                    RequestNotification(
                        user: bobID, title: "Friend request", body: "Bob wants to be your friend.")
                ])
            main.requestNotificationTapped()
            #expect(main.section == .friends)
            await main.requests.acceptTapped(bobID)
            await until { notifier.withdrawnRequests == [bobID] }
        }
        await scenario.stop(ann, bob)
    }
}

@MainActor
extension AppModel {
    var main: MainViewModel? { if case .main(let main) = root { main } else { nil } }
}
