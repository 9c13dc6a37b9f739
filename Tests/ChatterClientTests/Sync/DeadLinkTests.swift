import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("What is queued while connections and tasks end", .timeLimit(.minutes(5)))
struct DeadLinkTests {
    @Test("A link that failed once is given up, and nothing leaves before the next connection")
    func failedLink() async throws {
        let bench = try await EngineBench()
        await bench.online()
        let link = try #require(await bench.server.links.last)
        link.failSends()
        try await bench.send(Samples.draft(1))
        try await bench.send(Samples.draft(2))
        await bench.state { if case .offline = $0 { true } else { false } }
        #expect(link.failedSends == 1)
        #expect(try await bench.store.read { try $0.entry(1)?.attempts } == 1)
        await bench.nextAttempt()
        try await bench.untilOutboxEmpty()
        #expect(await bench.server.state.sends.map(\.body) == ["own 1", "own 2"])
        await bench.stop()
    }

    @Test("Sessions that end while they ask for what was missed leave the outbox alone")
    func endsDuringSyncRequest() async throws {
        let bench = try await EngineBench(ServerModel(chats: [Samples.chat, Samples.otherChat]))
        try await bench.write([Samples.draft(1), Samples.draft(2, in: Samples.otherChat), Samples.draft(3)])
        await bench.server.set { $0.syncDrops = 5 }
        await bench.engine.start()
        for round in 1...5 {
            await bench.server.until { $0.syncRequests.count == round }
            await bench.state { if case .offline = $0 { true } else { false } }
            await bench.nextAttempt()
        }
        try await bench.untilOutboxEmpty()
        // At most once for each of the two lanes, which leave side by side.
        for link in await bench.server.links.dropLast() { #expect(link.failedSends <= 2) }
        #expect(await bench.server.state.model[Samples.chat].messages.map(\.body) == ["own 1", "own 3"])
        await bench.stop()
    }

    @Test("A wish of a task that is cancelled counts like any other")
    func cancelledCaller() async throws {
        let bench = try await EngineBench()
        await bench.online()
        try await bench.write([Samples.draft(1)])
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await bench.engine.outbox.drain()
        }.value
        await bench.server.until { $0.sends.count == 1 }
        try await bench.untilOutboxEmpty()
        await bench.stop()
    }

    @Test("Of two that sleep each is woken at its time")
    func wakesEach() async throws {
        let bench = try await EngineBench(ServerModel(chats: [Samples.chat, Samples.otherChat]))
        await bench.online()
        let now = bench.clock.now
        try await bench.write([Samples.draft(1), Samples.draft(2, in: Samples.otherChat)])
        for (entry, seconds) in [(Int64(1), 1), (2, 5)] {
            try await bench.store.postpone(
                entry, until: now.advanced(by: .seconds(seconds)), isHeld: true, faults: 0, because: "test")
        }
        let sleepers = bench.clock.sleeperCount
        await bench.engine.outbox.drain()
        await bench.clock.sleepers(atLeast: sleepers + 1)
        bench.clock.advance(by: .seconds(1))
        await bench.server.until { $0.sends.map(\.body) == ["own 1"] }
        try await bench.until({ try $0.entry(1) == nil }, { $0 })
        bench.clock.advance(by: .seconds(4))
        await bench.server.until { $0.sends.map(\.body) == ["own 1", "own 2"] }
        try await bench.untilOutboxEmpty()
        await bench.stop()
    }

    @Test("A call that finds nobody signed in waits like in an outage, and is not made without end")
    func signedOutCall() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.server.set { server in
            server.callErrors = Array(repeating: ClientError(.signedOut, "nobody is signed in"), count: 3)
        }
        try await bench.store.edit(EditSettings(archived: true), of: Samples.chat, at: bench.clock.now)
        await bench.engine.outbox.drain()
        try await bench.until({ try $0.outboxItems().first?.nextAttemptAt != nil }, { $0 })
        #expect(try await bench.store.read { try $0.outboxItems().first?.attempts } == 1)
        try await bench.passing { try await bench.store.read { try $0.outboxItems().isEmpty } }
        await bench.stop()
    }
}
