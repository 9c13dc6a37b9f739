import ChatterModel
import ChatterServer
import ChatterTestSupport
import Testing

/// Somebody in another workspace who knows every id of ours, and tries each call with them.
@Suite("Two workspaces never see each other", .timeLimit(.minutes(5)))
struct WorkspaceIsolationTests {
    let two: TwoFriends
    let stranger: TestDevice

    init() async throws {
        two = try await TwoFriends()
        let other = try await two.server.server.createWorkspace(named: "other")
        stranger = try await two.server.signIn(phone: "+15559999999", clientKey: other.clientKey)
        // The same name as ours: names are a workspace's own.
        _ = try await stranger.call(
            Routes.editProfile, body: EditProfile(displayName: "Alice", username: "alice"))
    }

    @Test("People cannot be found, looked up, befriended, blocked, reported or written to")
    func people() async throws {
        let alice = two.alice.user
        #expect(try await stranger.search("bobby").isEmpty)
        #expect(try await stranger.search(two.alice.phone).isEmpty)
        #expect(try await !two.alice.search("alice").contains { $0.user.id == stranger.user })
        await refused(.notFound) { try await stranger.find(two.alice) }
        await refused(.notFound) { try await stranger.request(two.alice) }
        await refused(.notFound) { try await stranger.block(two.alice) }
        await refused(.notFound) { try await stranger.openChat(with: two.alice) }
        await refused(.notFound) {
            try await stranger.call(Routes.report, body: NewReport(userID: alice, reason: .spam))
        }
        #expect(try await stranger.friends().isEmpty)
    }

    @Test("Conversations and messages are not there, by REST")
    func conversations() async throws {
        let message = try await two.alice.send("hello", in: two.chat)
        await refused(.notFound) { try await stranger.conversation(two.chat) }
        await refused(.notFound) { try await stranger.messages(two.chat) }
        await refused(.notFound) { try await stranger.send("hello", in: two.chat) }
        await refused(.notFound) { try await stranger.mark(read: 1, in: two.chat) }
        await refused(.notFound) { try await stranger.edit(EditSettings(archived: true), of: two.chat) }
        for scope in DeletionScope.allCases {
            await refused(.notFound) { try await stranger.delete(message.id, scope) }
        }
        #expect(try await two.bob.messages(two.chat).messages.map(\.body) == ["hello"])
        #expect(try await stranger.call(Routes.conversations).items.isEmpty)
    }

    @Test("Nor by socket, and nothing of it is heard over there")
    func sockets() async throws {
        let (mine, theirs) = (try two.bob.connect(), try stranger.connect())
        await two.server.hush(mine, theirs)
        let draft = SendMessage(clientMessageID: .new(), conversationID: two.chat, body: "hello")
        let held = SyncRequest.Held(seq: 0, change: 0)
        for action: ClientAction in [
            .messageSend(draft), .receiptRead(Watermark(conversationID: two.chat, seq: 1)),
            .receiptDelivered(Watermark(conversationID: two.chat, seq: 1)),
            .typingStart(TypingIn(conversationID: two.chat)),
        ] {
            try theirs.send(action, id: "mine")
        }
        _ = try await two.alice.send("for bob alone", in: two.chat)
        await two.server.settle()
        let answers = theirs.take()
        #expect(!answers.isEmpty)
        for answer in answers {
            guard case .error(let error) = answer else {
                Issue.record("heard \(answer)")
                continue
            }
            #expect(error.code == "NOT_FOUND")
        }
        #expect(!theirs.texts.joined().contains("for bob alone"))
        try theirs.send(.syncRequest(SyncRequest(conversations: [two.chat: held])))
        let complete = await theirs.next {
            if case .syncComplete(let complete) = $0 { complete } else { nil }
        }
        #expect(complete.conversations.isEmpty)
        let heard = mine.take()
        #expect(
            heard.allSatisfy {
                if case .messageNew(let message) = $0 { message.body == "for bob alone" } else { true }
            })
        #expect(!heard.contains { if case .typing = $0 { true } else { false } })
    }

    @Test("The sync of one holds nothing of the other")
    func sync() async throws {
        _ = try await two.alice.send("hello", in: two.chat)
        let page = try await stranger.syncAll()
        #expect(page.me?.id == stranger.user)
        #expect(page.users.isEmpty && page.friends.isEmpty && page.friendRequests.isEmpty)
        #expect(page.conversations.isEmpty && page.blocks.isEmpty && page.hiddenMessages.isEmpty)
    }
}
