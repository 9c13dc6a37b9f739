import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Sending over a network that fails", .timeLimit(.minutes(5)))
struct OutboxTests {
    // Field case 1
    @Test("Three connections lost before the ack: four sends of one id, one message")
    func lostAcks() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.server.set { server in
            server.sendAnswers = [.storeAndDrop, .storeAndDrop, .storeAndDrop]
            // Either half of the sync would find the message before it is sent again.
            server.ignoresSync = true
            server.callErrors = Array(repeating: ClientError(.outage, "overloaded", status: 503), count: 50)
        }
        try await bench.send(Samples.draft(1))
        for round in 2...4 {
            await bench.state { if case .offline = $0 { true } else { false } }
            await bench.nextAttempt()
            await bench.server.until { $0.sends.count >= round }
        }
        try await bench.untilOutboxEmpty()
        let state = await bench.server.state
        #expect(state.sends == Array(repeating: Samples.draft(1), count: 4))
        #expect(state.model[Samples.chat].messages.count == 1)
        let items = try await bench.items()
        #expect(items.map(\.seq) == [1])
        #expect(items.map(\.status) == [.sent])
        await bench.stop()
    }

    // Field case 2
    @Test(
        "A time-out keeps the message pending; the late ack settles it, and drains at once send nothing twice"
    )
    func lateAck() async throws {
        let bench = try await EngineBench()
        await bench.server.set { $0.sendAnswers = [.storeSilently] }
        await bench.online()
        let draft = Samples.draft(1)
        try await bench.send(draft)
        await bench.server.until { $0.sends.count == 1 }
        bench.clock.advance(by: Outbox.answerTimeout)
        try await bench.until({ try $0.outboxItems().first?.nextAttemptAt != nil }, { $0 })
        #expect(try await bench.items().map(\.status) == [.pending])

        let ack = await bench.server.mutate { $0.send(draft) }
        await bench.server.push(.messageAck(ack))
        async let foreground: Void = bench.engine.foreground()
        async let network: Void = bench.engine.networkChanged(true)
        async let drain: Void = bench.engine.outbox.drain()
        _ = await (foreground, network, drain)
        try await bench.untilOutboxEmpty()
        #expect(try await bench.items().map(\.status) == [.sent])
        #expect(await bench.server.state.model[Samples.chat].messages.count == 1)
        #expect(await bench.server.state.sends.count == 1)
        await bench.stop()
    }

    // Field case 6
    @Test("Acks that come while the app is in the background are found by the sync")
    func background() async throws {
        let bench = try await EngineBench()
        await bench.server.set { $0.sendAnswers = [.storeSilently] }
        await bench.online()
        try await bench.write((1...3).map { Samples.draft($0) })
        await bench.engine.outbox.drain()
        await bench.server.until { $0.sends.count == 1 }
        await bench.engine.background()
        bench.clock.advance(by: ConnectionMachine.backgroundGrace)
        await bench.state { $0 == .offline(.stopped, retryAt: nil) }
        bench.clock.advance(by: .seconds(600))
        await bench.engine.foreground()
        try await bench.untilOutboxEmpty()
        let items = try await bench.items()
        #expect(items.map(\.body) == ["own 1", "own 2", "own 3"])
        #expect(items.map(\.status) == [.sent, .sent, .sent])
        #expect(await bench.server.state.model[Samples.chat].messages.count == 3)
        await bench.stop()
    }

    // Field cases 9, 12
    @Test("What was written offline leaves after relaunches and two days, in order for each chat")
    func writtenOffline() async throws {
        let directory = try TemporaryDirectory()
        let chats = [Samples.chat, Samples.otherChat, Samples.thirdChat]
        let model = ServerModel(chats: chats)
        let first = try await EngineBench(model, path: directory.file("chatter.db").path)
        try await first.write((1...20).map { Samples.draft(Int64($0), in: chats[$0 % 3]) })
        await first.stop()

        let second = try await EngineBench(model, path: directory.file("chatter.db").path)
        await second.server.set { $0.connectError = ClientError(.outage, "no network") }
        await second.engine.start()
        await second.server.until { $0.connects == 1 }
        second.clock.advance(by: .seconds(48 * 3600))
        await second.server.set { $0.connectError = nil }
        await second.engine.networkChanged(false)
        await second.engine.networkChanged(true)
        try await second.untilOutboxEmpty()
        let server = await second.server.state.model
        for (index, chat) in chats.enumerated() {
            let written = (1...20).filter { $0 % 3 == index }.map { "own \($0)" }
            #expect(server[chat].messages.map(\.body) == written)
            #expect(try await second.items(chat).map(\.body) == written)
        }
        await second.stop()
    }

    // Field case 18
    @Test("Thirty queued messages keep their order, and never two of a chat are under way", arguments: 0..<5)
    func order(seed: UInt64) async throws {
        let bench = try await EngineBench(seed: seed)
        try await bench.write((1...30).map { Samples.draft($0) })
        var random = SeededRandom(seed: seed)
        let answers = (0..<30).map { _ -> FakeServer.SendAnswer in
            Int.random(in: 0..<5, using: &random) == 0 ? .storeAndDrop : .ack
        }
        await bench.server.set { $0.sendAnswers = answers }
        await bench.engine.start()
        while await bench.server.state.model[Samples.chat].messages.count < 30 {
            await bench.state { if case .connecting = $0 { false } else { true } }
            if case .offline = bench.engine.connectionState.value { await bench.nextAttempt() }
            await Task.yield()
        }
        try await bench.untilOutboxEmpty()
        let state = await bench.server.state
        #expect(
            state.model[Samples.chat].messages.map(\.body) == (1...30).map { "own \($0)" }, "seed \(seed)")
        // A send that was repeated came right after itself: nothing overtook it.
        var distinct: [SendMessage] = []
        for send in state.sends where distinct.last != send { distinct.append(send) }
        #expect(distinct == (1...30).map { Samples.draft($0) }, "seed \(seed)")
        await bench.stop()
    }

    // Field case 14
    @Test("The echo alone settles a message whose ack never comes")
    func echoOnly() async throws {
        let bench = try await EngineBench()
        await bench.server.set { $0.sendAnswers = [.storeSilently] }
        await bench.online()
        try await bench.send(Samples.draft(1))
        try await bench.send(Samples.draft(2))
        await bench.server.until { $0.sends.count == 1 }
        let echo = try #require(await bench.server.state.model[Samples.chat].messages.first)
        await bench.server.push(.messageNew(echo))
        try await bench.untilOutboxEmpty()
        #expect(try await bench.items().map(\.body) == ["own 1", "own 2"])
        #expect(await bench.server.state.sends.map(\.body) == ["own 1", "own 2"])
        await bench.stop()
    }

    // Field cases 11, 103
    @Test("A message deleted while it is on the wire is deleted for everyone once it has arrived")
    func deletedOnTheWire() async throws {
        let bench = try await EngineBench()
        await bench.server.set { $0.sendAnswers = [.storeSilently] }
        await bench.online()
        let draft = Samples.draft(1, "secret")
        try await bench.send(draft)
        await bench.server.until { $0.sends.count == 1 }
        try await bench.store.discard(draft.clientMessageID, at: bench.clock.now)
        #expect(try await bench.items().map(\.isDeleted) == [true])
        #expect(try await bench.items().map(\.body) == [""])
        let ack = await bench.server.mutate { $0.send(draft) }
        await bench.server.push(.messageAck(ack))
        try await bench.untilOutboxEmpty()
        let state = await bench.server.state
        #expect(state.calls.contains("delete everyone"))
        #expect(state.model[Samples.chat].messages.map(\.body) == [""])
        let bodies = try await bench.store.read { context in
            try context.database.all("SELECT body FROM messages") { $0.text(0) }
        }
        #expect(bodies == [""])
        await bench.stop()
    }
}
