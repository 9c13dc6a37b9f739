import ChatterModel
import ChatterServer
import ChatterTestSupport
import Testing

@Suite("Signing in", .timeLimit(.minutes(5)))
struct SignInTests {
    @Test("A new number becomes an account without a profile")
    func newAccount() async throws {
        let server = try await TestServer()
        let caller = server.anonymous
        let requested = try await caller.call(
            Routes.requestCode, body: RequestCode(phone: "+1 (415) 555-2671"))
        #expect(requested == CodeRequested(phone: "+14155552671", expiresIn: 600))
        let signedIn = try await caller.call(Routes.verifyCode, body: verify("+14155552671", "000000"))
        #expect(signedIn.isNewUser)
        #expect(signedIn.expiresIn == 3600)
        #expect(signedIn.user.phone == "+14155552671")
        #expect(!signedIn.user.profileComplete)
        await server.stop()
    }

    @Test("The same number signs in to the same account, from every spelling")
    func sameAccount() async throws {
        let server = try await TestServer()
        let first = try await server.signIn(phone: "+447700900123")
        for spelling in ["+44 07700 900123", "0044 7700 900123", "+44(0)7700-900123"] {
            let again = try await server.signIn(phone: spelling)
            #expect(again.user == first.user)
            #expect(again.device != first.device)
        }
        await server.stop()
    }

    @Test("A wrong code is CODE_INVALID; after five the right one no longer opens either")
    func attempts() async throws {
        let server = try await TestServer()
        let caller = server.anonymous
        let phone = server.newPhone()
        _ = try await caller.call(Routes.requestCode, body: RequestCode(phone: phone))
        for _ in 1...5 {
            await refused(.codeInvalid) {
                try await caller.call(Routes.verifyCode, body: verify(phone, "123456"))
            }
        }
        await refused(.codeExpired) {
            try await caller.call(Routes.verifyCode, body: verify(phone, "000000"))
        }
        // A fresh code has fresh attempts.
        let device = try await server.signIn(phone: phone)
        #expect(device.phone == phone)
        await server.stop()
    }

    @Test("A code holds for ten minutes and opens once")
    func lifetime() async throws {
        let server = try await TestServer()
        let caller = server.anonymous
        let phone = server.newPhone()
        _ = try await caller.call(Routes.requestCode, body: RequestCode(phone: phone))
        server.clock.advance(by: .seconds(600))
        await refused(.codeExpired) {
            try await caller.call(Routes.verifyCode, body: verify(phone, "000000"))
        }
        _ = try await caller.call(Routes.requestCode, body: RequestCode(phone: phone))
        server.clock.advance(by: .seconds(599))
        _ = try await caller.call(Routes.verifyCode, body: verify(phone, "000000"))
        await refused(.codeExpired) {
            try await caller.call(Routes.verifyCode, body: verify(phone, "000000"))
        }
        await server.stop()
    }

    @Test("Without a request there is no code to verify")
    func unrequested() async throws {
        let server = try await TestServer()
        await refused(.codeExpired) {
            try await server.anonymous.call(Routes.verifyCode, body: verify(server.newPhone(), "000000"))
        }
        await server.stop()
    }

    @Test("Outside challenge mode the sender gets a random code, and only it opens")
    func realCode() async throws {
        let sender = RecordingSender()
        let server = try await TestServer(codeSender: sender) { $0.isChallengeMode = false }
        let phone = server.newPhone()
        _ = try await server.anonymous.call(Routes.requestCode, body: RequestCode(phone: phone))
        _ = try await server.anonymous.call(Routes.requestCode, body: RequestCode(phone: phone))
        let sent = sender.sent
        #expect(sent.map(\.phone) == [phone, phone])
        #expect(
            sent.allSatisfy { $0.code.count == 6 && $0.code.allSatisfy(\.isASCII) && Int($0.code) != nil })
        let wrong = sent[1].code == "000000" ? "000001" : "000000"
        await refused(.codeInvalid) {
            try await server.anonymous.call(Routes.verifyCode, body: verify(phone, wrong))
        }
        _ = try await server.anonymous.call(Routes.verifyCode, body: verify(phone, sent[1].code))
        await server.stop()
    }

    @Test("A made-up number signs in where codes are made up too, and is refused where real ones are sent")
    func madeUpNumber() async throws {
        let request = RequestCode(phone: "+1 555 000 0001")
        let challenge = try await TestServer()
        #expect(
            try await challenge.anonymous.call(Routes.requestCode, body: request).phone == "+15550000001")
        await challenge.stop()
        let sender = RecordingSender()
        let real = try await TestServer(codeSender: sender) { $0.isChallengeMode = false }
        await refused(.validationFailed) {
            try await real.anonymous.call(Routes.requestCode, body: request)
        }
        #expect(sender.sent.isEmpty)
        await real.stop()
    }

    @Test("A code that could not be sent is UNAVAILABLE, to be tried again")
    func senderFails() async throws {
        let server = try await TestServer(codeSender: FailingSender()) { $0.isChallengeMode = false }
        let error = await #expect(throws: APIError.self) {
            try await server.anonymous.call(Routes.requestCode, body: RequestCode(phone: server.newPhone()))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.retryAfter != nil)
        await server.stop()
    }

    @Test("A device's name is cleaned, and refused when nothing of it shows")
    func deviceNames() async throws {
        let server = try await TestServer()
        let phone = server.newPhone()
        let device = try await server.signIn(phone: phone, name: "Ann\u{202E}'s   phone")
        let devices = try await device.call(Routes.devices)
        #expect(devices.items.map(\.name) == ["Ann's phone"])
        await refused(.validationFailed) {
            try await server.signIn(phone: phone, name: "\u{200B}")
        }
        await server.stop()
    }
}

private func verify(_ phone: String, _ code: String) -> VerifyCode {
    VerifyCode(phone: phone, code: code, device: DeviceDescription(name: "test", platform: "test"))
}
