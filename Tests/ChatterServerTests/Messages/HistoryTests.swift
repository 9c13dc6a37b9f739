import ChatterModel
import ChatterTestSupport
import Testing

@Suite("History", .timeLimit(.minutes(5)))
struct HistoryTests {
    private func numbered(_ count: Int, in two: TwoFriends, by person: TestDevice) async throws
        -> [MessageAck]
    {
        var acks: [MessageAck] = []
        for number in 1...count { acks.append(try await person.send("\(number)", in: two.chat)) }
        return acks
    }

    @Test("Pages go both ways, always ascending, and say whether there is more")
    func pages() async throws {
        let two = try await TwoFriends()
        _ = try await numbered(10, in: two, by: two.alice)
        func page(_ query: [String: String]) async throws -> (seqs: [Int64], hasMore: Bool) {
            let page = try await two.bob.messages(two.chat, query)
            #expect(page.lastSeq == 10 && page.lastChange == 10)
            return (page.messages.map(\.seq), page.hasMore)
        }
        #expect(try await page(["limit": "3"]) == ([8, 9, 10], true))
        #expect(try await page(["limit": "3", "beforeSeq": "8"]) == ([5, 6, 7], true))
        #expect(try await page(["limit": "4", "beforeSeq": "5"]) == ([1, 2, 3, 4], false))
        #expect(try await page(["limit": "3", "beforeSeq": "1"]) == ([], false))
        #expect(try await page(["limit": "3", "afterSeq": "0"]) == ([1, 2, 3], true))
        #expect(try await page(["limit": "3", "afterSeq": "7"]) == ([8, 9, 10], false))
        #expect(try await page(["limit": "3", "afterSeq": "10"]) == ([], false))
        #expect(try await page(["limit": "10"]) == (Array(1...10), false))
        #expect(try await page([:]) == (Array(1...10), false))
        await two.server.stop()
    }

    @Test("A page asks for one place with a limit of 1 to 200")
    func badQueries() async throws {
        let two = try await TwoFriends()
        for query in [
            ["limit": "0"], ["limit": "201"], ["limit": "x"], ["beforeSeq": "-1"], ["afterSeq": "1.5"],
            ["beforeSeq": "5", "afterSeq": "1"], ["afterChange": "1", "afterSeq": "1"],
        ] {
            await refused(.validationFailed) { try await two.bob.messages(two.chat, query) }
        }
        await two.server.stop()
    }

    // Field case 60
    @Test("A page of very long messages ends early and says that there is more; the sync does too")
    func longTexts() async throws {
        let two = try await TwoFriends()
        let family = String(repeating: "👨‍👩‍👧‍👦", count: Limits.messageBytes / 25)
        for _ in 1...40 { _ = try await two.alice.send(family, in: two.chat) }
        var seen: [Int64] = []
        var isLast = false
        while !isLast {
            let query = ["afterSeq": "\(seen.last ?? 0)", "limit": "200"]
            let page = try await two.bob.messages(two.chat, query)
            #expect(page.messages.reduce(0) { $0 + $1.body.utf8.count } <= 1024 * 1024)
            seen += page.messages.map(\.seq)
            isLast = !page.hasMore
        }
        #expect(seen == Array(1...40))

        for number in 0..<20 {
            let other = try await two.server.signUp("other\(number)")
            try await other.befriend(two.bob)
            _ = try await other.send(family, in: other.openChat(with: two.bob))
        }
        let page = try await two.bob.call(Routes.sync, query: ["limit": "200"])
        #expect(page.hasMore && page.conversations.count < 21)
        let all = try await two.bob.syncAll(limit: 200)
        #expect(all.conversations.count == 21)
        await two.server.stop()
    }

    // Field case 31
    @Test("Fifty hidden messages in a row neither end the history nor shorten a page")
    func hiddenRows() async throws {
        let two = try await TwoFriends()
        let acks = try await numbered(124, in: two, by: two.bob)
        _ = try await two.alice.block(two.bob)
        _ = try await numbered(25, in: two, by: two.bob)
        try await two.alice.unblock(two.bob)
        for ack in acks[99...] { _ = try await two.alice.delete(ack.id, .me) }

        var seen: [Int64] = []
        var before: Int64 = 150
        var pages = 0
        while true {
            let page = try await two.alice.messages(two.chat, ["beforeSeq": "\(before)", "limit": "50"])
            seen = page.messages.map(\.seq) + seen
            pages += 1
            guard page.hasMore, let first = page.messages.first else { break }
            #expect(page.messages.count == 50)
            before = first.seq
        }
        #expect(seen == Array(1...99))
        #expect(pages == 2)
        // Upwards the hole is confirmed: nothing in it, nothing more, and where the conversation ends.
        let above = try await two.alice.messages(two.chat, ["afterSeq": "99"])
        #expect(above.messages.isEmpty && !above.hasMore && above.lastSeq == 149)
        await two.server.stop()
    }

    @Test("Paging by change brings new and deleted messages, the lowest changes first")
    func byChange() async throws {
        let two = try await TwoFriends()
        let acks = try await numbered(6, in: two, by: two.alice)
        _ = try await two.alice.delete(acks[1].id, .everyone)  // change 7
        _ = try await two.alice.delete(acks[4].id, .everyone)  // change 8
        var changes: [Int64] = []
        var after: Int64 = 2
        while true {
            let page = try await two.bob.messages(two.chat, ["afterChange": "\(after)", "limit": "2"])
            #expect(page.messages.map(\.seq) == page.messages.map(\.seq).sorted())
            changes += page.messages.map(\.change).sorted()
            after = changes.last ?? after
            if !page.hasMore { break }
        }
        #expect(changes == [3, 4, 6, 7, 8])
        await two.server.stop()
    }
}
