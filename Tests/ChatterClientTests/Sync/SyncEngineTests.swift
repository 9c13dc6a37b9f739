import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Catching up", .timeLimit(.minutes(5)))
struct SyncEngineTests {
    private func model(messages: Int) -> ServerModel {
        var model = ServerModel()
        for _ in 0..<messages { model.receive() }
        return model
    }

    // Field case 24
    @Test(
        "Away for more than a page, everything comes, whatever the page's size, and nothing is called delivered early",
        arguments: [1, 24, 39, 40, 41, 200])
    func awayForPages(pageSize: Int) async throws {
        var model = model(messages: 50)
        model.streamLimit = 5
        let bench = try await EngineBench(model, held: 10, pageSize: pageSize)
        await bench.online()
        let items = try await bench.untilSeqs(1...50)
        #expect(items.count == 50)
        #expect(try await bench.store.read { try $0.holes(in: Samples.chat) }.isEmpty)
        await bench.server.until { $0.delivered.last == 50 }
        // Each report stands on what was contiguous then.
        let delivered = await bench.server.state.delivered
        #expect(delivered == delivered.sorted())
        await bench.stop()
    }

    // Field case 26
    @Test("A gap that a failed call leaves open stays, and is closed by the next attempt")
    func failedRepair() async throws {
        let bench = try await EngineBench(model(messages: 4), held: 4)
        await bench.online()
        await bench.server.receive(isHeard: false)
        await bench.server.receive(isHeard: false)
        await bench.server.set { $0.callErrors = [ClientError(.outage, "overloaded", status: 503)] }
        await bench.server.receive()
        try await bench.until({ try $0.holes(in: Samples.chat) }, { $0 == [SeqRange(from: 5, to: 6)] })
        let failed = await bench.server.state.calls.count
        await bench.server.until { $0.calls.count > failed || $0.calls.last?.hasPrefix("messages") == true }
        bench.clock.advance(by: .seconds(2))
        try await bench.untilSeqs(1...7)
        #expect(try await bench.store.read { try $0.holes(in: Samples.chat) }.isEmpty)
        await bench.stop()
    }

    // Field case 26
    @Test("A gap that could not be closed is asked for again with the next connection")
    func repairedByReconnect() async throws {
        let bench = try await EngineBench(model(messages: 4), held: 4)
        await bench.online()
        await bench.server.receive(isHeard: false)
        await bench.server.set {
            $0.callErrors = Array(repeating: ClientError(.refused(code: "X"), "no"), count: 3)
        }
        await bench.server.receive()
        try await bench.until({ try $0.holes(in: Samples.chat) }, { $0 == [SeqRange(from: 5, to: 5)] })
        await bench.server.until { $0.calls.last?.hasPrefix("messages") == true }
        await bench.server.drop()
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.nextAttempt()
        try await bench.untilSeqs(1...6)
        let asked = try #require(await bench.server.state.syncRequests.last?.conversations[Samples.chat])
        #expect(asked == SyncRequest.Held(seq: 4, change: 4))
        await bench.stop()
    }

    // Field case 28
    @Test("A live message before the catch-up does not make it start there")
    func liveBeforeSync() async throws {
        let bench = try await EngineBench(model(messages: 80), held: 80)
        for _ in 81...119 { await bench.server.receive(isHeard: false) }
        await bench.server.set { $0.ignoresSync = true }
        await bench.engine.start()
        await bench.server.until { $0.syncRequests.count == 1 }
        let asked = await bench.server.state.syncRequests.last?.conversations[Samples.chat]
        #expect(asked == SyncRequest.Held(seq: 80, change: 80))
        await bench.server.receive()
        try await bench.until({ try $0.holes(in: Samples.chat) }, { $0 == [SeqRange(from: 81, to: 119)] })
        // The connection breaks before the answer: the next one asks from 80 again.
        await bench.server.drop()
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.server.set { $0.ignoresSync = false }
        await bench.nextAttempt()
        try await bench.untilSeqs(1...120)
        let again = await bench.server.state.syncRequests.last?.conversations[Samples.chat]
        #expect(again == SyncRequest.Held(seq: 80, change: 80))
        await bench.stop()
    }

    // Field case 30
    @Test("Deletions and edits of old messages made while away are caught up")
    func changesWhileAway() async throws {
        let bench = try await EngineBench(model(messages: 60), held: 60)
        await bench.server.mutate { model in
            model.delete(30)
            model.edit(31, "new text")
        }
        await bench.online()
        try await bench.until(
            { try $0.conversation(Samples.chat, limit: 100)?.items[30].body }, { $0 == "new text" })
        let items = try await bench.items()
        #expect(items[29].isDeleted)
        #expect(items.count == 60)
        await bench.stop()
    }

    @Test("Messages that are not to be had leave no hole, and nothing is asked for twice")
    func invisibleMessages() async throws {
        var model = model(messages: 3)
        model.skip()
        model.skip()
        model.receive()
        let bench = try await EngineBench(model, held: 3)
        await bench.online()
        try await bench.until({ try $0.conversation(Samples.chat, limit: 9)?.items.compactMap(\.seq) }) {
            $0 == [1, 2, 3, 6]
        }
        #expect(try await bench.store.read { try $0.holes(in: Samples.chat) }.isEmpty)
        await bench.server.until { $0.delivered.last == 6 }
        // Live, too: the next visible one shows the gap, one call confirms it.
        await bench.server.mutate { $0.skip() }
        await bench.server.receive()
        await bench.server.until { $0.delivered.last == 8 }
        #expect(
            await bench.server.state.calls.filter { $0.hasPrefix("messages") } == ["messages afterChange(6)"])
        await bench.stop()
    }

    @Test("A server that never answers the sync request is paged by REST")
    func fallsBack() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { $0.ignoresSync = true }
        await bench.engine.start()
        await bench.server.until { $0.syncRequests.count == 1 && $0.calls.contains("sync") }
        bench.clock.advance(by: SyncEngine.streamTimeout)
        try await bench.untilSeqs(1...30)
        await bench.state { $0 == .online }
        await bench.stop()
    }

    @Test("A refused sync request is replaced by pages")
    func refusedSync() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { $0.ignoresSync = true }
        await bench.engine.start()
        await bench.server.until { $0.syncRequests.count == 1 }
        let id = await bench.server.state.frames.first?.id
        await bench.server.push(
            .error(FrameError(code: "RATE_LIMITED", message: "no", retryAfter: 1)), id: id)
        try await bench.untilSeqs(1...30)
        await bench.state { $0 == .online }
        await bench.stop()
    }

    @Test("Own messages of another device appear, and what it read is read here, nothing else")
    func otherDevice() async throws {
        let bench = try await EngineBench(model(messages: 3), held: 3)
        await bench.online()
        #expect(try await bench.store.read { try $0.unread(Samples.chat) } == 3)
        let receipt = await bench.server.mutate { model in
            model.move(Watermark(conversationID: Samples.chat, seq: 2), of: Samples.anna, read: true)
        }
        await bench.server.push(.receiptUpdated(receipt))
        try await bench.until({ try $0.unread(Samples.chat) }, { $0 == 1 })
        let message = await bench.server.mutate { model in
            _ = model.send(Samples.draft(7, "from the other device"))
            return model[Samples.chat].messages[3]
        }
        await bench.server.push(.messageNew(message))
        try await bench.untilSeqs(1...4)
        #expect(try await bench.store.read { try $0.unread(Samples.chat) } == 1)
        #expect(try await bench.items().last?.status == .sent)
        await bench.stop()
    }

    @Test("Ticks follow the peer's watermarks and never go back")
    func ticks() async throws {
        let bench = try await EngineBench()
        await bench.online()
        try await bench.send(Samples.draft(1))
        try await bench.untilOutboxEmpty()
        func push(delivered: Int64, read: Int64) async {
            await bench.server.push(
                .receiptUpdated(
                    Receipt(
                        conversationID: Samples.chat, userID: Samples.ben, lastDeliveredSeq: delivered,
                        lastReadSeq: read)))
        }
        await push(delivered: 1, read: 0)
        try await bench.until(
            { try $0.conversation(Samples.chat, limit: 9)?.items.last?.status }, { $0 == .delivered })
        await push(delivered: 1, read: 1)
        try await bench.until(
            { try $0.conversation(Samples.chat, limit: 9)?.items.last?.status }, { $0 == .read })
        await push(delivered: 1, read: 0)
        await bench.server.receive()
        try await bench.untilSeqs(1...2)
        #expect(try await bench.items().first?.status == .read)
        await bench.stop()
    }

    // Field case 38
    @Test("What arrives in an open chat while the app is inactive is not read")
    func inactive() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.engine.setOnScreen(Samples.chat, true)
        await bench.engine.setActive(false)
        for _ in 1...3 { await bench.server.receive() }
        try await bench.untilSeqs(1...3)
        await bench.server.until { $0.delivered.last == 3 }
        bench.clock.advance(by: .seconds(10))
        #expect(try await bench.store.read { try $0.unread(Samples.chat) } == 3)
        #expect(try await bench.store.read { try $0.outboxItems() }.isEmpty)
        await bench.engine.setActive(true)
        try await bench.until({ try $0.unread(Samples.chat) }, { $0 == 0 })
        bench.clock.advance(by: ReceiptScheduler.quiet)
        await bench.server.until { $0.read == [3] }
        await bench.stop()
    }

    @Test("Reads within a moment make one receipt")
    func batchedReads() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.engine.setOnScreen(Samples.chat, true)
        for _ in 1...20 { await bench.server.receive() }
        try await bench.untilSeqs(1...20)
        try await bench.until({ try $0.unread(Samples.chat) }, { $0 == 0 })
        #expect(await bench.server.state.read.isEmpty)
        bench.clock.advance(by: ReceiptScheduler.quiet)
        await bench.server.until { $0.read == [20] }
        try await bench.untilOutboxEmpty()
        await bench.stop()
    }

    @Test("Receipts that were lost with their connection are sent with the next one")
    func lostReceipts() async throws {
        let bench = try await EngineBench()
        await bench.server.set { $0.connectError = ClientError(.outage, "no network") }
        await bench.server.receive(isHeard: false)
        await bench.engine.start()
        await bench.server.until { $0.connects == 1 }
        _ = try await bench.store.apply([.message(Samples.message(1))], at: bench.clock.now)
        try await bench.store.markRead(Samples.chat, upTo: 1, at: bench.clock.now)
        await bench.server.set { $0.connectError = nil }
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.nextAttempt()
        await bench.server.until { $0.read == [1] }
        try await bench.untilOutboxEmpty()
        await bench.stop()
    }

    @Test("Undelivered messages below what is loaded are fetched and then reported")
    func undeliveredHistory() async throws {
        let model = model(messages: 60)
        let bench = try await EngineBench(ServerModel(chats: []))
        await bench.server.set { $0.model = model }
        await bench.engine.start()
        await bench.server.until { $0.delivered.last == 60 }
        try await bench.untilSeqs(1...60)
        #expect(try await bench.store.read { try $0.unread(Samples.chat) } == 60)
        await bench.stop()
    }

    @Test("History loads page by page to the beginning and then says so")
    func history() async throws {
        var model = model(messages: 50)
        _ = model.move(Watermark(conversationID: Samples.chat, seq: 50), of: Samples.anna, read: true)
        let server = model
        let bench = try await EngineBench(ServerModel(chats: []), pageSize: 20)
        await bench.server.set { $0.model = server }
        await bench.online()
        #expect(try await bench.items().map(\.seq) == [50])
        #expect(try await bench.engine.loadOlder(Samples.chat))
        #expect(try await bench.items().map(\.seq) == (30...50).map { Int64($0) })
        #expect(try await bench.engine.loadOlder(Samples.chat))
        #expect(try await bench.engine.loadOlder(Samples.chat) == false)
        #expect(try await bench.items().count == 50)
        #expect(try await bench.engine.loadOlder(Samples.chat) == false)
        await bench.stop()
    }
}
