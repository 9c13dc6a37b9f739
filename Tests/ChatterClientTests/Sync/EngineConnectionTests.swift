import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("The connection around the engine", .timeLimit(.minutes(5)))
struct EngineConnectionTests {
    // Field case 57
    @Test("What a former connection still says is not heard")
    func staleFrames() async throws {
        let bench = try await EngineBench()
        await bench.online()
        let old = try #require(await bench.server.links.last)
        await bench.server.drop()
        await bench.state { if case .offline = $0 { true } else { false } }
        old.push(ServerFrame(.messageNew(Samples.message(9))))
        await bench.nextAttempt()
        await bench.state { $0 == .online }
        await bench.server.receive()
        try await bench.untilSeqs(1...1)
        #expect(await bench.server.state.openLinks == 1)
        await bench.stop()
    }

    // Field case 57
    @Test("Many reasons to connect at once make one socket")
    func oneSocket() async throws {
        let bench = try await EngineBench()
        async let start: Void = bench.engine.start()
        async let foreground: Void = bench.engine.foreground()
        async let network: Void = bench.engine.networkChanged(true)
        async let again: Void = bench.engine.start()
        _ = await (start, foreground, network, again)
        await bench.state { $0 == .online }
        #expect(await bench.server.state.connects == 1)
        #expect(await bench.server.state.openLinks == 1)
        await bench.stop()
    }

    // Field case 51
    @Test("A handshake answered 401 refreshes the token once and connects")
    func refreshes() async throws {
        let bench = try await EngineBench()
        await bench.server.set { $0.connectError = ClientError(.unauthorised, "expired", status: 401) }
        await bench.engine.start()
        await bench.server.until { $0.refreshes == 1 }
        await bench.server.set { $0.connectError = nil }
        bench.clock.advance(by: .seconds(2))
        await bench.state { $0 == .online }
        #expect(bench.signOuts.value == 0)
        await bench.stop()
    }

    @Test("A refused refresh signs out; nothing that waits is lost")
    func signsOut() async throws {
        let bench = try await EngineBench()
        await bench.online()
        try await bench.write([Samples.draft(1)])
        await bench.server.set { $0.refreshError = ClientError(.signedOut, "refused", status: 401) }
        await bench.server.drop(.signedOut)
        for await count in bench.signOuts.stream() where count == 1 { break }
        await bench.state { $0 == .offline(.signedOut, retryAt: nil) }
        #expect(try await bench.items().map(\.status) == [.pending])
        await bench.stop()
    }

    // Field case 56
    @Test("A message on a path that died is acked on the next one, once")
    func pathDies() async throws {
        let bench = try await EngineBench()
        await bench.engine.networkChanged(true)
        await bench.online()
        await bench.server.set { $0.sendAnswers = [.lose] }
        try await bench.send(Samples.draft(1))
        await bench.server.until { $0.sends.count == 1 }
        let began = bench.clock.monotonic
        // The old path swallows everything, the probe too.
        await bench.server.set { $0.links.last?.mute() }
        await bench.engine.networkChanged(true)
        bench.clock.advance(by: ConnectionMachine.probeTimeout)
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.nextAttempt()
        try await bench.untilOutboxEmpty()
        #expect(bench.clock.monotonic - began < .seconds(5))
        #expect(await bench.server.state.model[Samples.chat].messages.count == 1)
        #expect(try await bench.items().map(\.status) == [.sent])
        await bench.stop()
    }

    @Test("When the database refuses a write the connection is given up, and everything comes again")
    func storageFails() async throws {
        let bench = try await EngineBench()
        await bench.online()
        try await bench.store.write { context in
            try context.database.execute(
                script: """
                    CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(FAIL, 'disk full'); END
                    """)
        }
        await bench.server.receive()
        await bench.state { if case .offline = $0 { true } else { false } }
        #expect(bench.problems.value.count == 1)
        #expect(await bench.server.state.delivered.isEmpty)
        try await bench.store.write { try $0.database.execute(script: "DROP TRIGGER full") }
        await bench.nextAttempt()
        try await bench.untilSeqs(1...1)
        await bench.server.until { $0.delivered == [1] }
        await bench.stop()
    }

    // Field case 116
    @Test("Typing ends by itself, with a message, and with the connection")
    func typing() async throws {
        let bench = try await EngineBench()
        await bench.online()
        let typing = ServerEvent.typing(
            Typing(conversationID: Samples.chat, userID: Samples.ben, isTyping: true))
        func typists(_ test: (Int) -> Bool) async {
            for await live in bench.engine.live.stream() where test(live.typing[Samples.chat]?.count ?? 0) {
                return
            }
        }
        await bench.server.push(typing)
        await typists { $0 == 1 }
        bench.clock.advance(by: .seconds(6))
        await typists { $0 == 0 }
        await bench.server.push(typing)
        await typists { $0 == 1 }
        await bench.server.receive()
        await typists { $0 == 0 }
        await bench.server.push(typing)
        await typists { $0 == 1 }
        await bench.server.drop()
        await typists { $0 == 0 }
        await bench.stop()
    }

    @Test("Own typing is told, and its end when the keys fall silent")
    func ownTyping() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.engine.setTyping(Samples.chat, true)
        await bench.engine.setTyping(Samples.chat, true)
        await bench.server.until { $0.typing == ["typing.start"] }
        bench.clock.advance(by: TypingTracker.idle)
        await bench.server.until { $0.typing == ["typing.start", "typing.stop"] }
        await bench.stop()
    }

    @Test("Presence comes with the friends and by events, and is forgotten with the connection")
    func presence() async throws {
        let bench = try await EngineBench()
        await bench.online()
        for await live in bench.engine.live.stream() where live.presences[Samples.ben]?.online == true {
            break
        }
        await bench.server.push(
            .presenceUpdated(
                Presence(
                    userID: Samples.ben, online: false, lastSeenAt: Samples.noon.advanced(by: .seconds(9)),
                    at: Samples.noon.advanced(by: .seconds(10)))))
        for await live in bench.engine.live.stream() where live.presences[Samples.ben]?.online == false {
            break
        }
        try await bench.until({ try $0.friends().first?.presence?.lastSeenAt }) {
            $0 == Samples.noon.advanced(by: .seconds(9))
        }
        await bench.stop()
    }
}
