import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@testable import ChatterServer

@Suite("Log lines", .timeLimit(.minutes(5)))
struct LogTests {
    private let clock = ServerTestClock(start: Timestamp(milliseconds: 1_790_000_000_123))
    private let fields: [(String, LogValue)] = [
        ("count", .number(3)),
        ("path", .place("/var/my data\n\"x\"")), ("id", .id("abc")),
    ]

    @Test("Text lines name time, level, event and fields; no value can break out of its line")
    func text() {
        let line = LogLines(format: .text, clock: clock).line(
            Log.Entry(level: .warning, event: "something happened", fields: fields))
        #expect(
            line
                == #"2026-09-21T14:13:20.123Z warning something happened count=3 path="/var/my data\u000a\"x\"" id=abc"#
        )
    }

    @Test("JSON lines are one object each, with the same content")
    func json() throws {
        let line = LogLines(format: .json, clock: clock).line(
            Log.Entry(level: .error, event: "something happened", fields: fields))
        #expect(!line.contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["time"] as? String == "2026-09-21T14:13:20.123Z")
        #expect(object["level"] as? String == "error" && object["event"] as? String == "something happened")
        #expect(object["count"] as? Int == 3)
        #expect(object["path"] as? String == "/var/my data\n\"x\"")
    }

    @Test("Lines below the level are not even put together")
    func levels() {
        let entries = Recorder<Log.Entry>()
        let log = Log(lowest: .warning) { entries.add($0) }
        log.info(
            "quiet",
            [
                "n": .number(
                    {
                        Issue.record("was evaluated"); return 1
                    }())
            ])
        log.warning("loud")
        log.error("louder")
        #expect(entries.values.map(\.event) == ["loud", "louder"])
    }

    @Test("An error's own words stay out: only its type, and for storage the code and SQLite's text")
    func errors() {
        struct Chatty: Error, CustomStringConvertible { let description = "+14155552671 said hello" }
        #expect(!LogLines.describe(Chatty()).contains("hello"))
        let failure = SQLiteError(
            code: 13, message: "database or disk is full", sql: "INSERT INTO messages VALUES (?)")
        #expect(LogLines.describe(failure) == "SQLite 13: database or disk is full")
    }

    @Test(
        "A whole conversation with the server at level debug leaves no phone, code, token or body in the log")
    func noSecrets() async throws {
        let lines = Recorder<String>()
        let format = LogLines(format: .text, clock: clock)
        let sender = RecordingSender()
        let server = try await TestServer(
            codeSender: sender, log: Log(lowest: .debug) { lines.add(format.line($0)) }
        ) { $0.isChallengeMode = false }
        let phone = "+14155552671"
        _ = try await server.anonymous.call(Routes.requestCode, body: RequestCode(phone: phone))
        let code = try #require(sender.sent.last?.code)
        let verify = VerifyCode(
            phone: phone, code: code, device: DeviceDescription(name: "secret name", platform: "test"))
        let signedIn = try await server.anonymous.call(Routes.verifyCode, body: verify)
        let device = TestDevice(
            server: server, phone: phone, user: signedIn.user.id, device: signedIn.deviceID,
            clientKey: server.clientKey, accessToken: signedIn.accessToken,
            refreshToken: signedIn.refreshToken)
        let connection = try device.connect()
        connection.send(text: #"{"type":"message.send","data":{"body":"secret words"}}"#)
        let pair = try await server.anonymous.call(
            Routes.refresh, body: RefreshTokens(refreshToken: device.refreshToken))
        var caller = server.anonymous
        caller.accessToken = pair.accessToken
        _ = try await caller.call(Routes.devices)
        await refused(.refreshRejected) {
            try await server.anonymous.call(
                Routes.refresh, body: RefreshTokens(refreshToken: device.refreshToken))
        }
        _ = await server.anonymous.send("POST", "/v1/auth/verify", body: Array("secret words".utf8))
        await server.stop()
        let text = lines.values.joined(separator: "\n")
        // The replay is worth a line, with the device's id.
        #expect(text.contains("refresh token replayed") && text.contains(device.device.rawValue))
        for secret in [
            phone, code, "secret", device.accessToken, device.refreshToken, pair.accessToken,
            pair.refreshToken,
        ] {
            #expect(!text.contains(secret), "the log holds \(secret)")
        }
    }

    @Test(
        "Two people chatting, failing and leaving at level debug leave no text, name, number or token in the log"
    )
    func noBodies() async throws {
        let lines = Recorder<String>()
        let format = LogLines(format: .json, clock: clock)
        let server = try await TestServer(log: Log(lowest: .debug) { lines.add(format.line($0)) })
        let alice = try await server.signUp("alice", displayName: "Secret Alice")
        let bob = try await server.signUp("bobby", displayName: "Secret Bob")
        try await alice.befriend(bob)
        let chat = try await alice.openChat(with: bob)
        let connection = try alice.connect()
        _ = try await connection.exchange(
            .messageSend(SendMessage(clientMessageID: .new(), conversationID: chat, body: "secret words")))
        let id = ClientMessageID.new()
        _ = try await alice.send("more secret words", in: chat, as: id)
        await refused(.idReused) { try await alice.send("other secret words", in: chat, as: id) }
        await refused(.validationFailed) { try await alice.send("", in: chat) }
        _ = try await alice.call(
            Routes.report, body: NewReport(userID: bob.user, reason: .spam, comment: "secret comment"))
        _ = try await alice.search("bobby")
        // A storage that refuses is logged with SQLite's words, which know no values.
        try await server.server.services.storage.write { try $0.database.run("PRAGMA max_page_count = 1") }
        await refused(.unavailable) {
            // What is free in the file takes the first of them.
            for _ in 0..<50 { _ = try await alice.send(String(repeating: "secret ", count: 500), in: chat) }
        }
        await server.stop()
        let text = lines.values.joined(separator: "\n")
        #expect(text.contains("storage refuses writes"))
        for secret in [
            "ecret", "alice", "bobby", alice.phone, bob.phone, alice.accessToken, alice.refreshToken,
        ] {
            #expect(!text.contains(secret), "the log holds \(secret)")
        }
    }

    @Test("Only the log sender writes a code, in a line of its own in either format")
    func logSender() throws {
        let text = LogLines(format: .text, clock: clock).line(
            code: "123456", phone: "+14155552671", workspace: "w")
        #expect(text == "2026-09-21T14:13:20.123Z notice  code phone=+14155552671 code=123456 workspace=w")
        let json = LogLines(format: .json, clock: clock).line(
            code: "123456", phone: "+14155552671", workspace: "w")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String])
        #expect(object["code"] == "123456" && object["phone"] == "+14155552671")
    }
}
