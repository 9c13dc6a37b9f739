import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("Signing in and out", .timeLimit(.minutes(5)))
struct SessionTests {
    @Test("A new person signs in, completes the profile, and finds the session after a relaunch")
    func signUp() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.client(seed: 1)
        #expect(try await state(ann) == .signedOut(nil))
        let phone = scenario.server.newPhone()
        let me = try await ann.signIn(phone: phone)
        #expect(try await state(ann) == .profileIncomplete(me))
        let edit = EditProfile(displayName: "Ann", username: "ann")
        _ = try await ann.client.profile.edit(edit)
        let signedIn = try await ann.client.session.first("signed in") {
            if case .signedIn = $0 { true } else { false }
        }
        try await ann.connection(is: .online)
        try await ann.relaunch()
        #expect(try await state(ann) == signedIn)
        try await ann.connection(is: .online)
        #expect(ann.network.requests.filter { $0 == "POST /v1/auth/verify" }.count == 1)
        await scenario.stop(ann)
    }

    @Test("A wrong code is told, and nobody is signed in")
    func wrongCode() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.client(seed: 1)
        let phone = scenario.server.newPhone()
        _ = try await ann.client.auth.requestCode(phone: phone)
        let error = await clientError { () throws(ClientError) in
            try await ann.client.auth.verify(phone: phone, code: "123456")
        }
        #expect(error?.code == .codeInvalid)
        #expect(try await state(ann) == .signedOut(nil))
        #expect(ann.secrets.isEmpty)
        await scenario.stop(ann)
    }

    @Test("A username that is taken is told at once and can be replaced")
    func usernameTaken() async throws {
        let scenario = try await Scenario()
        _ = try await scenario.server.signUp("ann")
        let other = try await scenario.client(seed: 1)
        try await other.signIn(phone: scenario.server.newPhone())
        let taken = await clientError { () throws(ClientError) in
            try await other.client.profile.edit(EditProfile(displayName: "Ann", username: "Ann"))
        }
        #expect(taken?.code == .usernameTaken)
        _ = try await other.client.profile.edit(EditProfile(displayName: "Ann", username: "ann2"))
        try await other.connection(is: .online)
        // With a complete profile the edit goes through the outbox; its refusal is told all the same.
        let again = await clientError { () throws(ClientError) in
            try await other.client.profile.edit(EditProfile(username: "ann"))
        }
        #expect(again?.code == .usernameTaken)
        let me = try await other.client.profile.me().first("profile") { _ in true }
        #expect(me.username == "ann2")
        #expect(try await other.client.outbox.items().first("outbox") { _ in true }.isEmpty)
        await scenario.stop(other)
    }

    // Field case 68
    @Test("Log-out wipes database and tokens and ends the session on the server")
    func logOut() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let me = try await ann.client.profile.me().first("profile") { _ in true }
        try await ann.client.auth.logOut()
        #expect(try await state(ann) == .signedOut(nil))
        #expect(ann.secrets.isEmpty)
        #expect(accounts(ann).isEmpty)
        #expect(ann.network.requests.last == "POST /v1/auth/logout")
        let error = await clientError { () throws(ClientError) in try await ann.client.devices.list() }
        #expect(error?.kind == .signedOut)
        // The same person again: everything comes back from the server.
        let again = try await ann.signIn(phone: me.phone)
        #expect(again.id == me.id)
        #expect(try await ann.client.devices.list().count == 1)
        await scenario.stop(ann)
    }

    @Test("Log-out without a connection wipes at once and tells the server later, also after a relaunch")
    func logOutOffline() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let session = try #require(try await ann.secrets.session())
        ann.goOffline()
        try await ann.client.auth.logOut()
        #expect(try await state(ann) == .signedOut(nil))
        #expect(accounts(ann).isEmpty)
        #expect(try await ann.secrets.session() == nil)
        try await ann.relaunch(start: false)
        #expect(try await state(ann) == .signedOut(nil))
        ann.goOnline()
        await ann.client.start()
        await waitUntil { ann.secrets.isEmpty }
        let caller = TestCaller(
            server: scenario.server.server, clientKey: scenario.server.clientKey,
            accessToken: session.accessToken)
        await #expect(throws: APIError.self) { _ = try await caller.call(Routes.me) }
        await scenario.stop(ann)
    }

    @Test("Somebody else who signs in finds nothing of the former account")
    func nextAccount() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let me = try await ann.client.profile.me().first("profile") { _ in true }
        try await endFromElsewhere(ann, scenario)
        #expect(accounts(ann) == [me.id.rawValue])
        let bob = try await ann.signIn(phone: scenario.server.newPhone(), username: "bob")
        #expect(accounts(ann) == [bob.id.rawValue])
        #expect(try await ann.client.profile.me().first("profile") { _ in true }.id == bob.id)
        await scenario.stop(ann)
    }

    @Test("Signed out from another device: told why, also after a relaunch, and the database waits")
    func signedOutElsewhere() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let me = try await ann.client.profile.me().first("profile") { _ in true }
        try await endFromElsewhere(ann, scenario)
        #expect(try await ann.secrets.session() == nil)
        try await ann.relaunch()
        #expect(try await state(ann) == .signedOut(.refreshRefused))
        #expect(accounts(ann) == [me.id.rawValue])
        try await ann.signIn(phone: me.phone)
        try await ann.connection(is: .online)
        try await ann.relaunch()
        #expect(try await ann.client.session.first("state") { _ in true } == .signedIn(me))
        await scenario.stop(ann)
    }

    // Field case 68
    @Test("A deleted account leaves nothing here and nothing to sign in to")
    func deleteAccount() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let me = try await ann.client.profile.me().first("profile") { _ in true }
        try await ann.client.auth.deleteAccount()
        #expect(try await state(ann) == .signedOut(.accountDeleted))
        #expect(ann.secrets.isEmpty)
        #expect(accounts(ann).isEmpty)
        let next = try await ann.signIn(phone: me.phone)
        #expect(next.id != me.id)
        await scenario.stop(ann)
    }

    @Test("Without a connection an account is not deleted, and stays as it is")
    func deleteOffline() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let before = try await state(ann)
        ann.goOffline()
        let error = await clientError { () throws(ClientError) in try await ann.client.auth.deleteAccount() }
        #expect(error?.kind == .outage)
        #expect(try await state(ann) == before)
        // Noticed first: only a new session tells that the account lives.
        _ = try await ann.client.connection.first("offline") { if case .offline = $0 { true } else { false } }
        ann.goOnline()
        try await ann.connection(is: .online)
        await waitUntil { !ann.has("ending.json") }
        #expect(try await state(ann) == before)
        await scenario.stop(ann)
    }

    @Test("A deletion whose answer was lost is finished when the refresh is refused")
    func deletionAnswerLost() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        ann.network.loseAnswers(1)
        let error = await clientError { () throws(ClientError) in try await ann.client.auth.deleteAccount() }
        #expect(error?.kind == .outage || error == nil)
        _ = try await ann.client.session.first("signed out") { $0 == .signedOut(.accountDeleted) }
        await waitUntil { accounts(ann).isEmpty && ann.secrets.isEmpty }
        await scenario.stop(ann)
    }

    // MARK: - What the tests do

    /// Another device of the same person signs this one out.
    private func endFromElsewhere(_ client: TestClient, _ scenario: Scenario) async throws {
        let me = try await client.client.profile.me().first("profile") { _ in true }
        let session = try #require(try await client.secrets.session())
        let other = try await scenario.server.signIn(phone: me.phone, name: "other")
        _ = try await other.call(Routes.signOutDevice, ["id": session.deviceID.rawValue])
        _ = try await client.client.session.first("signed out") { $0 == .signedOut(.refreshRefused) }
        await waitUntil { client.secrets.isEmpty }
    }

    private func state(_ client: TestClient) async throws -> SessionState {
        try await client.client.session.first("state") { _ in true }
    }

    private func accounts(_ client: TestClient) -> [String] { client.accounts }

    /// For what no stream tells.
    private func waitUntil(_ condition: @Sendable () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }
}

extension TestClient {
    fileprivate func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directory.file("profile/\(name)").path)
    }
}
