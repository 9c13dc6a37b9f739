import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Sending from everywhere at once", .timeLimit(.minutes(2)))
struct ConcurrentSendTests {
    // Field case 33
    @Test(
        "200 sends from 20 connections, with a restart in the middle: dense, each once, none refused for good"
    )
    func restartInTheMiddle() async throws {
        let directory = try ChatterTestSupport.TemporaryDirectory()
        let path = directory.file("chatter.db").path
        let two = try await TwoFriends { $0.databasePath = path }
        let senders = (0..<20).map { number in
            Sender(
                device: number.isMultiple(of: 2) ? two.alice : two.bob, chat: two.chat,
                texts: (0..<10).map { "\(number)-\($0)" })
        }
        // Everyone sends at once; the server stops while they do.
        await withTaskGroup { group in
            for sender in senders { group.addTask { await sender.sendWhatIsLeft(to: two.server) } }
            group.addTask { await two.server.stop() }
        }
        let before = senders.flatMap(\.acks).count
        let again = try await TestServer(clock: two.server.clock) { $0.databasePath = path }
        await withTaskGroup { group in
            for sender in senders { group.addTask { await sender.sendWhatIsLeft(to: again) } }
        }

        let acks = senders.flatMap(\.acks)
        #expect(before < 200, "the server stopped before all were sent")
        #expect(acks.count == 200)
        #expect(acks.map(\.seq).sorted() == Array(1...200))
        let history = try await two.alice.on(again).messages(two.chat, ["limit": "200"])
        #expect(history.messages.map(\.seq) == Array(1...200))
        #expect(history.messages.map(\.change) == Array(1...200))
        #expect(history.lastSeq == 200 && !history.hasMore)
        let texts = history.messages.map(\.body)
        #expect(Set(texts) == Set(senders.flatMap(\.texts)))
        for sender in senders {
            #expect(texts.filter { sender.texts.contains($0) } == sender.texts, "in the order of sending")
        }
        await again.stop()
    }

    @Test("Parallel repetitions of one send by socket and REST are one message")
    func parallelRepetitions() async throws {
        let two = try await TwoFriends()
        let id = ClientMessageID.new()
        let acks = try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        return try await two.alice.send("once", in: two.chat, as: id)
                    }
                    let live = try two.alice.connect()
                    let message = SendMessage(clientMessageID: id, conversationID: two.chat, body: "once")
                    try live.send(.messageSend(message), id: "\(number)")
                    return await live.next { $0.ack }
                }
            }
            return try await group.reduce(into: Set<MessageAck>()) { $0.insert($1) }
        }
        #expect(acks.count == 1)
        #expect(try await two.bob.messages(two.chat).messages.count == 1)
        await two.server.stop()
    }
}

/// One connection that sends its texts one after the other, and after a restart those that were not acked.
private final class Sender: Sendable {
    let texts: [String]
    private let device: TestDevice
    private let chat: ID<Conversation>
    private let ids: [ClientMessageID]
    private let acked = Locked<[MessageAck]>([])

    init(device: TestDevice, chat: ID<Conversation>, texts: [String]) {
        self.device = device
        self.chat = chat
        self.texts = texts
        ids = texts.map { _ in .new() }
    }

    var acks: [MessageAck] { acked.value }

    func sendWhatIsLeft(to server: TestServer) async {
        guard let live = try? device.on(server).connect() else { return }  // stopped already
        while acks.count < texts.count {
            let number = acks.count
            let message = SendMessage(clientMessageID: ids[number], conversationID: chat, body: texts[number])
            guard (try? live.send(.messageSend(message))) != nil else { return }
            await server.settle()
            // None when the server stopped first.
            let answer = live.events.compactMap(\.ack).first { $0.clientMessageID == ids[number] }
            guard let answer else { return }
            acked.change { $0.append(answer) }
        }
    }
}
