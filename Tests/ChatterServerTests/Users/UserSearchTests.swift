import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Finding people", .timeLimit(.minutes(5)))
struct UserSearchTests {
    // Field case 75
    @Test("A search is a literal prefix in any case: no letter is a wildcard")
    func literalPrefix() async throws {
        let server = try await TestServer()
        let searcher = try await server.signUp("searcher")
        for name in ["a_b", "axb", "AB_1"] { _ = try await server.signUp(name) }
        func names(_ text: String) async throws -> [String?] {
            try await searcher.search(text).map(\.user.username)
        }
        #expect(try await names("a_") == ["a_b"])
        #expect(try await names("A_B") == ["a_b"])
        #expect(try await names("@a_b") == ["a_b"])
        #expect(try await names("ab") == ["ab_1"])
        #expect(try await names("ax") == ["axb"])
        for pattern in ["%%", "a%", "%b", "__", "a*", "a'", "a\\_"] {
            #expect(try await names(pattern).isEmpty, "\(pattern)")
        }
        for short in ["%", "_", "a", "", "@a"] {
            await refused(.validationFailed) { try await searcher.search(short) }
        }
        await server.stop()
    }

    // Field case 75
    @Test("Searching is limited, with a time to wait")
    func rateLimit() async throws {
        let server = try await TestServer { $0.limitsRates = true }
        let searcher = try await server.signUp("searcher")
        for _ in 1...30 { _ = try await searcher.search("zz") }
        let error = await #expect(throws: APIError.self) { try await searcher.search("zz") }
        #expect(error?.code == .rateLimited)
        let wait = try #require(error?.retryAfter)
        server.clock.advance(by: .seconds(wait))
        _ = try await searcher.search("zz")
        await server.stop()
    }

    // Field case 83
    @Test("A whole phone number finds its owner in every spelling, and a part of one finds nobody")
    func phoneNumber() async throws {
        let server = try await TestServer()
        let searcher = try await server.signUp("searcher")
        let owner = try await server.signIn(phone: "+447700900123")
        let profile = EditProfile(displayName: "Owner", username: "owner_1")
        _ = try await owner.call(Routes.editProfile, body: profile)
        for spelling in [
            "+447700900123", "+44 07700 900123", "0044 7700 900123", "+44(0)7700-900123", "＋４４７７００９００１２３",
        ] {
            #expect(try await searcher.search(spelling).map(\.user.id) == [owner.user], "\(spelling)")
        }
        for other in ["+44770090012", "+4477", "+1", "447700900123", "07700900123"] {
            #expect(try await searcher.search(other).isEmpty, "\(other)")
        }
        await server.stop()
    }

    @Test("Nobody finds themselves, an unfinished profile, a deleted account or another workspace's people")
    func invisible() async throws {
        let server = try await TestServer()
        let searcher = try await server.signUp("person_a")
        let deleted = try await server.signUp("person_b")
        _ = try await deleted.call(Routes.deleteAccount)
        let unfinished = try await server.signIn(phone: server.newPhone())
        _ = try await unfinished.call(Routes.editProfile, body: EditProfile(username: "person_c"))
        let key = try await server.server.createWorkspace(named: "elsewhere").clientKey
        let elsewhere = try await server.signIn(phone: server.newPhone(), clientKey: key)
        _ = try await elsewhere.call(
            Routes.editProfile, body: EditProfile(displayName: "D", username: "person_d"))

        #expect(try await searcher.search("person").isEmpty)
        for person in [deleted, unfinished, elsewhere] {
            #expect(try await searcher.search(person.phone).isEmpty)
            await refused(.notFound) { try await searcher.find(person) }
        }
        #expect(try await searcher.search(searcher.phone).isEmpty)
        await server.stop()
    }

    @Test("At most 20 are found, in the order of their names")
    func limit() async throws {
        let server = try await TestServer()
        let searcher = try await server.signUp("searcher")
        for number in 10..<33 { _ = try await server.signUp("many\(number)") }
        let found = try await searcher.search("many").map(\.user.username)
        #expect(found == (10..<30).map { "many\($0)" })
        await server.stop()
    }

    @Test("Each result says how one stands to them")
    func friendshipStatus() async throws {
        let server = try await TestServer()
        let alice = try await server.signUp("alice")
        let (friend, asked) = (try await server.signUp("someone_1"), try await server.signUp("someone_2"))
        let (asking, none) = (try await server.signUp("someone_3"), try await server.signUp("someone_4"))
        try await alice.befriend(friend)
        let sent = try await alice.request(asked)
        let received = try await asking.request(alice)
        let found = try await alice.search("someone")
        #expect(found.map(\.user.id) == [friend.user, asked.user, asking.user, none.user])
        #expect(found.map(\.friendshipStatus) == [.friends, .requestSent, .requestReceived, .none])
        #expect(found.map(\.requestID) == [nil, sent.id, received.id, nil])
        for result in found {
            let id = ["id": result.user.id.rawValue]
            #expect(try await alice.call(Routes.user, id) == result)
        }
        await server.stop()
    }
}
