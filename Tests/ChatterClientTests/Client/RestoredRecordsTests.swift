import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

/// What is not messages, after the server was set back to a backup.
@Suite("People, chats and sessions after a restore", .timeLimit(.minutes(5)))
struct RestoredRecordsTests {
    @Test("Records are taken as the server has them now, though their versions are smaller")
    func profile() async throws {
        let restore = try await RestoreScene()
        for name in ["Annie", "Anna"] {
            _ = try await restore.ann.client.profile.edit(EditProfile(displayName: name))
            _ = try await restore.bob.client.friends.friends().first(name) {
                $0.first?.user.displayName == name
            }
        }
        try await restore.restore()
        try await restore.goOnline(restore.ann, restore.bob)
        _ = try await restore.ann.client.profile.me().first("as backed up") { $0.displayName == "Ann" }
        _ = try await restore.bob.client.friends.friends().first("as backed up") {
            $0.first?.user.displayName == "Ann"
        }
        _ = try await restore.ann.client.profile.edit(EditProfile(displayName: "Anne"))
        _ = try await restore.bob.client.friends.friends().first("Anne") {
            $0.first?.user.displayName == "Anne"
        }
        await restore.stop()
    }

    @Test("A friendship made after the backup is over; a block is made again")
    func friendsAndBlocks() async throws {
        let restore = try await RestoreScene()
        let cleo = try await restore.scenario.person("cleo", seed: 3)
        try await restore.backUp()
        try await restore.scenario.befriend(restore.ann, cleo)
        try await restore.ann.client.friends.block(try await restore.bob.id)
        try await restore.ann.settle()
        cleo.goOffline()
        try await restore.restore()
        cleo.network.lead(to: restore.scenario.server.server)
        try await restore.goOnline(restore.ann, cleo)
        let bob = try await restore.bob.id
        try await restore.ann.settle()
        _ = try await restore.ann.client.friends.blocked().first("blocked") { $0.map(\.user.id) == [bob] }
        _ = try await cleo.client.friends.friends().first("none") { $0.isEmpty }
        let page = try await restore.ann.freshPage()
        #expect(page.blocks.map(\.user.id) == [bob])
        try await restore.scenario.befriend(restore.ann, cleo)
        await cleo.client.close()
        await restore.stop()
    }

    @Test("A chat that was opened after the backup goes on: whoever comes first opens it again")
    func lostChat() async throws {
        let restore = try await RestoreScene()
        let cleo = try await restore.scenario.person("cleo", seed: 3)
        try await restore.scenario.befriend(restore.ann, cleo)
        try await restore.backUp()
        let lost = try await restore.annChats(with: cleo)
        cleo.goOffline()
        try await cleo.say("waiting", in: lost)
        try await restore.restore()
        cleo.network.lead(to: restore.scenario.server.server)
        try await restore.goOnline(restore.ann, cleo)
        let chat = try await restore.scenario.chat(restore.ann, cleo)
        #expect(chat != lost)
        let texts: Set = ["ann 1", "cleo 1", "waiting"]
        var orders: [[String]] = []
        for person in [restore.ann, cleo] {
            let content = try await person.conversation(chat, "everything") { content in
                content.items.count == 3 && content.items.allSatisfy { $0.seq != nil }
            }
            #expect(Set(content.items.map(\.body)) == texts)
            orders.append(content.items.map(\.body))
            let chats = try await person.client.conversations.chats().first("chats") { _ in true }
            #expect(!chats.contains { $0.id == lost })
        }
        #expect(orders[0] == orders[1])
        #expect(orders[0].filter { $0 != "ann 1" } == ["cleo 1", "waiting"])
        await cleo.client.close()
        await restore.stop()
    }

    @Test("A chat with somebody who is no friend any more stays to be read, and goes on once they are again")
    func lostFriend() async throws {
        let restore = try await RestoreScene()
        let cleo = try await restore.scenario.person("cleo", seed: 3)
        try await restore.backUp()
        try await restore.scenario.befriend(restore.ann, cleo)
        let lost = try await restore.annChats(with: cleo)
        cleo.goOffline()
        try await restore.restore()
        cleo.network.lead(to: restore.scenario.server.server)
        try await restore.goOnline(restore.ann, cleo)
        for person in [restore.ann, cleo] {
            _ = try await person.client.friends.friends().first("no friend") { friends in
                !friends.contains { $0.user.username == "ann" || $0.user.username == "cleo" }
            }
            _ = try await person.client.conversations.chats().first("still listed") { chats in
                chats.contains { $0.id == lost }
            }
            let content = try await person.conversation(lost, "left") { $0.header.composer == .gone }
            #expect(content.items.map(\.body) == ["ann 1", "cleo 1"])
        }
        try await restore.scenario.befriend(restore.ann, cleo)
        for person in [restore.ann, cleo] { person.goOffline() }
        try await restore.goOnline(restore.ann, cleo)
        let chat = try await restore.scenario.chat(restore.ann, cleo)
        for person in [restore.ann, cleo] {
            let content = try await person.conversation(chat, "both again") { content in
                content.items.count == 2 && content.items.allSatisfy { $0.seq != nil }
            }
            #expect(Set(content.items.map(\.body)) == ["ann 1", "cleo 1"])
            _ = try await person.client.conversations.chats().first("one chat") { chats in
                !chats.contains { $0.id == lost }
            }
        }
        await cleo.client.close()
        await restore.stop()
    }

    @Test("Whoever refreshed their tokens after the backup stays signed in")
    func tokens() async throws {
        let restore = try await RestoreScene()
        for _ in 1...3 {
            for person in [restore.ann, restore.bob] { person.goOffline() }
            restore.scenario.jump(by: .seconds(3700))
            try await restore.goOnline(restore.ann, restore.bob)
        }
        try await restore.ann.say("lost", in: restore.chat)
        try await restore.ann.settle()
        try await restore.restore()
        // So that they must refresh again, at a server that knows none of the last three.
        restore.scenario.jump(by: .seconds(3700))
        try await restore.goOnline(restore.ann, restore.bob)
        try await restore.agree(on: ["kept 1", "kept 2", "kept 3", "lost"])
        await restore.stop()
    }

    @Test("A device that the backup does not know signs in again, and sends what it held")
    func signInAgain() async throws {
        let restore = try await RestoreScene()
        let tablet = try await restore.scenario.client(seed: 3)
        let phone = try await restore.ann.phone
        try await tablet.signIn(phone: phone)
        try await tablet.connection(is: .online)
        try await tablet.say("from the tablet", in: restore.chat)
        try await tablet.settle()
        tablet.goOffline()
        try await tablet.say("waiting", in: restore.chat)
        try await restore.restore()
        tablet.network.lead(to: restore.scenario.server.server)
        tablet.goOnline()
        _ = try await tablet.client.session.first("signed out") { $0 == .signedOut(.refreshRefused) }
        try await tablet.signIn(phone: phone)
        try await restore.goOnline(restore.ann, restore.bob)
        let order = try await restore.agree(
            on: ["kept 1", "kept 2", "kept 3", "from the tablet", "waiting"])
        #expect(order.suffix(2) == ["from the tablet", "waiting"])
        await tablet.client.close()
        await restore.stop()
    }

    @Test("A database that was put back by hand is found out by its numbers")
    func byHand() async throws {
        let restore = try await RestoreScene()
        try restore.backUpByHand()
        try await restore.talk(["ann 1", "bob 1"], after: ["kept 1", "kept 2", "kept 3"])
        try await restore.restore()
        restore.ann.goOnline()
        restore.bob.goOnline()
        try await restore.agree(on: ["kept 1", "kept 2", "kept 3", "ann 1", "bob 1"])
        await restore.stop()
    }
}

extension TestClient {
    /// Everything that the server knows for this account.
    func freshPage() async throws -> SyncPage {
        guard let account = await client.keeper.account else { throw Scenario.Failure("signed out") }
        return try await account.api.sync(since: nil)
    }
}
