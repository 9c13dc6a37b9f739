import ChatterModel
import ChatterTestSupport
import Foundation
import Synchronization
import Testing

@testable import ChatterClient

@Suite("A session ends, whatever comes between", .timeLimit(.minutes(5)))
struct EndingTests {
    private static let diskFailure = ClientError(.storage(isTransient: true), "disk full")

    @Test(
        "A log-out that fails at any step leaves the person signed in as before, or is finished by the next launch",
        arguments: 0..<8)
    func interruptedLogOut(step: Int) async throws {
        let scene = try await ChatScene()
        let phone = try await scene.ann.phone
        let session = try #require(try await scene.ann.secrets.session())
        try await scene.ann.client.conversations.setDraft("secret plans", in: scene.chat)
        scene.ann.secrets.fail(with: Self.diskFailure, after: step)
        let error = await clientError { () throws(ClientError) in try await scene.ann.client.auth.logOut() }
        scene.ann.secrets.fail(with: nil)
        // Signed out for this launch, whether or not the disk followed.
        let state = try await scene.ann.client.session.first("state") { _ in true }
        #expect(state == .signedOut(nil), "\(String(describing: error))")

        try await scene.ann.relaunch()
        #expect(try await scene.ann.client.session.first("state") { _ in true } == .signedOut(nil))
        #expect(scene.ann.accounts.isEmpty)
        await scene.ann.waitUntil { $0.secrets.isEmpty }
        let caller = TestCaller(
            server: scene.scenario.server.server, clientKey: scene.scenario.server.clientKey,
            accessToken: session.accessToken)
        await #expect(throws: APIError.self) { _ = try await caller.call(Routes.me) }

        try await scene.ann.signIn(phone: phone)
        try await scene.ann.chatItem(scene.chat) { $0.draft == nil }
        await scene.stop()
    }

    @Test("A failed log-out does not keep the next person from signing in, nor shows them anything")
    func signInAfterFailure() async throws {
        let scene = try await ChatScene()
        scene.ann.secrets.fail(with: Self.diskFailure)
        _ = await clientError { () throws(ClientError) in try await scene.ann.client.auth.logOut() }
        scene.ann.secrets.fail(with: nil)
        let next = try await scene.ann.signIn(phone: scene.scenario.server.newPhone(), username: "dora")
        #expect(scene.ann.accounts == [next.id.rawValue])
        try await scene.ann.connection(is: .online)
        #expect(try await scene.ann.client.conversations.chats().first("chats") { _ in true }.isEmpty)
        await scene.stop()
    }

    @Test("A refused refresh loses nothing: the same person signs in again, and the outbox goes on")
    func samePerson() async throws {
        let scene = try await ChatScene()
        try await scene.ann.say("read me later", in: scene.chat)
        try await scene.bob.sees(["read me later"], in: scene.chat)
        scene.ann.goOffline()
        try await scene.ann.say("written before", in: scene.chat)
        try await scene.ann.client.conversations.setDraft("half a thought", in: scene.chat)
        let phone = try await scene.ann.phone
        try await signOutFromElsewhere(scene)

        try await scene.ann.signIn(phone: phone)
        #expect(try await scene.ann.client.conversations.draft(in: scene.chat) == "half a thought")
        try await scene.bob.sees(["read me later", "written before"], in: scene.chat)
        await scene.stop()
    }

    @Test("A crash right after the new session is stored leaves the person signed in")
    func crashAfterSignIn() async throws {
        let scene = try await ChatScene()
        let (phone, id) = (try await scene.ann.phone, try await scene.ann.id)
        try await signOutFromElsewhere(scene)
        let ending = scene.ann.directory.file("profile/ending.json")
        let atCrash = Mutex<Data?>(nil)
        scene.ann.secrets.onWrite { _ in
            atCrash.withLock { $0 = FileManager.default.contents(atPath: ending.path) }
        }
        try await scene.ann.signIn(phone: phone)
        scene.ann.secrets.onWrite(nil)
        await scene.ann.client.close()
        // The disk as it was at that moment.
        try atCrash.withLock { $0 }?.write(to: ending)
        try await scene.ann.relaunch()
        guard case .signedIn(let me) = try await scene.ann.client.session.first("state", { _ in true }) else {
            Issue.record("signed out")
            return
        }
        #expect(me.id == id)
        await scene.stop()
    }

    @Test(
        "A sign-in that fails at any step after a refused session can be done again, and the outbox goes on",
        arguments: 0..<3)
    func interruptedSignIn(step: Int) async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        try await scene.ann.say("written before", in: scene.chat)
        let phone = try await scene.ann.phone
        try await signOutFromElsewhere(scene)
        _ = try await scene.ann.client.auth.requestCode(phone: phone)
        scene.ann.secrets.fail(with: Self.diskFailure, after: step)
        let error = await clientError { () throws(ClientError) in
            try await scene.ann.client.auth.verify(phone: phone, code: "000000")
        }
        scene.ann.secrets.fail(with: nil)
        #expect((error != nil) == (step < 2))
        try await scene.ann.relaunch()
        let state = try await scene.ann.client.session.first("state") { _ in true }
        switch state {
        case .signedIn: #expect(step == 2)
        case .signedOut: try await scene.ann.signIn(phone: phone)
        case .profileIncomplete: Issue.record("the profile is gone")
        }
        try await scene.bob.sees(["written before"], in: scene.chat)
        await scene.stop()
    }

    // Field case 68
    @Test("Somebody else signs in: nothing of the former account is there, and nothing is sent in their name")
    func anotherPerson() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        try await scene.ann.say("for Bob's eyes", in: scene.chat)
        try await scene.ann.client.conversations.setDraft("half a thought", in: scene.chat)
        let former = try await scene.ann.id
        try await signOutFromElsewhere(scene)
        #expect(scene.ann.accounts == [former.rawValue])

        let dora = try await scene.ann.signIn(phone: scene.scenario.server.newPhone(), username: "dora")
        try await scene.ann.connection(is: .online)
        try await scene.ann.settle()
        #expect(scene.ann.accounts == [dora.id.rawValue])
        #expect(try await scene.ann.client.conversations.chats().first("chats") { _ in true }.isEmpty)
        #expect(try await scene.ann.client.friends.friends().first("friends") { _ in true }.isEmpty)
        #expect(try await scene.ann.client.outbox.items().first("outbox") { _ in true }.isEmpty)
        let unknown = await clientError { () throws(ClientError) in
            try await scene.ann.client.messages.send("x", in: scene.chat)
        }
        #expect(unknown?.kind == .notFound)
        #expect(try await scene.bob.conversation(scene.chat) { _ in true }.items.isEmpty)
        // The former account's device ends with it.
        await scene.stop()
    }

    @Test("An open stream ends with the session, and a new one belongs to the next")
    func streams() async throws {
        let scene = try await ChatScene()
        let chats = scene.ann.client.conversations.chats()
        let content = scene.ann.client.messages.conversation(scene.chat)
        let watching = Task {
            for await _ in chats {}
            for await _ in content {}
        }
        try await scene.ann.client.auth.logOut()
        await watching.value
        #expect(await scene.ann.client.conversations.chats().first { _ in true } == nil)
        await scene.stop()
    }

    @Test("Log-out does not wait for a server that does not answer")
    func silentServer() async throws {
        let scene = try await ChatScene()
        scene.ann.network.hold()
        let call = Task {
            await clientError { () throws(ClientError) in try await scene.ann.client.devices.list() }
        }
        await scene.ann.waitUntil { $0.network.heldCount > 0 }
        let out = Task { try await scene.ann.client.auth.logOut() }
        _ = try await scene.ann.client.session.first("signed out") { $0 == .signedOut(nil) }
        await scene.ann.waitUntil { $0.accounts.isEmpty }
        scene.ann.network.cut()
        scene.ann.network.release()
        try await out.value
        #expect(await call.value != nil)
        await scene.stop()
    }

    /// While the client cannot be reached; it learns of it when it comes back.
    private func signOutFromElsewhere(_ scene: ChatScene) async throws {
        let session = try #require(try await scene.ann.secrets.session())
        let other = try await scene.scenario.server.signIn(phone: try await scene.ann.phone, name: "other")
        _ = try await other.call(Routes.signOutDevice, ["id": session.deviceID.rawValue])
        scene.ann.goOnline()
        _ = try await scene.ann.client.session.first("signed out") { $0 == .signedOut(.refreshRefused) }
        await scene.ann.waitUntil { $0.secrets.isEmpty }
    }
}

extension TestClient {
    /// The directories below `accounts`.
    var accounts: [String] {
        do {
            return try FileManager.default
                .contentsOfDirectory(atPath: directory.file("profile/accounts").path).sorted()
        } catch {
            return []  // No such directory.
        }
    }

    /// For what no stream tells.
    func waitUntil(_ condition: (TestClient) -> Bool) async {
        while !condition(self), !Task.isCancelled { await Task.yield() }
    }
}
