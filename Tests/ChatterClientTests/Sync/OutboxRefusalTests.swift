import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("What the server refuses, slows down or settles", .timeLimit(.minutes(5)))
struct OutboxRefusalTests {
    // Field case 19
    @Test("While one message backs off the next waits behind it")
    func waitsBehind() async throws {
        let bench = try await EngineBench()
        let broken = FakeServer.SendAnswer.refuse(FrameError(code: "INTERNAL", message: "test"))
        await bench.server.set { $0.sendAnswers = [broken, broken, broken] }
        await bench.online()
        try await bench.send(Samples.draft(1))
        try await bench.send(Samples.draft(2))
        for faults in 1...3 {
            try await bench.until({ try $0.entry(1)?.faults }, { $0 == faults })
            await bench.wakeOutbox()
        }
        try await bench.untilOutboxEmpty()
        #expect(try await bench.items().map(\.body) == ["own 1", "own 2"])
        #expect(await bench.server.state.sends.map(\.body) == ["own 1", "own 1", "own 1", "own 1", "own 2"])
        await bench.stop()
    }

    // Field case 19
    @Test("A refused message is shown as failed with its reason, and those behind it go on")
    func refusedReleases() async throws {
        let bench = try await EngineBench()
        await bench.server.set { server in
            server.sendAnswers = [.refuse(FrameError(code: ErrorCode.notFriends.rawValue, message: "test"))]
        }
        await bench.online()
        try await bench.send(Samples.draft(1))
        try await bench.send(Samples.draft(2))
        try await bench.until({ try $0.queued().isEmpty }, { $0 })
        let items = try await bench.items()
        #expect(items.map(\.body) == ["own 2", "own 1"])
        #expect(items.map(\.status) == [.sent, .failed(FailureReason(code: "NOT_FRIENDS"))])

        try await bench.store.retry(Samples.key(1), at: bench.clock.now)
        await bench.engine.outbox.drain()
        try await bench.untilOutboxEmpty()
        #expect(try await bench.items().map(\.status) == [.sent, .sent])
        await bench.stop()
    }

    @Test("A message that breaks the server eight times fails, and those behind it go on")
    func eightFaults() async throws {
        let bench = try await EngineBench()
        let broken = FakeServer.SendAnswer.refuse(FrameError(code: "INTERNAL", message: "test"))
        await bench.server.set { $0.sendAnswers = Array(repeating: broken, count: 8) }
        await bench.online()
        try await bench.send(Samples.draft(1))
        try await bench.send(Samples.draft(2))
        for faults in 1...7 {
            try await bench.until({ try $0.entry(1)?.faults }, { $0 == faults })
            await bench.wakeOutbox()
        }
        try await bench.until({ try $0.queued().isEmpty }, { $0 })
        #expect(try await bench.items().map(\.status) == [.sent, .failed(.serverFault)])
        #expect(await bench.server.state.sends.count == 9)
        await bench.stop()
    }

    // Field case 22
    @Test("A hundred messages into a rate limit: none fails, none leaves before its time, order is kept")
    func rateLimit() async throws {
        let bench = try await EngineBench()
        let limited = FakeServer.SendAnswer.refuse(
            FrameError(code: ErrorCode.rateLimited.rawValue, message: "slow down", retryAfter: 7))
        await bench.server.set { server in
            server.sendAnswers = Array(repeating: .ack, count: 40) + [limited]
        }
        await bench.online()
        try await bench.write((1...100).map { Samples.draft($0) })
        await bench.engine.outbox.drain()
        try await bench.until(
            { try $0.entry(41)?.isUntouched == false && $0.outboxItems().first?.nextAttemptAt != nil }, { $0 }
        )
        let held = try #require(try await bench.store.outboxHeads().first)
        #expect(held.isHeld)
        #expect(held.nextAttemptAt == bench.clock.now.advanced(by: .seconds(7)))
        bench.clock.advance(by: .seconds(7) - .milliseconds(1))
        await bench.engine.outbox.drain()
        #expect(await bench.server.state.sends.count == 41)
        bench.clock.advance(by: .milliseconds(1))
        try await bench.untilOutboxEmpty()
        let items = try await bench.items()
        #expect(items.map(\.body) == (1...100).map { "own \($0)" })
        #expect(items.allSatisfy { $0.status == .sent })
        await bench.stop()
    }

    @Test("A reconnect does not shorten what the server asked to wait")
    func holdSurvivesReconnect() async throws {
        let bench = try await EngineBench()
        let limited = FakeServer.SendAnswer.refuse(
            FrameError(code: ErrorCode.rateLimited.rawValue, message: "slow down", retryAfter: 60))
        await bench.server.set { $0.sendAnswers = [limited] }
        await bench.online()
        try await bench.send(Samples.draft(1))
        try await bench.until({ try $0.outboxItems().first?.nextAttemptAt != nil }, { $0 })
        await bench.server.drop()
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.nextAttempt()
        await bench.state { $0 == .online }
        #expect(await bench.server.state.sends.count == 1)
        #expect(try await bench.store.outboxHeads().first?.isHeld == true)
        await bench.stop()
    }

    @Test("While sockets are refused everything leaves by REST")
    func restRoute() async throws {
        let bench = try await EngineBench()
        await bench.server.set { server in
            server.connectError = ClientError(.refused(code: "FORBIDDEN"), "no sockets here", status: 403)
        }
        try await bench.write((1...3).map { Samples.draft($0) })
        await bench.engine.start()
        try await bench.untilOutboxEmpty()
        let state = await bench.server.state
        #expect(state.sends.isEmpty)
        #expect(state.calls == ["send own 1", "send own 2", "send own 3"])
        #expect(try await bench.items().map(\.status) == [.sent, .sent, .sent])
        await bench.stop()
    }

    @Test("Every kind of action reaches its call")
    func everyKind() async throws {
        let bench = try await EngineBench()
        let (store, now) = (bench.store, bench.clock.now)
        await bench.server.receive(isHeard: false)
        let carl = Samples.user(ID("019a0000-0000-7000-8000-00000000000d"), name: "Carl")
        let dora = Samples.user(ID("019a0000-0000-7000-8000-00000000000e"), name: "Dora")
        await bench.online()
        _ = try await store.apply(
            [
                .request(Samples.request(from: carl.id, to: Samples.anna, 3)),
                .request(Samples.request(from: dora.id, to: Samples.anna, 4)),
            ], at: now)
        try await store.edit(EditSettings(archived: true), of: Samples.chat, at: now)
        _ = try await store.edit(EditProfile(about: "new"), at: now)
        try await store.acceptFriendRequest(from: carl.id, at: now)
        try await store.declineFriendRequest(from: dora.id, at: now)
        try await store.removeFriend(Samples.ben, at: now)
        try await store.block(Samples.ben, at: now)
        await bench.engine.outbox.drain()
        try await bench.untilOutboxEmpty()
        try await store.unblock(Samples.ben, at: now)
        try await store.sendFriendRequest(to: Samples.user(Samples.ben), at: now)
        await bench.engine.outbox.drain()
        try await bench.untilOutboxEmpty()
        try await store.cancelFriendRequest(to: Samples.ben, at: now)
        await bench.engine.outbox.drain()
        try await bench.untilOutboxEmpty()
        let calls = Set(await bench.server.state.calls)
        #expect(
            calls.isSuperset(of: [
                "settings", "profile", "accept", "decline", "remove", "block", "unblock", "request", "cancel",
            ]))
        #expect(try await store.read { try $0.profile()?.about } == "new")
        #expect(try await store.read { try $0.requests() }.isEmpty)
        await bench.stop()
    }

    @Test("An edit's verdict is told: saved, refused, or waiting")
    func verdicts() async throws {
        let bench = try await EngineBench()
        let outbox = bench.engine.outbox
        let offline = try #require(try await bench.store.edit(EditProfile(about: "one"), at: bench.clock.now))
        #expect(await outbox.verdict(of: offline) == .waiting)
        await bench.online()
        try await bench.untilOutboxEmpty()
        #expect(await outbox.verdict(of: offline) == .done)

        await bench.server.set { server in
            server.callErrors = [ClientError(.refused(code: "USERNAME_TAKEN"), "taken", status: 409)]
        }
        let refused = try #require(
            try await bench.store.edit(EditProfile(username: "ben"), at: bench.clock.now))
        async let verdict = outbox.verdict(of: refused)
        await outbox.drain()
        #expect(await verdict == .failed(FailureReason(code: "USERNAME_TAKEN")))
        #expect(try await bench.store.read { try $0.profile()?.username } == "anna")
        await bench.stop()
    }
}
