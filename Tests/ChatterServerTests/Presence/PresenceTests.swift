import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Presence", .timeLimit(.minutes(5)))
struct PresenceTests {
    private func presences(_ live: TestConnection) -> [Presence] { live.take().compactMap(\.presence) }

    @Test("A friend coming online is told at once, going offline after five seconds, with when they left")
    func comingAndGoing() async throws {
        let two = try await TwoFriends()
        let aliceLive = try two.alice.connect()
        await two.server.settle()
        _ = aliceLive.take()
        let bobLive = try two.bob.connect()
        await two.server.settle()
        #expect(presences(aliceLive).map(\.online) == [true])
        two.server.clock.advance(by: .seconds(60))
        let leftAt = two.server.clock.now
        bobLive.disconnect()
        two.server.clock.advance(by: .milliseconds(4999))
        await two.server.settle()
        #expect(presences(aliceLive).isEmpty)
        #expect(try await two.alice.friends().first?.presence.online == true)
        two.server.clock.advance(by: .milliseconds(1))
        await two.server.settle()
        let gone = Presence(
            userID: two.bob.user, online: false, lastSeenAt: leftAt, at: two.server.clock.now)
        #expect(presences(aliceLive) == [gone])
        #expect(try await two.alice.friends().first?.presence == gone)
        await two.server.stop()
    }

    @Test("A network switch does not flicker, and a second device keeps its person online")
    func steady() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.bob)
        let aliceLive = try two.alice.connect()
        let first = try two.bob.connect()
        await two.server.settle()
        _ = aliceLive.take()
        first.disconnect()
        two.server.clock.advance(by: .seconds(3))
        let again = try two.bob.connect()
        two.server.clock.advance(by: .seconds(60))
        let other = try second.connect()
        again.disconnect()
        two.server.clock.advance(by: .seconds(60))
        await two.server.settle()
        #expect(presences(aliceLive).isEmpty)
        other.disconnect()
        two.server.clock.advance(by: .seconds(5))
        await two.server.settle()
        #expect(presences(aliceLive).map(\.online) == [false])
        await two.server.stop()
    }

    @Test("Strangers and former friends see nothing")
    func strangers() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        _ = try await carol.request(two.bob)
        let (carolLive, aliceLive) = (try carol.connect(), try two.alice.connect())
        _ = try await two.alice.call(Routes.removeFriend, ["userId": two.bob.user.rawValue])
        await two.server.hush(carolLive, aliceLive)
        let bobLive = try two.bob.connect()
        await two.server.settle()
        bobLive.disconnect()
        two.server.clock.advance(by: .seconds(5))
        await two.server.settle()
        #expect(presences(carolLive).isEmpty && presences(aliceLive).isEmpty)
        await two.server.stop()
    }

    @Test("Whoever hides their last seen is not seen and sees nobody, at once and in both directions")
    func privacy() async throws {
        let two = try await TwoFriends()
        let (aliceLive, bobLive) = (try two.alice.connect(), try two.bob.connect())
        await two.server.settle()
        _ = (aliceLive.take(), bobLive.take())
        let hide = EditProfile(lastSeenVisibility: .nobody)
        #expect(try await two.bob.call(Routes.editProfile, body: hide).lastSeenVisibility == .nobody)
        for live in [aliceLive, bobLive] {
            #expect(presences(live).map { [$0.online, $0.lastSeenAt != nil] } == [[false, false]])
        }
        for device in [two.alice, two.bob] {
            let presence = try await device.friends().first?.presence
            #expect(presence?.online == false && presence?.lastSeenAt == nil)
        }
        aliceLive.disconnect()
        bobLive.disconnect()
        two.server.clock.advance(by: .seconds(5))
        let (aliceAgain, bobAgain) = (try two.alice.connect(), try two.bob.connect())
        await two.server.settle()
        #expect(presences(aliceAgain).isEmpty && presences(bobAgain).isEmpty)

        let show = EditProfile(lastSeenVisibility: .friends)
        _ = try await two.bob.call(Routes.editProfile, body: show)
        #expect(presences(aliceAgain).map(\.online) == [true])
        #expect(presences(bobAgain).map(\.online) == [true])
        await two.server.stop()
    }

    @Test("After a restart people were last seen when the server stopped")
    func restart() async throws {
        let directory = try ChatterTestSupport.TemporaryDirectory()
        let path = directory.file("chatter.db").path
        let two = try await TwoFriends { $0.databasePath = path }
        let live = try two.bob.connect()
        await two.server.settle()
        two.server.clock.advance(by: .seconds(30))
        let stoppedAt = two.server.clock.now
        await two.server.stop()
        _ = live
        let again = try await TestServer(clock: two.server.clock) { $0.databasePath = path }
        #expect(try await two.alice.on(again).friends().first?.presence.lastSeenAt == stoppedAt)
        await again.stop()
    }
}
