import ChatterModel
import ChatterTestSupport
import Testing

@Suite("A random life of four people", .timeLimit(.minutes(2)))
struct RandomLifeTests {
    @Test(
        "A device that syncs now and then, loses its socket and gets late answers ends as a fresh one begins",
        arguments: 1...6)
    func replicas(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let server = try await TestServer()
        var people: [TestDevice] = []
        for name in ["alice", "bobby", "carol", "dave1"] { people.append(try await server.signUp(name)) }
        var replicas = people.map { Replica(device: $0) }
        for _ in 0..<350 {
            let actor = Int.random(in: 0..<4, using: &random)
            let other = (actor + Int.random(in: 1...3, using: &random)) % 4
            await act(people[actor], people[other], &random)
            let index = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: try await replicas[index].sync()
            case 1: try await replicas[index].reconnect(server)
            case 2: try await replicas[index].ask()
            case 3: replicas[index].takeLateAnswers()
            default: await replicas[index].takeEvents(server)
            }
        }
        for var replica in replicas {
            await replica.takeEvents(server)
            try await replica.sync()
            replica.takeLateAnswers()
            try await replica.compareWithFresh()
        }
        await server.stop()
    }

    /// Something that a person may or may not be allowed to do just now.
    private func act(_ actor: TestDevice, _ other: TestDevice, _ random: inout SeededRandom) async {
        let step = Int.random(in: 0..<16, using: &random)
        let number = Int.random(in: 1...40, using: &random)
        do {
            switch step {
            case 0, 1: _ = try await actor.request(other)
            case 2, 3:
                if let request = try await actor.requests(.incoming).first {
                    _ = try await actor.accept(request)
                }
            case 4:
                if let request = try await actor.requests(.outgoing).first, number < 20 {
                    _ = try await actor.call(Routes.cancelFriendRequest, ["id": request.id.rawValue])
                }
            case 5: if number < 8 { _ = try await actor.block(other) }
            case 6, 7: try await actor.unblock(other)
            case 8:
                if number < 8 {
                    _ = try await actor.call(Routes.removeFriend, ["userId": other.user.rawValue])
                }
            case 9: _ = try await actor.call(Routes.editProfile, body: EditProfile(about: "about \(number)"))
            default: try await chat(actor, other, step, Int64(number))
            }
        } catch let error as APIError {
            let isExpected: Set<ErrorCode> = [
                .blocked, .notFriends, .alreadyFriends, .requestClosed, .notFound, .forbidden,
            ]
            #expect(isExpected.contains(error.code), "step \(step): \(error)")
        } catch {
            Issue.record(error)
        }
    }

    private func chat(_ actor: TestDevice, _ other: TestDevice, _ step: Int, _ number: Int64) async throws {
        let chat = try await actor.openChat(with: other)
        switch step {
        case 10: _ = try await actor.mark(delivered: number, in: chat)
        case 11: _ = try await actor.mark(read: number, in: chat)
        case 12:
            let settings = EditSettings(archived: number < 20, pinned: number.isMultiple(of: 2))
            _ = try await actor.edit(settings, of: chat)
        case 13:
            let page = try await actor.messages(chat, ["limit": "5"])
            if let message = page.messages.first {
                _ = try await actor.delete(message.id, number < 20 ? .me : .everyone)
            }
        default: _ = try await actor.send("message \(number)", in: chat)
        }
    }
}

/// The least a client must keep of `GET /sync` and of live events: a record gives way to one of the same or a
/// higher version.
private struct Replica {
    private let device: TestDevice
    private var live: TestConnection?
    private var cursor: String?
    private var friends: [ID<User>: Versioned<Friend>] = [:]
    private var blocks: [ID<User>: Versioned<Block>] = [:]
    private var requests: [ID<FriendRequest>: FriendRequest] = [:]
    private var conversations: [ID<Conversation>: Conversation] = [:]
    private var users: [ID<User>: User] = [:]
    private var lateAnswers: [Conversation] = []

    /// nil: removed at that version.
    struct Versioned<Record: Sendable>: Sendable {
        let record: Record?
        let version: Int64
    }

    init(device: TestDevice) { self.device = device }

    // MARK: - Hearing

    mutating func reconnect(_ server: TestServer) async throws {
        live?.disconnect()
        // Whatever was under way is lost.
        await server.settle()
        live = try device.connect()
    }

    mutating func takeEvents(_ server: TestServer) async {
        await server.settle()
        for event in live?.take() ?? [] {
            switch event {
            case .conversationUpdated(let conversation): merge(conversation)
            case .userUpdated(let user): merge(user)
            case .friendRemoved(let removed): merge(removed)
            case .friendRequestReceived(let request), .friendRequestDeclined(let request),
                .friendRequestCancelled(let request):
                merge(request)
            case .friendRequestAccepted(let made):
                merge(made.request)
                merge(made.friend)
            default: break
            }
        }
    }

    mutating func sync() async throws {
        let page = try await device.syncAll(since: cursor, limit: 3)
        cursor = page.cursor
        for user in page.users { merge(user) }
        for friend in page.friends { merge(friend) }
        for removed in page.removedFriends { merge(removed) }
        for request in page.friendRequests { merge(request) }
        for block in page.blocks {
            merge(&blocks, block.user.id, Versioned(record: block, version: block.version))
        }
        for removed in page.removedBlocks {
            merge(&blocks, removed.userID, Versioned(record: nil, version: removed.version))
        }
        for conversation in page.conversations { merge(conversation) }
    }

    /// Answers that arrive after newer news.
    mutating func ask() async throws {
        lateAnswers += try await device.call(Routes.conversations).items
    }

    mutating func takeLateAnswers() {
        for conversation in lateAnswers { merge(conversation) }
        lateAnswers = []
    }

    // MARK: - Merging

    private mutating func merge(_ conversation: Conversation) {
        if let known = conversations[conversation.id], known.version > conversation.version { return }
        conversations[conversation.id] = conversation
        for member in conversation.members { merge(member.user) }
    }

    private mutating func merge(_ user: User) {
        if let known = users[user.id], known.version > user.version { return }
        users[user.id] = user
    }

    private mutating func merge(_ request: FriendRequest) {
        if let known = requests[request.id], known.version > request.version { return }
        requests[request.id] = request
    }

    private mutating func merge(_ friend: Friend) {
        merge(friend.user)
        merge(&friends, friend.user.id, Versioned(record: friend, version: friend.version))
    }

    private mutating func merge(_ removed: Removed) {
        merge(&friends, removed.userID, Versioned(record: nil, version: removed.version))
    }

    private func merge<Record>(
        _ table: inout [ID<User>: Versioned<Record>], _ id: ID<User>, _ new: Versioned<Record>
    ) {
        if let known = table[id], known.version > new.version { return }
        table[id] = new
    }

    // MARK: - Comparing

    func compareWithFresh() async throws {
        let fresh = try await device.syncAll()
        #expect(Set(friends.compactMap { $0.value.record?.user.id }) == Set(fresh.friends.map(\.user.id)))
        for friend in fresh.friends { #expect(friends[friend.user.id]?.version == friend.version) }
        #expect(Set(blocks.compactMap { $0.value.record?.user.id }) == Set(fresh.blocks.map(\.user.id)))
        #expect(
            Set(requests.values.filter { $0.status == .pending }.map(\.id))
                == Set(fresh.friendRequests.map(\.id)))
        for user in fresh.users { #expect(users[user.id] == user) }
        #expect(Set(conversations.keys) == Set(fresh.conversations.map(\.id)))
        for conversation in fresh.conversations {
            #expect(conversations[conversation.id].map(comparable) == comparable(conversation))
        }
    }

    /// People are compared by their own records. The counters go on unseen while messages are kept back.
    private func comparable(_ conversation: Conversation) -> Conversation {
        var copy = conversation
        for index in copy.members.indices {
            let id = copy.members[index].user.id
            copy.members[index].user = User(id: id, username: nil, displayName: nil, version: 0)
        }
        copy.lastSeq = 0
        copy.lastChange = 0
        return copy
    }
}
