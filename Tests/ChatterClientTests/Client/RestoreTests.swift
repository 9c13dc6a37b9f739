import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

/// The real server, set back to a real backup, and devices that were in touch with it afterwards.
@Suite("After the server was set back to a backup", .timeLimit(.minutes(5)))
struct RestoreTests {
    private let kept: Set = ["kept 1", "kept 2", "kept 3"]

    @Test("What the server lost is sent again by its authors: nothing is lost, doubled or in two orders")
    func converge() async throws {
        let restore = try await RestoreScene(lost: ["ann 1", "bob 1", "ann 2", "bob 2", "ann 3"])
        try await restore.restore()
        try await restore.goOnline(restore.ann, restore.bob)
        let lost: Set = ["ann 1", "bob 1", "ann 2", "bob 2", "ann 3"]
        let order = try await restore.agree(on: kept.union(lost))
        #expect(order.prefix(3) == ["kept 1", "kept 2", "kept 3"])
        #expect(order.filter { $0.hasPrefix("ann") } == ["ann 1", "ann 2", "ann 3"])
        #expect(order.filter { $0.hasPrefix("bob") } == ["bob 1", "bob 2"])

        try await restore.ann.say("and on", in: restore.chat)
        try await restore.bob.say("we go", in: restore.chat)
        try await restore.agree(on: kept.union(lost).union(["and on", "we go"]))
        await restore.stop()
    }

    @Test("New messages that take the numbers of lost ones reach devices that saw those")
    func sameNumbers() async throws {
        let restore = try await RestoreScene(lost: ["a", "b", "c", "d", "e", "f"])
        try await restore.restore()
        // The server has long overtaken the old numbers when Bob comes back.
        try await restore.goOnline(restore.ann)
        for number in 1...8 { try await restore.ann.say("new \(number)", in: restore.chat) }
        try await restore.ann.settle()
        try await restore.goOnline(restore.bob)
        let all = kept.union(["a", "b", "c", "d", "e", "f"]).union((1...8).map { "new \($0)" })
        let order = try await restore.agree(on: all)
        #expect(order.filter { $0.hasPrefix("new") } == (1...8).map { "new \($0)" })
        await restore.stop()
    }

    @Test(
        "Until its author is back, a lost message stands where it stood; then it takes its place for everybody"
    )
    func waitForTheAuthor() async throws {
        let restore = try await RestoreScene(lost: ["ann 1", "bob 1"])
        try await restore.restore()
        try await restore.goOnline(restore.ann)
        try await restore.ann.say("later", in: restore.chat)
        let content = try await restore.ann.conversation(restore.chat, "ann's own again") {
            $0.items.filter { $0.seq != nil }.count == 5
        }
        #expect(content.items.map(\.body) == ["kept 1", "kept 2", "kept 3", "bob 1", "ann 1", "later"])
        #expect(content.items.map(\.seq) == [1, 2, 3, nil, 4, 5])
        #expect(content.items[3].sender?.displayName == "Bob" && content.items[3].status == nil)

        try await restore.goOnline(restore.bob)
        let order = try await restore.agree(on: kept.union(["ann 1", "later", "bob 1"]))
        #expect(order == ["kept 1", "kept 2", "kept 3", "ann 1", "later", "bob 1"])
        await restore.stop()
    }

    @Test("What was written without a connection leaves behind what was lost before it")
    func ownOrder() async throws {
        let restore = try await RestoreScene(lost: ["ann 1", "bob 1", "ann 2"])
        try await restore.restore()
        for text in ["offline 1", "offline 2"] { try await restore.ann.say(text, in: restore.chat) }
        try await restore.goOnline(restore.ann, restore.bob)
        let order = try await restore.agree(
            on: kept.union(["ann 1", "bob 1", "ann 2", "offline 1", "offline 2"]))
        #expect(order.filter { $0 != "bob 1" }.suffix(4) == ["ann 1", "ann 2", "offline 1", "offline 2"])
        await restore.stop()
    }

    @Test("A second device that holds the same lost messages doubles none")
    func twoDevices() async throws {
        let restore = try await RestoreScene()
        let tablet = try await restore.scenario.client(seed: 3)
        try await tablet.signIn(phone: try await restore.ann.phone)
        try await tablet.connection(is: .online)
        while try await tablet.client.messages.loadOlder(restore.chat) {}
        try await restore.backUp()
        try await restore.talk(["ann 1", "bob 1", "ann 2"], after: ["kept 1", "kept 2", "kept 3"])
        try await tablet.conversation(restore.chat, "all") { $0.items.contains { $0.body == "ann 2" } }
        tablet.goOffline()
        try await restore.restore()
        tablet.network.lead(to: restore.scenario.server.server)
        try await restore.goOnline(tablet, restore.ann, restore.bob)
        let order = try await restore.agree(on: kept.union(["ann 1", "bob 1", "ann 2"]))
        try await tablet.conversation(restore.chat, "the same order") { $0.items.map(\.body) == order }
        await tablet.client.close()
        await restore.stop()
    }

    @Test(
        "Everything that is not lost keeps its place, its ticks and its read marks; what comes again is new")
    func ticks() async throws {
        let restore = try await RestoreScene(kept: [])
        await restore.bob.client.messages.setOnScreen(restore.chat, true)
        try await restore.ann.say("kept", in: restore.chat)
        try await restore.scene.receiptsLeave(restore.bob)
        try await restore.ann.status(of: "kept", is: .read, in: restore.chat)
        try await restore.backUp()
        try await restore.ann.say("lost", in: restore.chat)
        try await restore.scene.receiptsLeave(restore.bob)
        try await restore.ann.status(of: "lost", is: .read, in: restore.chat)
        await restore.bob.client.messages.setOnScreen(restore.chat, false)

        try await restore.restore()
        try await restore.goOnline(restore.ann)
        try await restore.ann.status(of: "kept", is: .read, in: restore.chat)
        try await restore.ann.status(of: "lost", is: .sent, in: restore.chat)
        try await restore.goOnline(restore.bob)
        try await restore.ann.status(of: "lost", is: .delivered, in: restore.chat)
        _ = try await restore.bob.chatItem(restore.chat) { $0.unreadCount == 1 }
        await restore.bob.client.messages.setOnScreen(restore.chat, true)
        try await restore.scene.receiptsLeave(restore.bob)
        try await restore.ann.status(of: "lost", is: .read, in: restore.chat)
        _ = try await restore.bob.chatItem(restore.chat) { $0.unreadCount == 0 }
        await restore.stop()
    }

    @Test("A read mark that the server lost is told again, no further than what the server has")
    func readMark() async throws {
        let restore = try await RestoreScene(kept: ["one"])
        let before = ["one"]
        await restore.bob.client.messages.setOnScreen(restore.chat, true)
        try await restore.scene.receiptsLeave(restore.bob)
        try await restore.talk(["two"], after: before)
        await restore.bob.client.messages.setOnScreen(restore.chat, false)
        try await restore.restore()
        try await restore.goOnline(restore.bob)
        try await restore.goOnline(restore.ann)
        try await restore.ann.status(of: "one", is: .read, in: restore.chat)
        try await restore.ann.status(of: "two", is: .delivered, in: restore.chat)
        await restore.stop()
    }

    @Test("What was deleted for everyone stays deleted, and the server is told again")
    func deletion() async throws {
        let restore = try await RestoreScene()
        let content = try await restore.ann.conversation(restore.chat) { $0.items.count == 3 }
        try await restore.ann.client.messages.delete(content.items[0].id, scope: .everyone)
        try await restore.bob.conversation(restore.chat, "deleted") { $0.items[0].isDeleted }
        try await restore.ann.settle()
        try await restore.restore()
        try await restore.goOnline(restore.ann, restore.bob)
        try await restore.ann.settle()
        let tablet = try await restore.scenario.client(seed: 3)
        try await tablet.signIn(phone: try await restore.bob.phone)
        try await tablet.conversation(restore.chat, "fresh") { $0.hasOlder || !$0.items.isEmpty }
        while try await tablet.client.messages.loadOlder(restore.chat) {}
        let fresh = try await tablet.conversation(restore.chat, "fresh") { $0.items.count == 3 }
        #expect(fresh.items.map(\.isDeleted) == [true, false, false])
        for person in [restore.ann, restore.bob] {
            let own = try await person.conversation(restore.chat) { $0.items.count == 3 }
            #expect(own.items.map(\.isDeleted) == [true, false, false])
        }
        await tablet.client.close()
        await restore.stop()
    }

    @Test("A lost message can be deleted for oneself, and stays so when it comes again")
    func hidden() async throws {
        let restore = try await RestoreScene(lost: ["ann 1", "bob 1"])
        try await restore.restore()
        try await restore.goOnline(restore.ann)
        let content = try await restore.ann.conversation(restore.chat, "waiting for Bob") { content in
            content.items.contains { $0.body == "bob 1" && $0.seq == nil }
        }
        let item = try #require(content.items.first { $0.body == "bob 1" })
        try await restore.ann.client.messages.delete(item.id, scope: .me)
        let left = ["kept 1", "kept 2", "kept 3", "ann 1"]
        try await restore.ann.holds(left, in: restore.chat)
        try await restore.goOnline(restore.bob)
        try await restore.bob.holds(left + ["bob 1"], in: restore.chat)
        try await restore.bob.say("more", in: restore.chat)
        try await restore.ann.holds(left + ["more"], in: restore.chat)
        await restore.stop()
    }

    @Test("A relaunch between the restore and the agreement changes nothing")
    func relaunch() async throws {
        let restore = try await RestoreScene(lost: ["ann 1", "bob 1", "ann 2"])
        try await restore.restore()
        restore.ann.network.hold()
        restore.ann.goOnline()
        // The session has begun, the records have not come.
        try await restore.ann.conversation(restore.chat) { $0.items.count == 6 }
        restore.ann.goOffline()
        restore.ann.network.release()
        try await restore.ann.relaunch(start: false)
        try await restore.ann.conversation(restore.chat) { content in
            content.items.map(\.body).suffix(3) == ["ann 1", "bob 1", "ann 2"]
        }
        await restore.ann.client.start()
        try await restore.goOnline(restore.ann, restore.bob)
        try await restore.agree(on: kept.union(["ann 1", "bob 1", "ann 2"]))
        await restore.stop()
    }

    @Test("Who follows what arrives hears of the new messages, whatever numbers they have")
    func arrivals() async throws {
        let restore = try await RestoreScene(lost: ["a", "b", "c", "d"])
        let arrivals = restore.bob.client.messages.arrivals()
        var iterator = arrivals.makeAsyncIterator()
        try await restore.ann.say("before", in: restore.chat)
        #expect(await iterator.next()?.body == "before")
        try await restore.restore()
        try await restore.goOnline(restore.ann, restore.bob)
        try await restore.ann.say("after", in: restore.chat)
        var heard: [String] = []
        while let item = await iterator.next() {
            heard.append(item.body)
            if item.body == "after" { break }
        }
        #expect(heard.filter { $0 == "after" }.count == 1)
        #expect(Set(heard).isSuperset(of: ["a", "c", "before", "after"]))
        await restore.stop()
    }
}
