import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Profiles", .timeLimit(.minutes(5)))
struct ProfileTests {
    // Field case 82
    @Test("A username is one however it is typed, and nobody can look like somebody else")
    func lookAlikes() async throws {
        let server = try await TestServer()
        _ = try await server.signUp("mark")
        let other = try await server.signUp("other")
        func take(_ name: String) async throws -> Me {
            try await other.call(Routes.editProfile, body: EditProfile(username: name))
        }
        for spelling in ["MARK", "ｍａｒｋ", " Mark ", "@mark"] {
            await refused(.usernameTaken) { try await take(spelling) }
        }
        for lookAlike in ["m\u{430}rk", "mar\u{13E6}", "e\u{301}ric", "\u{E9}ric", "ma rk", "mark!"] {
            await refused(.validationFailed) { try await take(lookAlike) }
        }
        for reserved in ["admin", "\u{FF41}dmin", "Echo", "supp0rt"] {
            await refused(.validationFailed) { try await take(reserved) }
        }
        #expect(try await take("Ma.rk").username == "ma.rk")
        #expect(try await take("M_ark").username == "m_ark")
        await server.stop()
    }

    @Test("Availability says what would be stored and why not")
    func availability() async throws {
        let server = try await TestServer()
        let (mark, other) = (try await server.signUp("mark"), try await server.signUp("other"))
        func ask(_ name: String, _ person: TestDevice) async throws -> UsernameAvailability {
            try await person.call(Routes.usernameAvailability, ["username": name])
        }
        #expect(
            try await ask("Free.Name", other) == UsernameAvailability(username: "free.name", available: true))
        #expect(
            try await ask("MARK", other)
                == UsernameAvailability(username: "mark", available: false, reason: "taken"))
        #expect(try await ask("mark", mark).available)
        #expect(
            try await ask("Admin", other)
                == UsernameAvailability(username: "admin", available: false, reason: "reserved"))
        #expect(try await ask("x", other).reason == "invalid")
        await server.stop()
    }

    // Field case 82
    @Test("Of two who take one username at once, one gets it")
    func race() async throws {
        let server = try await TestServer()
        for round in 0..<20 {
            let one = try await server.signIn(phone: server.newPhone())
            let two = try await server.signIn(phone: server.newPhone())
            let edit = EditProfile(displayName: "Racer", username: "racer\(round)")
            let winners = await withTaskGroup { group in
                for person in [one, two] {
                    group.addTask { (try? await person.call(Routes.editProfile, body: edit)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
        await server.stop()
    }

    @Test("A change reaches friends and chat partners live, and own devices by sync")
    func changes() async throws {
        let two = try await TwoFriends()
        let stranger = try await two.server.signUp("stranger")
        let ownSecond = try await two.secondDevice(of: two.alice)
        let cursor = try await two.bob.syncAll().cursor
        let ownCursor = try await ownSecond.syncAll().cursor
        let (bobLive, strangerLive) = (try two.bob.connect(), try stranger.connect())
        let ownLive = try ownSecond.connect()
        let me = try await two.alice.call(
            Routes.editProfile, body: EditProfile(displayName: "Alice B.", about: "busy"))
        #expect(me.displayName == "Alice B." && me.about == "busy" && me.profileComplete)

        let updates = bobLive.events.compactMap { if case .userUpdated(let user) = $0 { user } else { nil } }
        #expect(updates.map(\.displayName) == ["Alice B."])
        #expect(updates.map(\.about) == ["busy"])
        #expect(updates.map(\.version) == [me.version])
        #expect(!strangerLive.events.contains { $0.type == "user.updated" })
        #expect(ownLive.events.contains(.syncChanged))
        #expect(try await two.bob.syncAll(since: cursor).users.map(\.displayName) == ["Alice B."])
        #expect(try await ownSecond.syncAll(since: ownCursor).me == me)
        await two.server.stop()
    }

    @Test("An edit that changes nothing makes no noise; an empty about clears it")
    func sameAgain() async throws {
        let two = try await TwoFriends()
        let before = try await two.alice.call(Routes.editProfile, body: EditProfile(about: "here"))
        let live = try two.bob.connect()
        _ = live.take()
        let again = try await two.alice.call(Routes.editProfile, body: EditProfile(about: "here"))
        #expect(again == before)
        #expect(live.take().filter { $0.type == "user.updated" }.isEmpty)
        #expect(try await two.alice.call(Routes.editProfile, body: EditProfile(about: "")).about == "")
        await two.server.stop()
    }

    // Field case 80
    @Test("Names are stored without direction controls, and blank ones refused")
    func names() async throws {
        let server = try await TestServer()
        let person = try await server.signUp("person")
        func name(_ raw: String) async throws -> String? {
            try await person.call(Routes.editProfile, body: EditProfile(displayName: raw)).displayName
        }
        #expect(try await name("Eve\u{202E}\u{2066}") == "Eve")
        for blank in ["\u{200B}\u{200F}", String(repeating: " ", count: 300), "\u{2066}"] {
            await refused(.validationFailed) { try await name(blank) }
        }
        await server.stop()
    }

    @Test("Until the profile is complete, other people's routes are closed")
    func incomplete() async throws {
        let server = try await TestServer()
        let device = try await server.signIn(phone: server.newPhone())
        await refused(.profileIncomplete) { try await device.search("anybody") }
        _ = try await device.call(Routes.editProfile, body: EditProfile(displayName: "Somebody"))
        await refused(.profileIncomplete) { try await device.friends() }
        let me = try await device.call(Routes.editProfile, body: EditProfile(username: "somebody"))
        #expect(me.profileComplete)
        #expect(try await device.friends().isEmpty)
        #expect(try await device.call(Routes.me) == me)
        await server.stop()
    }
}
