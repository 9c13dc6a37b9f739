import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Blocking, reporting, leaving", .timeLimit(.minutes(5)))
struct SafetyTests {
    // Field case 93
    @Test("What a blocked person writes never arrives, and an unblock does not bring it later")
    func block() async throws {
        let scene = try await ChatScene()
        let ann = try await scene.ann.id
        try await scene.ann.say("before", in: scene.chat)
        try await scene.ann.status(of: "before", is: .delivered, in: scene.chat)
        try await scene.bob.client.friends.block(ann)
        try await scene.bob.conversation(scene.chat) { $0.header.composer == .blocked }
        try await scene.bob.settle()
        try await scene.ann.say("while blocked", in: scene.chat)
        try await scene.ann.settle()
        try await scene.ann.status(of: "while blocked", is: .sent, in: scene.chat)
        #expect(
            try await scene.bob.client.friends.blocked().first("blocked") { !$0.isEmpty }.map(\.id) == [ann])

        try await scene.bob.client.friends.unblock(ann)
        _ = try await scene.bob.client.friends.blocked().first("nobody") { $0.isEmpty }
        try await scene.bob.settle()
        try await scene.ann.say("after", in: scene.chat)
        try await scene.bob.sees(["before", "after"], in: scene.chat)
        try await scene.ann.status(of: "after", is: .delivered, in: scene.chat)
        try await scene.ann.status(of: "while blocked", is: .sent, in: scene.chat)
        #expect(try await scene.bob.client.status().missingMessages == 0)
        await scene.stop()
    }

    @Test("Blocking and unblocking without a connection cancel out")
    func offlineBlock() async throws {
        let scene = try await ChatScene()
        let ann = try await scene.ann.id
        scene.bob.goOffline()
        try await scene.bob.client.friends.block(ann)
        try await scene.bob.conversation(scene.chat) { $0.header.composer == .blocked }
        try await scene.bob.client.friends.unblock(ann)
        try await scene.bob.conversation(scene.chat) { $0.header.composer == .open }
        #expect(try await scene.bob.client.outbox.items().first("outbox") { _ in true }.isEmpty)
        scene.bob.goOnline()
        try await scene.bob.settle()
        #expect(!scene.bob.network.requests.contains { $0.contains("/v1/blocks/") })
        await scene.stop()
    }

    @Test("A report reaches the server, and without a connection the person is told that it did not")
    func report() async throws {
        let scene = try await ChatScene()
        let bob = try await scene.bob.id
        try await scene.bob.say("rude", in: scene.chat)
        let content = try await scene.ann.conversation(scene.chat) { $0.items.count == 1 }
        let friends = scene.ann.client.friends
        try await friends.report(
            bob, message: content.items[0].messageID, reason: .harassment, comment: "rude")
        scene.ann.goOffline()
        let error = await clientError { () throws(ClientError) in try await friends.report(bob, reason: .spam)
        }
        #expect(error?.kind == .outage)
        let long = await clientError { () throws(ClientError) in
            try await friends.report(
                bob, reason: .spam, comment: String(repeating: "x", count: Limits.reportCharacters + 1))
        }
        #expect(long?.kind == .invalid)
        await scene.stop()
    }

    // Field case 99
    @Test("A friend who deleted the account is shown as such; what waits for them fails with the reason")
    func peerDeleted() async throws {
        let scene = try await ChatScene()
        try await scene.bob.say("bye", in: scene.chat)
        try await scene.ann.sees(["bye"], in: scene.chat)
        scene.ann.goOffline()
        try await scene.ann.say("wait!", in: scene.chat)
        try await scene.bob.client.auth.deleteAccount()
        scene.ann.goOnline()
        let gone = FailureReason(code: ErrorCode.userDeleted.rawValue)
        try await scene.ann.status(of: "wait!", is: .failed(gone), in: scene.chat)
        let content = try await scene.ann.conversation(scene.chat) { $0.header.composer == .peerDeleted }
        #expect(content.header.peer?.isDeleted == true)
        #expect(content.header.title == "Bob")
        #expect(content.items.map(\.body) == ["bye", "wait!"])
        _ = try await scene.ann.client.friends.friends().first("nobody") { $0.isEmpty }
        await scene.stop()
    }

    // Field case 100
    @Test("Requests: sent offline, cancelled, declined, crossing")
    func requests() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let (annID, bobID) = (try await ann.id, try await bob.id)
        let found = try #require(try await ann.client.friends.search("bob").first)
        #expect(found.friendshipStatus == .none)

        ann.goOffline()
        try await ann.client.friends.sendRequest(to: found.user)
        let queued = try await ann.client.friends.requests().first("queued") { !$0.isEmpty }
        #expect(queued.map(\.isQueued) == [true])
        try await ann.client.friends.cancel(to: bobID)
        _ = try await ann.client.friends.requests().first("none") { $0.isEmpty }
        #expect(try await ann.client.outbox.items().first("outbox") { _ in true }.isEmpty)
        try await ann.client.friends.sendRequest(to: found.user)
        ann.goOnline()
        try await ann.settle()

        _ = try await bob.client.friends.requests().first("request") { $0.map(\.direction) == [.incoming] }
        try await bob.client.friends.decline(from: annID)
        _ = try await ann.client.friends.requests().first("declined") { $0.isEmpty }

        // Both ask while neither knows of the other's.
        let other = try #require(try await bob.client.friends.search("ann").first)
        ann.goOffline()
        bob.goOffline()
        try await ann.client.friends.sendRequest(to: found.user)
        try await bob.client.friends.sendRequest(to: other.user)
        ann.goOnline()
        try await ann.settle()
        bob.goOnline()
        for client in [ann, bob] {
            _ = try await client.client.friends.friends().first("friend") { $0.count == 1 }
            _ = try await client.client.friends.requests().first("none") { $0.isEmpty }
        }
        await scenario.stop(ann, bob)
    }

    @Test("A profile edit without a connection is shown at once and sent later")
    func profileOffline() async throws {
        let scene = try await ChatScene()
        scene.ann.goOffline()
        _ = try await scene.ann.client.connection.first("offline") {
            if case .offline = $0 { true } else { false }
        }
        #expect(try await scene.ann.client.profile.edit(EditProfile(displayName: "Anna")) == .queued)
        #expect(try await scene.ann.me.displayName == "Anna")
        scene.ann.goOnline()
        try await scene.ann.settle()
        _ = try await scene.bob.conversation(scene.chat) { $0.header.title == "Anna" }
        await scene.stop()
    }
}
