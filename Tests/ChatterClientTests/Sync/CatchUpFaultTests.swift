import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Catching up from a server that fails", .timeLimit(.minutes(5)))
struct CatchUpFaultTests {
    private func model(messages: Int) -> ServerModel {
        var model = ServerModel()
        for _ in 0..<messages { model.receive() }
        return model
    }

    private func holes(_ bench: EngineBench) async throws -> [SeqRange] {
        try await bench.store.read { try $0.holes(in: Samples.chat) }
    }

    @Test("Any number of outages is waited out, and nobody is told that all is here before it is")
    func outages() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        let outage = ClientError(.outage, "overloaded", status: 503)
        await bench.server.set { server in
            server.ignoresSync = true
            server.callErrors = Array(repeating: outage, count: 25)
            server.pageErrors = Array(repeating: outage, count: 25)
        }
        await bench.engine.start()
        await bench.passing { bench.engine.connectionState.value == .online }
        #expect(try await bench.items().compactMap(\.seq) == Array(1...30))
        await bench.stop()
    }

    @Test(
        "What the server breaks on is tried eight times, keeps the client syncing, and is wanted again later")
    func faults() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { server in
            server.garbledSeqs = [20]
            server.pageErrors = Array(repeating: ClientError(.fault, "cannot be read"), count: 8)
        }
        await bench.engine.start()
        await bench.passing { await bench.engine.plan.failed == [.messages(Samples.chat)] }
        #expect(bench.engine.connectionState.value == .syncing)
        #expect(await bench.server.state.pages.count == 8)
        #expect(try await bench.engine.isSettled() == false)
        // A new message asks for the same once more.
        await bench.server.receive()
        await bench.state { $0 == .online }
        #expect(try await bench.items().compactMap(\.seq) == Array(1...31))
        await bench.stop()
    }

    @Test("Records that the server refuses are asked for again with the next connection")
    func refusedRecords() async throws {
        let bench = try await EngineBench(model(messages: 3), held: 3)
        await bench.server.set { $0.callErrors = [ClientError(.refused(code: "SOMETHING_NEW"), "no")] }
        await bench.engine.start()
        await bench.server.until { $0.calls == ["sync"] }
        await bench.server.receive()
        try await bench.untilSeqs(1...4)
        await bench.server.until { $0.delivered.last == 4 }
        #expect(bench.engine.connectionState.value == .syncing)
        await bench.reconnect()
        await bench.state { $0 == .online }
        #expect(await bench.server.state.calls == ["sync", "sync"])
        await bench.stop()
    }

    @Test("A chat that is not there any more does not keep the client from being up to date")
    func goneChat() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { server in
            server.garbledSeqs = [20]
            server.pageErrors = [
                ClientError(.refused(code: ErrorCode.notFound.rawValue), "gone", status: 404)
            ]
        }
        await bench.online()
        #expect(await bench.server.state.pages.count == 1)
        await bench.stop()
    }

    @Test(
        "A page that brings nothing is not asked for again by itself, and a later gap is closed all the same")
    func noProgress() async throws {
        let bench = try await EngineBench(model(messages: 5), held: 5)
        try await bench.store.write { context in
            try context.database.run("UPDATE conversations SET lastChange = 999")
        }
        await bench.online()
        let asked = await bench.server.state.pages.count
        #expect(asked <= 2)
        await bench.server.receive(isHeard: false)
        await bench.server.receive()
        try await bench.untilSeqs(1...7)
        await bench.server.until { $0.delivered.last == 7 }
        try await bench.passing { try await bench.engine.isSettled() }
        #expect(await bench.server.state.pages.count <= asked + 3)
        await bench.stop()
    }

    @Test(
        "A frame of the stream that cannot be read leaves its message to be fetched, wherever it stands",
        arguments: [11, 20, 30])
    func garbledStream(seq: Int64) async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { $0.garbledSeqs = [seq] }
        await bench.online()
        #expect(try await bench.items().compactMap(\.seq) == Array(1...30))
        #expect(try await holes(bench).isEmpty)
        await bench.stop()
    }

    @Test("A stream whose old messages cannot be read does not pass for their changes")
    func garbledChanges() async throws {
        var model = model(messages: 30)
        model.edit(7, "new text")
        let bench = try await EngineBench(self.model(messages: 30), held: 30)
        let server = model
        await bench.server.set { fake in
            fake.model = server
            fake.garbledSeqs = [7]
        }
        await bench.online()
        #expect(try await bench.items()[6].body == "new text")
        await bench.stop()
    }

    // Field case 60
    @Test(
        "After an answer too large for the connection, pages bring what it held, and then streams are used again"
    )
    func tooLarge() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { server in
            server.syncDrops = 1
            server.syncDropCode = .tooLarge
        }
        try await bench.write([Samples.draft(1)])
        await bench.engine.start()
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.nextAttempt()
        try await bench.untilSeqs(1...31)
        await bench.state { $0 == .online }
        #expect(await bench.server.state.syncRequests.count == 1)
        #expect(await bench.server.state.pages.isEmpty == false)
        try await bench.untilOutboxEmpty()
        await bench.reconnect()
        await bench.state { $0 == .online }
        #expect(await bench.server.state.syncRequests.count == 2)
        await bench.stop()
    }

    // Field case 60
    @Test("Until such a repair is complete no stream is asked for, however often the connection is lost")
    func tooLargeInterrupted() async throws {
        let bench = try await EngineBench(model(messages: 30), held: 10)
        await bench.server.set { server in
            server.syncDrops = 1
            server.syncDropCode = .tooLarge
            server.pageErrors = Array(repeating: ClientError(.outage, "overloaded", status: 503), count: 3)
        }
        await bench.engine.start()
        await bench.state { if case .offline = $0 { true } else { false } }
        await bench.nextAttempt()
        for page in 1...3 {
            await bench.server.until { $0.pages.count == page }
            await bench.reconnect()
        }
        await bench.state { $0 == .online }
        #expect(try await bench.items().compactMap(\.seq) == Array(1...30))
        #expect(await bench.server.state.syncRequests.count == 1)
        await bench.stop()
    }
}
