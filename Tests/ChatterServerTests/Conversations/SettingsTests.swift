import ChatterModel
import ChatterTestSupport
import Testing

@Suite("A chat's settings", .timeLimit(.minutes(5)))
struct SettingsTests {
    // Field case 120
    @Test("Archiving keeps a mute, and both come to one's other devices")
    func archiveKeepsMute() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let cursor = try await second.syncAll().cursor
        let (secondLive, bobLive) = (try second.connect(), try two.bob.connect())
        await two.server.hush(secondLive, bobLive)
        let muted = try await two.alice.edit(EditSettings(mutedUntil: .distantFuture), of: two.chat)
        #expect(muted.settings == ConversationSettings(mutedUntil: .distantFuture))
        let archived = try await two.alice.edit(EditSettings(archived: true), of: two.chat)
        #expect(archived.settings == ConversationSettings(mutedUntil: .distantFuture, archived: true))
        #expect(secondLive.take().compactMap(\.conversation).map(\.settings).last == archived.settings)
        #expect(try await second.syncAll(since: cursor).conversations == [archived])
        // The other side neither hears nor sees anything.
        #expect(bobLive.take().isEmpty)
        #expect(try await two.bob.conversation(two.chat).settings == ConversationSettings())
        await two.server.stop()
    }

    // Field case 120
    @Test("A mute ends by the server's clock; one that is over already is none")
    func muteEnds() async throws {
        let two = try await TwoFriends()
        let inAnHour = two.server.clock.now.advanced(by: .seconds(3600))
        let muted = try await two.alice.edit(EditSettings(mutedUntil: inAnHour), of: two.chat)
        #expect(muted.settings.mutedUntil == inAnHour)
        two.server.clock.advance(by: .seconds(3600))
        let alice = try await two.alice.refreshed()
        #expect(try await alice.conversation(two.chat).settings.mutedUntil == nil)
        let late = try await alice.edit(EditSettings(mutedUntil: inAnHour), of: two.chat)
        #expect(late.settings.mutedUntil == nil)
        await refused(.validationFailed) {
            try await alice.edit(EditSettings(mutedUntil: .distantFuture, unmute: true), of: two.chat)
        }
        _ = try await alice.edit(EditSettings(mutedUntil: .distantFuture), of: two.chat)
        #expect(try await alice.edit(EditSettings(unmute: true), of: two.chat).settings.mutedUntil == nil)
        await two.server.stop()
    }

    // Field case 120
    @Test("A new message brings an archived chat back, unless it is muted")
    func bringingBack() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        _ = try await two.alice.edit(EditSettings(archived: true, pinned: true), of: two.chat)
        await two.server.hush(live)
        _ = try await two.bob.send("are you there?", in: two.chat)
        let updated = try #require(live.take().compactMap(\.conversation).first)
        #expect(updated.settings == ConversationSettings(archived: false, pinned: true))
        #expect(updated.lastMessage?.body == "are you there?")

        let soon = two.server.clock.now.advanced(by: .seconds(60))
        _ = try await two.alice.edit(EditSettings(mutedUntil: soon, archived: true), of: two.chat)
        _ = try await two.bob.send("and now?", in: two.chat)
        #expect(try await two.alice.conversation(two.chat).settings.archived)
        two.server.clock.advance(by: .seconds(60))
        _ = try await two.bob.send("at last", in: two.chat)
        #expect(try await !two.alice.conversation(two.chat).settings.archived)
        await two.server.stop()
    }

    @Test("One's own message brings an archived chat back too")
    func ownMessage() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.edit(EditSettings(archived: true), of: two.chat)
        _ = try await two.alice.send("back again", in: two.chat)
        #expect(try await !two.alice.conversation(two.chat).settings.archived)
        await two.server.stop()
    }

    @Test("Setting what is set already makes no noise and no new version")
    func sameAgain() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let pinned = try await two.alice.edit(EditSettings(pinned: true), of: two.chat)
        await two.server.hush(live)
        #expect(try await two.alice.edit(EditSettings(pinned: true), of: two.chat) == pinned)
        #expect(live.take().isEmpty)
        await two.server.stop()
    }
}
