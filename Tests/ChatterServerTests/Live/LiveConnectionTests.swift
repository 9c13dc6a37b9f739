import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("Live connections", .timeLimit(.minutes(5)))
struct LiveConnectionTests {
    let server: TestServer
    let device: TestDevice

    init() async throws {
        server = try await TestServer()
        device = try await server.signIn(phone: server.newPhone())
    }

    @Test("The first frame is session.ready, with who and when")
    func ready() throws {
        let connection = try device.connect()
        guard case .sessionReady(let ready)? = connection.events.first else {
            Issue.record("not greeted")
            return
        }
        #expect(ready.userID == device.user && ready.deviceID == device.device)
        #expect(ready.serverTime == server.clock.now)
        #expect(ready.epoch.rawValue.count == 32)
        #expect(connection.events.count == 1)
    }

    @Test("A ping is answered with pong and its id")
    func ping() async throws {
        let connection = try device.connect()
        let frames = try await connection.exchange(.ping, id: "p1")
        #expect(frames == [ServerFrame(.pong, id: "p1")])
    }

    @Test("A frame of an unknown type is ignored: newer clients are not punished")
    func unknownType() async throws {
        let connection = try device.connect()
        _ = connection.take()
        for _ in 0..<50 { connection.send(text: #"{"type":"reaction.set","data":{"emoji":"👍"}}"#) }
        #expect(connection.take().isEmpty)
        #expect(connection.closeCode == nil)
    }

    @Test(
        "A malformed frame is answered with an error and changes nothing",
        arguments: [
            "", "{", "[]", "null", #""ping""#, "{}", #"{"type":7}"#, #"{"type":"message.send"}"#,
            #"{"type":"message.send","data":{"clientMessageId":"not a uuid"}}"#,
            #"{"type":"ping","id":7}"#, #"{"type":"receipt.read","data":{"conversationId":"c","seq":"9"}}"#,
        ])
    func malformed(_ text: String) throws {
        let connection = try device.connect()
        _ = connection.take()
        connection.send(text: text)
        guard case .error(let error)? = connection.take().first else {
            Issue.record("no error for \(text)")
            return
        }
        #expect(error.code == "VALIDATION_FAILED")
        #expect(connection.closeCode == nil)
    }

    @Test(
        "The error to a malformed frame carries the ids that could be read, so that its sender need not wait")
    func malformedWithIDs() throws {
        let connection = try device.connect()
        let id = "0193a1b2-0000-7000-8000-000000000001"
        let cases: [(String, String?, String?)] = [
            (#"{"type":"message.send","id":"a","data":{"clientMessageId":"\#(id)","body":7}}"#, "a", id),
            (#"{"data":{"clientMessageId":"nonsense"},"id":"b","type":"message.send"}"#, "b", nil),
            (#"{"type":"message.send","id":"c","data":[]}"#, "c", nil),
            (#"{"type":"message.send","id":7,"data":{"clientMessageId":"\#(id)"}}"#, nil, id),
            (#"{"type":"receipt.read","id":"d"}"#, "d", nil),
            (#"{"type":7,"id":"e","data":{}}"#, "e", nil),
            (#"{"type":"receipt.read","id":"f","data":{"clientMessageId":"\#(id)"}}"#, "f", nil),
            (#"{"type":"ping","id":"\#(String(repeating: "x", count: 65))"}"#, nil, nil),
            (#"{"id":"g""#, nil, nil),
        ]
        for (text, frameID, messageID) in cases {
            _ = connection.take()
            connection.send(text: text)
            let frame = try #require(connection.frames.last)
            guard case .error(let error) = frame.event else {
                Issue.record("no error for \(text)")
                continue
            }
            #expect(error.code == "VALIDATION_FAILED")
            #expect(frame.id == frameID && error.clientMessageID?.rawValue == messageID, "\(text)")
        }
    }

    @Test("The tenth malformed frame in a row closes the socket with 4002; a good one starts the count anew")
    func malformedInARow() throws {
        let connection = try device.connect()
        for _ in 0..<9 { connection.send(text: "nonsense") }
        try connection.send(.ping)
        for _ in 0..<9 { connection.send(text: "nonsense") }
        #expect(connection.closeCode == nil)
        connection.send(text: "nonsense")
        #expect(connection.closeCode == .malformed)
    }

    @Test("Binary frames and overlong ids are malformed")
    func binaryAndLongIDs() throws {
        let connection = try device.connect()
        _ = connection.take()
        connection.send(bytes: Array(#"{"type":"ping"}"#.utf8), isText: false)
        try connection.send(.ping, id: String(repeating: "x", count: 65))
        try connection.send(.ping, id: String(repeating: "x", count: 64))
        let events = connection.take()
        #expect(events.count == 3 && events.last == .pong)
        #expect(events.prefix(2).allSatisfy { if case .error = $0 { true } else { false } })
    }

    @Test("Signing the device out closes its sockets with 4003 at once, and only its own")
    func signOut() async throws {
        let other = try await server.signIn(phone: device.phone)
        let (mine, theirs) = (try device.connect(), try other.connect())
        _ = theirs.take()
        _ = try await other.call(Routes.signOutDevice, ["id": device.device.rawValue])
        #expect(mine.closeCode == .signedOut)
        #expect(theirs.closeCode == nil)
        #expect(theirs.take() == [.syncChanged])
        await refused(.tokenInvalid) { try await device.call(Routes.devices) }
        #expect(throws: APIError.self) { try device.connect() }
        #expect(try await other.call(Routes.devices).items.map(\.id) == [other.device])
    }

    @Test("Logging out closes the socket and ends the tokens")
    func logOut() async throws {
        let connection = try device.connect()
        _ = try await device.call(Routes.logOut)
        #expect(connection.closeCode == .signedOut)
        await refused(.tokenInvalid) { try await device.call(Routes.devices) }
        await refused(.refreshRejected) {
            try await server.anonymous.call(
                Routes.refresh, body: RefreshTokens(refreshToken: device.refreshToken))
        }
    }

    @Test("A device of somebody else cannot be signed out, nor found")
    func foreignDevice() async throws {
        let stranger = try await server.signIn(phone: server.newPhone())
        let connection = try device.connect()
        await refused(.notFound) {
            try await stranger.call(Routes.signOutDevice, ["id": device.device.rawValue])
        }
        await refused(.notFound) { try await stranger.call(Routes.signOutDevice, ["id": "nonsense"]) }
        #expect(connection.closeCode == nil)
        _ = try await device.call(Routes.devices)
    }

    @Test("When its token ends the socket is closed with 4001, within five seconds")
    func tokenExpiry() throws {
        let connection = try device.connect()
        server.clock.advance(by: .seconds(3599))
        #expect(connection.closeCode == nil)
        server.clock.advance(by: .seconds(6))
        #expect(connection.closeCode == .tokenExpired)
    }

    @Test("The list of devices says when each was last connected")
    func lastSeen() async throws {
        server.clock.advance(by: .seconds(60))
        let connection = try device.connect()
        await server.settle()
        server.clock.advance(by: .seconds(60))
        let opened = try await device.call(Routes.devices).items[0]
        #expect(opened.lastSeenAt == opened.createdAt.advanced(by: .seconds(60)))
        connection.disconnect()
        await server.settle()
        let closed = try await device.call(Routes.devices).items[0]
        #expect(closed.lastSeenAt == opened.createdAt.advanced(by: .seconds(120)))
        #expect(closed.isCurrent)
    }

    @Test("Stopping closes with 4012 and admits nobody")
    func stop() async throws {
        let connection = try device.connect()
        await server.stop()
        #expect(connection.closeCode == .restarting)
        let error = #expect(throws: APIError.self) { try device.connect() }
        #expect(error?.code == .unavailable && error?.retryAfter != nil)
    }

    @Test(
        "A socket refused after its handshake is closed for its reason: only a dead device is signed out",
        arguments: [
            (APIError(.tokenExpired, ""), CloseCode.tokenExpired), (APIError(.tokenInvalid, ""), .signedOut),
            (APIError(.clientKeyInvalid, ""), .signedOut), (APIError(.unavailable, ""), .restarting),
            (APIError(.internalError, ""), .restarting),
        ])
    func closeCodes(_ error: APIError, _ code: CloseCode) {
        #expect(LiveSessions.closeCode(for: error) == code)
        #expect(LiveSessions.closeCode(for: CancellationError()) == .restarting)
    }

    @Test("What was queued when the server was told to stop is still answered, before the socket is closed")
    func drain() async throws {
        let connection = try device.connect()
        let storage = server.server.services.storage
        let gate = Gate()
        storage.enqueue { _ in
            gate.pass()
        } failed: { _ in
        }
        await gate.reached()
        let id = connection.live.id
        storage.enqueue {
            $0.publish(.pong, id: "answer", toConnection: id)
        } failed: { _ in
        }
        let stopped = Task { await server.stop() }
        while (try? server.server.services.hub.admit()) != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        gate.open()
        await stopped.value
        #expect(connection.frames.last == ServerFrame(.pong, id: "answer"))
        #expect(connection.closeCode == .restarting)
    }

    @Test("Far above the rate, frames are refused with the time to wait, then the socket is closed with 4029")
    func flooding() async throws {
        let server = try await TestServer { $0.limitsRates = true }
        let device = try await server.signIn(phone: server.newPhone())
        let connection = try device.connect()
        for _ in 0..<600 { try connection.send(.ping) }
        #expect(connection.take().dropFirst().allSatisfy { $0 == .pong })
        try connection.send(.ping, id: "late")
        let refusal = try #require(connection.frames.last)
        guard case .error(let error) = refusal.event else {
            Issue.record("no refusal: \(refusal)")
            return
        }
        #expect(error.code == "RATE_LIMITED" && error.retryAfter == 1 && refusal.id == "late")
        #expect(connection.closeCode == nil)
        for _ in 0..<300 { try connection.send(.ping) }
        #expect(connection.closeCode == .flooding)
    }
}
