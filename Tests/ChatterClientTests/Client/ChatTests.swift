import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Two people and the real server", .timeLimit(.minutes(5)))
struct ChatTests {
    @Test("They befriend, write both ways, and every tick comes")
    func chat() async throws {
        let scene = try await ChatScene()
        try await scene.ann.say("hello", in: scene.chat)
        try await scene.bob.sees(["hello"], in: scene.chat)
        try await scene.ann.status(of: "hello", is: .delivered, in: scene.chat)
        #expect(try await scene.bob.chatItem(scene.chat) { $0.unreadCount == 1 }.preview?.body == "hello")

        await scene.bob.client.messages.setOnScreen(scene.chat, true)
        try await scene.receiptsLeave(scene.bob)
        try await scene.ann.status(of: "hello", is: .read, in: scene.chat)
        _ = try await scene.bob.chatItem(scene.chat) { $0.unreadCount == 0 }

        try await scene.bob.say("hi Ann", in: scene.chat)
        try await scene.ann.sees(["hello", "hi Ann"], in: scene.chat)
        let content = try await scene.ann.conversation(scene.chat) { $0.items.count == 2 }
        #expect(content.items.map(\.seq) == [1, 2])
        #expect(content.items.map(\.isMine) == [true, false])
        #expect(content.items[1].sender?.displayName == "Bob")
        #expect(content.unreadCount == 1)
        await scene.stop()
    }

    // Field case 38
    @Test("A client that nobody looks at marks nothing read, and one that is looked at what is on screen")
    func activity() async throws {
        let scene = try await ChatScene()
        await scene.bob.client.messages.setOnScreen(scene.chat, true)
        await scene.bob.client.setActive(false)
        try await scene.ann.say("are you there?", in: scene.chat)
        try await scene.ann.status(of: "are you there?", is: .delivered, in: scene.chat)
        _ = try await scene.bob.chatItem(scene.chat) { $0.unreadCount == 1 }
        #expect(try await scene.bob.client.outbox.items().first("outbox") { _ in true }.isEmpty)
        await scene.bob.client.setActive(true)
        try await scene.receiptsLeave(scene.bob)
        try await scene.ann.status(of: "are you there?", is: .read, in: scene.chat)
        await scene.stop()
    }

    @Test(
        "A window that loses the focus stays connected; a process about to be suspended gives its connection up"
    )
    func focusAndBackground() async throws {
        let scene = try await ChatScene()
        let bob = scene.bob.client
        await bob.messages.setOnScreen(scene.chat, true)
        await bob.setActive(false)
        scene.scenario.clock.advance(by: ConnectionMachine.backgroundGrace * 2)
        try await scene.ann.say("one", in: scene.chat)
        try await scene.ann.status(of: "one", is: .delivered, in: scene.chat)
        #expect(scene.bob.network.openedSockets == 1)
        await bob.setActive(true)
        try await scene.receiptsLeave(scene.bob)

        await bob.setInBackground(true)
        try await scene.ann.say("two", in: scene.chat)
        // The grace: what still comes is taken, and not as read.
        try await scene.ann.status(of: "two", is: .delivered, in: scene.chat)
        _ = try await scene.bob.chatItem(scene.chat) { $0.unreadCount == 1 }
        scene.scenario.clock.advance(by: ConnectionMachine.backgroundGrace)
        try await scene.bob.connection(is: .offline(.stopped, retryAt: nil))
        #expect(scene.bob.network.openSockets == 0)

        await bob.setInBackground(false)
        // With a new connection nothing waits any longer, so the receipt has left when somebody looks.
        try await scene.ann.status(of: "two", is: .read, in: scene.chat)
        await scene.stop()
    }

    // Field case 116
    @Test("Typing shows and ends; online shows in friends and header")
    func presence() async throws {
        let scene = try await ChatScene()
        _ = try await scene.ann.conversation(scene.chat) { $0.header.presence?.online == true }
        _ = try await scene.ann.client.friends.friends().first("online") {
            $0.first?.presence?.online == true
        }
        await scene.bob.client.messages.setTyping(scene.chat, true)
        _ = try await scene.ann.conversation(scene.chat) { !$0.header.typing.isEmpty }
        _ = try await scene.ann.chatItem(scene.chat) { !$0.typing.isEmpty }
        scene.scenario.clock.advance(by: .seconds(7))
        _ = try await scene.ann.conversation(scene.chat) { $0.header.typing.isEmpty }
        // Gone: offline after the server's grace, with a last seen.
        await scene.bob.client.close()
        scene.scenario.server.clock.advance(by: .seconds(6))
        let content = try await scene.ann.conversation(scene.chat) { $0.header.presence?.online == false }
        #expect(content.header.presence?.lastSeenAt != nil)
        await scene.stop()
    }

    // Field cases 9, 12
    @Test("What is written offline survives a relaunch and is sent in order, once")
    func offline() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        let texts = (1...10).map { "offline \($0)" }
        for text in texts { try await scene.ann.say(text, in: scene.chat) }
        let pending = try await scene.ann.conversation(scene.chat) { $0.items.count == 10 }
        #expect(pending.items.allSatisfy { $0.status == .pending && $0.seq == nil })
        #expect(try await scene.ann.client.status().queued[scene.chat.rawValue] == 10)
        try await scene.ann.relaunch()
        #expect(try await scene.ann.conversation(scene.chat) { _ in true }.items.map(\.body) == texts)
        scene.ann.goOnline()
        try await scene.ann.settle()
        try await scene.bob.sees(texts, in: scene.chat)
        let sent = try await scene.ann.conversation(scene.chat) { $0.items.allSatisfy { $0.seq != nil } }
        #expect(sent.items.map(\.body) == texts)
        #expect(sent.items.map(\.seq) == (1...10).map { Int64($0) })
        await scene.stop()
    }

    @Test("What came while a device was away is fetched, with ticks and unread count")
    func away() async throws {
        let scene = try await ChatScene()
        await scene.bob.client.close()
        let texts = (1...120).map { "message \($0)" }
        for text in texts { try await scene.ann.say(text, in: scene.chat) }
        try await scene.ann.settle()
        try await scene.bob.relaunch()
        try await scene.bob.connection(is: .online)
        try await scene.bob.settle()
        let first = try await scene.bob.conversation(scene.chat) {
            $0.items.count == MessagesRepository.pageSize
        }
        #expect(first.items.map(\.body) == texts.suffix(MessagesRepository.pageSize))
        #expect(first.unreadCount == 120)
        while try await scene.bob.client.messages.loadOlder(scene.chat) {}
        try await scene.bob.sees(texts, in: scene.chat)
        try await scene.ann.status(of: "message 120", is: .delivered, in: scene.chat)
        await scene.stop()
    }

    @Test(
        "A message that the server refuses fails with its reason; a discard removes it, those behind it go on"
    )
    func refused() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        try await scene.ann.say("too late", in: scene.chat)
        try await scene.bob.client.friends.remove(try await scene.ann.id)
        _ = try await scene.bob.client.friends.friends().first("nobody") { $0.isEmpty }
        try await scene.bob.settle()
        scene.ann.goOnline()
        let notFriends = FailureReason(code: ErrorCode.notFriends.rawValue)
        try await scene.ann.status(of: "too late", is: .failed(notFriends), in: scene.chat)
        let content = try await scene.ann.conversation(scene.chat) { $0.header.composer == .notFriends }
        try await scene.scenario.befriend(scene.bob, scene.ann)
        try await scene.ann.client.messages.retry(content.items[0].id.clientMessageID)
        try await scene.bob.sees(["too late"], in: scene.chat)
        await scene.stop()
    }

    @Test("Arrivals give each message once, in order, whoever sent it, also from somebody new")
    func arrivals() async throws {
        let scene = try await ChatScene()
        try await scene.ann.say("before", in: scene.chat)
        try await scene.bob.sees(["before"], in: scene.chat)
        let arrivals = Arrivals(try await scene.bob.client.messages.keeper.current())
        try await arrivals.begin()

        for text in ["one", "two", "three"] { try await scene.ann.say(text, in: scene.chat) }
        try await scene.bob.sees(["before", "one", "two", "three"], in: scene.chat)
        try await scene.bob.say("mine", in: scene.chat)
        for text in ["one", "two", "three", "mine"] {
            #expect(try await arrivals.next()?.body == text)
        }
        let cleo = try await scene.scenario.person("cleo", seed: 3)
        try await scene.scenario.befriend(cleo, scene.bob)
        try await cleo.say("first", in: try await scene.scenario.chat(cleo, scene.bob))
        #expect(try await arrivals.next()?.body == "first")
        // The stream of a client ends with its session.
        let stream = scene.bob.client.messages.arrivals()
        try await scene.bob.client.auth.logOut()
        for await _ in stream { Issue.record("a message after the log-out") }
        await cleo.client.close()
        await scene.stop()
    }

    @Test("Each chat has its own draft, which survives a relaunch and goes with the account")
    func drafts() async throws {
        let scene = try await ChatScene()
        let cleo = try await scene.scenario.person("cleo", seed: 3)
        try await scene.scenario.befriend(scene.ann, cleo)
        let other = try await scene.scenario.chat(scene.ann, cleo)
        let conversations = scene.ann.client.conversations
        try await conversations.setDraft("dear Bob", in: scene.chat)
        try await conversations.setDraft("dear Cleo", in: other)
        try await conversations.setDraft("", in: other)
        _ = try await scene.ann.chatItem(scene.chat) { $0.draft == "dear Bob" }
        try await scene.ann.relaunch()
        #expect(try await scene.ann.client.conversations.draft(in: scene.chat) == "dear Bob")
        #expect(try await scene.ann.client.conversations.draft(in: other) == "")
        let phone = try await scene.ann.phone
        try await scene.ann.client.auth.logOut()
        try await scene.ann.signIn(phone: phone)
        _ = try await scene.ann.chatItem(scene.chat) { _ in true }
        #expect(try await scene.ann.client.conversations.draft(in: scene.chat) == "")
        await cleo.client.close()
        await scene.stop()
    }

    @Test("Texts that no server takes are refused before they are queued")
    func textLimits() async throws {
        let scene = try await ChatScene()
        for text in ["", String(repeating: "x", count: Limits.messageCharacters + 1)] {
            let error = await clientError { () throws(ClientError) in
                try await scene.ann.client.messages.send(text, in: scene.chat)
            }
            #expect(error?.kind == .invalid)
        }
        let unknown = await clientError { () throws(ClientError) in
            try await scene.ann.client.messages.send("x", in: ID("nowhere"))
        }
        #expect(unknown?.kind == .notFound)
        let longest = String(repeating: "👨‍👩‍👧‍👦", count: 2000)
        try await scene.ann.say(longest, in: scene.chat)
        try await scene.bob.sees([longest], in: scene.chat)
        await scene.stop()
    }

    @Test("An access token that ends in the middle is renewed, and the conversation goes on")
    func expiry() async throws {
        let scene = try await ChatScene()
        // Whoever waits for a retry gets the time for it.
        let retries = [scene.ann, scene.bob].map { client in
            Task {
                for await state in client.client.connection {
                    if case .offline(_, retryAt: _?) = state {
                        scene.scenario.clock.advance(by: .seconds(31))
                    }
                }
            }
        }
        defer { for retry in retries { retry.cancel() } }
        for _ in 0..<3 {
            scene.scenario.jump(by: .seconds(3600))
            try await scene.ann.say("still here", in: scene.chat)
        }
        try await scene.bob.sees(["still here", "still here", "still here"], in: scene.chat)
        guard case .signedIn = try await scene.ann.client.session.first("state", { _ in true }) else {
            Issue.record("signed out")
            return
        }
        await scene.stop()
    }
}
