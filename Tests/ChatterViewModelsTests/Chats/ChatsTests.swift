import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("The chats list", .timeLimit(.minutes(5)))
@MainActor
struct ChatsTests {
    private func chats(_ desk: ChatScene) -> ChatsViewModel {
        ChatsViewModel(client: desk.ann.client, words: words(desk.scenario.clock))
    }

    @Test("Without a chat it is empty, and says so only once that is known")
    func empty() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let model = ChatsViewModel(client: ann.client, words: words(scenario.clock))
        #expect(model.state == .loading && model.page == .loading && model.page.placeholder == nil)
        try await showing(model, { await $0.run() }) { model in
            await until { model.page == .empty }
            #expect(model.page.placeholder?.title == "No Chats Yet")
        }
        await scenario.stop(ann)
    }

    @Test("On a new device nothing is called empty before the first fetch has ended")
    func firstFetch() async throws {
        let desk = try await ChatScene()
        let phone = try await desk.ann.client.profile.me().first("me") { _ in true }.phone
        let other = try await desk.scenario.client(seed: 3)
        try await other.signIn(phone: phone)
        other.network.hold()
        let chats = ChatsViewModel(client: other.client, words: words(desk.scenario.clock))
        let friends = FriendsViewModel(client: other.client, words: words(desk.scenario.clock))
        var seen: Set<String> = []
        try await showing(chats, { await $0.run() }) { chats in
            try await showing(friends, { await $0.run() }) { friends in
                other.network.release()
                await until {
                    seen.formUnion(["\(chats.state)", "\(friends.state)"])
                    return chats.state == .list && friends.state == .list
                }
            }
        }
        #expect(!seen.contains("empty"))
        await desk.scenario.stop(other)
        await desk.stop()
    }

    @Test("Offline an account without a chat is empty, and does not wait for the network")
    func emptyOffline() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        ann.goOffline()
        let model = ChatsViewModel(client: ann.client, words: words(scenario.clock))
        try await showing(model, { await $0.run() }) { model in
            await until { model.page == .empty }
        }
        await scenario.stop(ann)
    }

    @Test("A row shows name, preview, unread messages, typing and draft")
    func row() async throws {
        let desk = try await ChatScene()
        try await showing(chats(desk), { await $0.run() }) { model in
            await until { model.chats.count == 1 }
            #expect(model.chats[0].title == "Bob" && model.chats[0].face.initials == "B")
            try await desk.bob.client.messages.send("first\nsecond line", in: desk.chat)
            await until { model.chats[0].preview == .message("first second line", tick: nil) }
            await until { model.chats[0].unread == 1 && model.unread == 1 }
            #expect(model.chats[0].badge == "1")
            await desk.bob.client.messages.setTyping(desk.chat, true)
            await until { model.chats[0].preview == .typing }
            #expect(model.chats[0].preview.text == "typing…" && model.chats[0].preview.lead == nil)
            await desk.bob.client.messages.setTyping(desk.chat, false)
            try await desk.ann.client.conversations.setDraft("hm", in: desk.chat)
            await until { model.chats[0].preview == .draft("hm") }
            #expect(model.chats[0].preview.lead == "Draft:" && model.chats[0].preview.text == "hm")
            #expect(model.chats[0].spoken.hasPrefix("Bob, 1 unread, Draft: hm"))
            #expect(model.chats[0].spoken(isOpen: true) == "\(model.chats[0].spoken), open")
        }
        await desk.stop()
    }

    @Test("A muted chat does not count; a mute ends by a tap or by itself")
    func mute() async throws {
        let desk = try await ChatScene()
        try await showing(chats(desk), { await $0.run() }) { model in
            await until { model.chats.count == 1 }
            let row = model.chats[0]
            #expect(
                row.muting.map(\.title) == ["Mute for 8 hours", "Mute for 1 week", "Mute always"]
                    && row.mutingTitle == "Mute")
            await model.commandTapped(.mute(.hours8), desk.chat)
            await until { model.chats[0].isMuted }
            #expect(model.chats[0].muting == [.unmute] && model.chats[0].mutingTitle == "Unmute")
            try await desk.bob.client.messages.send("psst", in: desk.chat)
            await until { model.chats[0].unread == 1 }
            #expect(model.unread == 0)
            await model.commandTapped(.unmute, desk.chat)
            await until { !model.chats[0].isMuted && model.unread == 1 }
            await model.commandTapped(.mute(.always), desk.chat)
            await until { model.chats[0].isMuted }
        }
        await desk.stop()
    }

    @Test("Pinning and archiving move a chat, and back")
    func archive() async throws {
        let desk = try await ChatScene()
        try await showing(chats(desk), { await $0.run() }) { model in
            await until { model.chats.count == 1 }
            #expect(model.chats[0].commands.first?.map(\.title) == ["Pin", "Archive"])
            await model.commandTapped(model.chats[0].pinning, desk.chat)
            await until { model.chats[0].isPinned }
            #expect(model.chats[0].pinning.title == "Unpin" && model.archivedTitle == nil)
            await model.commandTapped(model.chats[0].archiving, desk.chat)
            await until { model.chats.isEmpty && model.archived.count == 1 }
            #expect(model.page == .allArchived && model.archivedTitle == "Archived (1)")
            #expect(model.page.placeholder?.title == "All Chats Are Archived")
            model.showsArchived = true
            #expect(model.state == .list && model.page == .archived && model.archivedTitle == nil)
            #expect(model.archived[0].archiving.title == "Unarchive")
            await model.commandTapped(model.archived[0].archiving, desk.chat)
            await until { model.chats.count == 1 && model.archived.isEmpty }
            await model.commandTapped(model.chats[0].pinning, desk.chat)
            await until { !model.chats[0].isPinned }
            #expect(!model.showsArchived && model.page == .chats)
        }
        await desk.stop()
    }

    @Test("What a full database refuses is told, and the word goes away")
    func notice() async throws {
        let desk = try await ChatScene()
        let model = chats(desk)
        await desk.ann.client.close()
        await model.commandTapped(.pin, desk.chat)
        #expect(model.notice == "That was interrupted.")
        model.noticeClosed()
        #expect(model.notice == nil)
        await desk.stop()
    }
}
