import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@Suite("Deleting a message", .timeLimit(.minutes(5)))
struct DeletionTests {
    @Test("For everyone: the text is gone from every answer, and everybody's devices hear of it")
    func everyone() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let first = try await two.alice.send("a secret word", in: two.chat)
        let quote = try await two.bob.send("what?", in: two.chat, replyTo: first.id)
        let lives = [try two.alice.connect(), try second.connect(), try two.bob.connect()]
        await two.server.settle()
        for live in lives { _ = live.take() }
        let deleted = try await two.alice.delete(first.id, .everyone)
        #expect(deleted.body == "" && deleted.deletedAt == two.server.clock.now)
        #expect(deleted.seq == 1 && deleted.change == 3)
        for live in lives { #expect(live.take() == [.messageUpdated(deleted)]) }

        let page = try await two.bob.messages(two.chat)
        #expect(page.messages.map(\.body) == ["", "what?"])
        #expect(page.messages.last?.replyToID == first.id && page.lastChange == 3)
        _ = quote
        for person in [two.alice, two.bob] {
            let sync = try await person.syncAll()
            let text = String(decoding: try Wire.encode(sync), as: UTF8.self)
            #expect(!text.contains("secret"))
        }
        await two.server.stop()
    }

    @Test("For everyone: a backup made afterwards does not hold the text, not even between its rows")
    func erasedFromTheFile() async throws {
        let two = try await TwoFriends()
        let directory = try ChatterTestSupport.TemporaryDirectory()
        let texts = ["a short skeleton key", String(repeating: "long skeleton key ", count: 200)]
        var sent: [MessageAck] = []
        for text in texts { sent.append(try await two.alice.send(text, in: two.chat)) }
        func holdsText(_ name: String) async throws -> Bool {
            let file = directory.file(name)
            try await two.server.server.backup(to: file.path)
            return try Data(contentsOf: file).range(of: Data("skeleton key".utf8)) != nil
        }
        #expect(try await holdsText("before"))
        for ack in sent { _ = try await two.alice.delete(ack.id, .everyone) }
        #expect(try await !holdsText("after"))
        await two.server.stop()
    }

    @Test("For everyone is the sender's right alone, for 48 hours by the server's clock, and idempotent")
    func rules() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        let first = try await two.alice.send("one", in: two.chat)
        let second = try await two.alice.send("two", in: two.chat)
        await refused(.forbidden) { try await two.bob.delete(first.id, .everyone) }
        await refused(.notFound) { try await carol.delete(first.id, .everyone) }
        await refused(.notFound) { try await carol.delete(first.id, .me) }
        await refused(.notFound) { try await two.alice.delete(ID("nothing"), .everyone) }
        await refused(.validationFailed) {
            try await two.alice.call(Routes.deleteMessage, ["id": first.id.rawValue])
        }
        two.server.clock.advance(by: .seconds(48 * 3600))
        let alice = try await two.alice.refreshed()
        let deleted = try await alice.delete(first.id, .everyone)
        two.server.clock.advance(by: .milliseconds(1))
        await refused(.forbidden) { try await alice.delete(second.id, .everyone) }
        #expect(try await alice.delete(first.id, .everyone) == deleted)
        #expect(try await alice.messages(two.chat).lastChange == 3)
        await two.server.stop()
    }

    @Test(
        "For oneself: gone from one's own pages, preview and unread count, on every device; the other keeps it"
    )
    func oneself() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.bob)
        _ = try await two.alice.send("one", in: two.chat)
        let last = try await two.alice.send("two", in: two.chat)
        let cursor = try await second.syncAll().cursor
        let (secondLive, aliceLive) = (try second.connect(), try two.alice.connect())
        await two.server.hush(secondLive, aliceLive)
        for _ in 1...2 {
            let hidden = try await two.bob.delete(last.id, .me)
            #expect(hidden.hidden == true && hidden.id == last.id)
        }
        #expect(secondLive.take().compactMap(\.message).map(\.hidden) == [true])
        #expect(aliceLive.take().isEmpty)
        #expect(try await second.messages(two.chat).messages.map(\.body) == ["one"])
        let conversation = try await second.conversation(two.chat)
        #expect(conversation.lastMessage?.body == "one" && conversation.unreadCount == 1)
        let sync = try await second.syncAll(since: cursor)
        #expect(
            sync.hiddenMessages == [HiddenMessage(conversationID: two.chat, messageID: last.id)])
        #expect(sync.conversations == [conversation])
        let theirs = try await two.alice.conversation(two.chat)
        #expect(theirs.lastMessage?.body == "two")
        #expect(theirs.lastActivityAt == conversation.lastActivityAt)
        await two.server.stop()
    }

    @Test("What one has hidden from oneself one can still take back from everyone")
    func both() async throws {
        let two = try await TwoFriends()
        let sent = try await two.alice.send("oops", in: two.chat)
        _ = try await two.alice.delete(sent.id, .me)
        let deleted = try await two.alice.delete(sent.id, .everyone)
        #expect(deleted.hidden == true && deleted.deletedAt != nil)
        #expect(try await two.bob.messages(two.chat).messages.map(\.body) == [""])
        #expect(try await two.alice.messages(two.chat).messages.isEmpty)
        await two.server.stop()
    }
}
