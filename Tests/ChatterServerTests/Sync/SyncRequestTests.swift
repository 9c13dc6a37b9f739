import ChatterModel
import ChatterTestSupport
import Testing

@Suite("sync.request", .timeLimit(.minutes(5)))
struct SyncRequestTests {
    private let nothing = SyncRequest.Held(seq: 0, change: 0)

    @Test("What is missing is streamed, oldest change first, and the end says how far it went")
    func stream() async throws {
        let two = try await TwoFriends()
        var acks: [MessageAck] = []
        for number in 1...6 { acks.append(try await two.alice.send("\(number)", in: two.chat)) }
        _ = try await two.alice.delete(acks[1].id, .everyone)  // change 7, held as seq 2
        _ = try await two.alice.delete(acks[4].id, .everyone)  // change 8, not held
        let live = try two.bob.connect()
        let events = try await live.sync([two.chat: SyncRequest.Held(seq: 4, change: 4)])
        let messages = events.filter { $0.message != nil }
        #expect(messages.map(\.type) == ["message.new", "message.updated", "message.new"])
        #expect(messages.compactMap(\.message?.seq) == [6, 2, 5])
        #expect(messages.compactMap(\.message?.change) == [6, 7, 8])
        let state = SyncComplete.State(change: 8, lastSeq: 6, lastChange: 8, hasMore: false)
        #expect(events.last == .syncComplete(SyncComplete(conversations: [two.chat: state])))
        #expect(live.frames.last?.id == "sync")
        await two.server.stop()
    }

    @Test("A hole below newer messages is filled: more than one page, and by the seq alone")
    func holes() async throws {
        let two = try await TwoFriends()
        for number in 1...10 { _ = try await two.alice.send("\(number)", in: two.chat) }
        let live = try two.bob.connect()
        // Got 9 and 10 live, so that all changes up to 10 but those of the hole 5...8 are there.
        let events = try await live.sync([two.chat: SyncRequest.Held(seq: 4, change: 10)])
        #expect(events.compactMap(\.message?.seq) == [5, 6, 7, 8, 9, 10])
        await two.server.stop()
    }

    @Test("At most a hundred messages a conversation; the rest is paged by REST from where it says")
    func bounded() async throws {
        let two = try await TwoFriends()
        for number in 1...130 { _ = try await two.alice.send("\(number)", in: two.chat) }
        let live = try two.bob.connect()
        let events = try await live.sync([two.chat: nothing])
        #expect(events.compactMap(\.message?.seq) == Array(1...100))
        let state = try #require(events.last?.syncComplete?.conversations[two.chat])
        #expect(state == SyncComplete.State(change: 100, lastSeq: 130, lastChange: 130, hasMore: true))
        let rest = try await two.bob.messages(two.chat, ["afterChange": "\(state.change)"])
        #expect(rest.messages.map(\.seq) == Array(101...130) && !rest.hasMore)
        await two.server.stop()
    }

    @Test("Large messages stop the stream before they fill the connection's queue")
    func largeBodies() async throws {
        let two = try await TwoFriends()
        let large = String(repeating: "𝔘", count: Limits.messageCharacters)
        for _ in 1...40 { _ = try await two.alice.send(large, in: two.chat) }
        let carol = try await two.server.signUp("carol")
        try await two.bob.befriend(carol)
        let other = try await carol.openChat(with: two.bob)
        _ = try await carol.send("small", in: other)

        let live = try two.bob.connect()
        let events = try await live.sync([two.chat: nothing, other: nothing])
        let sent = events.compactMap(\.message).filter { $0.conversationID == two.chat }
        #expect(!sent.isEmpty && sent.count < 40)
        #expect(live.texts.reduce(0) { $0 + $1.utf8.count } < 1024 * 1024)
        let states = try #require(events.last?.syncComplete?.conversations)
        #expect(states[two.chat]?.hasMore == true)
        #expect(states[two.chat]?.change == sent.last?.change)
        // Whatever was left out says so.
        let got = events.compactMap(\.message).contains { $0.conversationID == other }
        #expect(states[other]?.hasMore == !got)
        await two.server.stop()
    }

    @Test("Other people's conversations and more than a thousand are not answered")
    func refusals() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        let live = try carol.connect()
        let events = try await live.sync([two.chat: nothing, ID("nowhere"): nothing])
        #expect(events.last?.syncComplete?.conversations.isEmpty == true)
        #expect(events.compactMap(\.message).isEmpty)
        let many = (0...Limits.syncConversations).map { (ID<Conversation>("c\($0)"), nothing) }
        let request = SyncRequest(conversations: Dictionary(uniqueKeysWithValues: many))
        try live.send(.syncRequest(request), id: "many")
        let error = await live.next { $0.error }
        #expect(error.code == ErrorCode.validationFailed.rawValue)
        await two.server.stop()
    }

    @Test("It begins with every friend's presence")
    func presence() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        try await two.bob.befriend(carol)
        let alice = try two.alice.connect()
        await two.server.settle()
        let live = try two.bob.connect()
        let events = try await live.sync([:])
        let online = events.compactMap(\.presence).reduce(into: [:]) { $0[$1.userID] = $1.online }
        #expect(online == [two.alice.user: true, carol.user: false])
        _ = alice
        await two.server.stop()
    }

    @Test(
        "A device that was away at any moment is repaired by the stream and pages after it", arguments: 1...8)
    func anyMoment(_ seed: UInt64) async throws {
        let two = try await TwoFriends()
        var random = SeededRandom(seed: seed)
        var sent: [(device: TestDevice, ack: MessageAck)] = []
        var device = MessageStore()
        for _ in 0..<400 {
            let person = Bool.random(using: &random) ? two.alice : two.bob
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where !sent.isEmpty:
                let target = sent[Int.random(in: 0..<sent.count, using: &random)]
                _ = try await target.device.delete(target.ack.id, .everyone)
            case 1 where Int.random(in: 0..<4, using: &random) == 0:
                try await device.repair(two.bob, two.chat)
            default:
                sent.append((person, try await person.send("\(sent.count)", in: two.chat)))
            }
        }
        try await device.repair(two.bob, two.chat)
        var truth: [Message] = []
        while true {
            let page = try await two.bob.messages(
                two.chat, ["afterSeq": "\(truth.last?.seq ?? 0)", "limit": "200"])
            truth += page.messages
            if !page.hasMore { break }
        }
        #expect(device.messages == truth)
        await two.server.stop()
    }
}

/// The least a client must do: keep the newest change of each message, and ask for what is above its own.
private struct MessageStore {
    private var bySeq: [Int64: Message] = [:]
    private var change: Int64 = 0

    var messages: [Message] { bySeq.values.sorted { $0.seq < $1.seq } }

    mutating func repair(_ device: TestDevice, _ chat: ID<Conversation>) async throws {
        let live = try device.connect()
        let held = SyncRequest.Held(seq: bySeq.keys.max() ?? 0, change: change)
        let events = try await live.sync([chat: held])
        for message in events.compactMap(\.message) { merge(message) }
        guard let state = events.last?.syncComplete?.conversations[chat] else { return }
        change = state.change
        var hasMore = state.hasMore
        while hasMore {
            let page = try await device.messages(chat, ["afterChange": "\(change)", "limit": "30"])
            for message in page.messages { merge(message) }
            hasMore = page.hasMore
            change = hasMore ? page.messages.map(\.change).max() ?? change : page.lastChange
        }
        live.disconnect()
    }

    private mutating func merge(_ message: Message) {
        if let known = bySeq[message.seq], known.change >= message.change { return }
        bySeq[message.seq] = message
    }
}
