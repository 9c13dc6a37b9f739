import Testing

/// A check that cannot fail proves nothing: each promise is broken once in a copy.
@Suite("The end check of the chaos tests notices what is wrong")
struct EndCheckTests {
    /// Five messages by turns. The second is deleted for everyone, the third Bob has hidden. Bob has read to 3 and
    /// has everything; Alice has read all but has the last one not yet.
    private func served() -> ServedChat {
        let messages = (1...5).map { (seq: Int) -> ServedChat.Message in
            ServedChat.Message(
                seq: Int64(seq), clientMessageID: "id \(seq)", sender: isAlices(seq) ? "alice" : "bob",
                text: text(seq), isDeleted: seq == 2, hiddenFor: seq == 3 ? ["bob"] : [])
        }
        return ServedChat(
            messages: messages,
            marks: ["alice": .init(delivered: 4, read: 4), "bob": .init(delivered: 5, read: 3)])
    }

    private func isAlices(_ seq: Int) -> Bool { !seq.isMultiple(of: 2) }

    private func text(_ seq: Int) -> String { seq == 2 ? "" : "text \(seq)" }

    private func alice() -> DeviceCopy {
        let rows = (1...5).map { (seq: Int) -> StoredChat.Row in
            StoredChat.Row(
                seq: Int64(seq), clientMessageID: "id \(seq)", text: text(seq), isMine: isAlices(seq),
                isDeleted: seq == 2)
        }
        let shown = [
            shown(1, "read"), shown(2, nil, isMine: false), shown(3, "read"), shown(4, nil, isMine: false),
            shown(5, "delivered"),
        ]
        return DeviceCopy(device: "alice", owner: "alice", rows: rows, shown: shown, unreadCount: 0)
    }

    private func bob() -> DeviceCopy {
        let rows = (1...5).map { (seq: Int) -> StoredChat.Row in
            StoredChat.Row(
                seq: Int64(seq), clientMessageID: "id \(seq)", text: seq == 3 ? "" : text(seq),
                isMine: !isAlices(seq), isDeleted: seq == 2, isHidden: seq == 3)
        }
        let shown = [
            shown(1, nil, isMine: false), shown(2, nil), shown(4, "read"), shown(5, nil, isMine: false),
        ]
        return DeviceCopy(device: "bob", owner: "bob", rows: rows, shown: shown, unreadCount: 1)
    }

    private func shown(_ seq: Int, _ status: String?, isMine: Bool = true) -> DeviceCopy.Shown {
        DeviceCopy.Shown(
            seq: Int64(seq), body: text(seq), isMine: isMine, isDeleted: seq == 2, status: status)
    }

    private func problems(_ copies: DeviceCopy...) -> [String] {
        EndCheck(served: served()).problems(with: copies)
    }

    @Test("Right copies have no problem")
    func right() {
        #expect(problems(alice(), bob()) == [])
    }

    static let breaks: [@Sendable (inout DeviceCopy) -> Void] = [
        { $0.rows.removeLast() },
        { $0.rows.remove(at: 2) },
        { $0.rows.append($0.rows[4]) },
        { $0.rows.swapAt(0, 2) },
        {
            $0.rows[1] = .init(seq: 2, clientMessageID: "id 2", text: "still", isMine: false, isDeleted: true)
        },
        { $0.rows[3].isHidden = true },
        { $0.rows[0].isDeletionWanted = true },
        { $0.shown.removeLast() },
        { $0.shown.swapAt(3, 4) },
        { $0.shown[4] = .init(seq: 5, body: "text 5", isMine: true, isDeleted: false, status: "read") },
        { $0.shown[0] = .init(seq: 1, body: "text 1", isMine: true, isDeleted: false, status: "delivered") },
        { $0.shown[2] = .init(seq: 3, body: "text 3", isMine: true, isDeleted: false, status: nil) },
        { $0.unreadCount = 1 },
    ]

    @Test(
        "A copy that lost, doubled, swapped, kept or ticked one message wrongly has",
        arguments: breaks.indices)
    func wrong(index: Int) {
        var copy = alice()
        Self.breaks[index](&copy)
        #expect(problems(copy, bob()).count == 1)
    }

    @Test("A server with a hole or a double has")
    func server() {
        var served = served()
        served.messages.remove(at: 2)
        #expect(EndCheck(served: served).problems(with: []) == ["server: the seqs are not dense"])
        served = self.served()
        served.messages[4] = .init(
            seq: 5, clientMessageID: "id 1", sender: "alice", text: "text 1", isDeleted: false, hiddenFor: [])
        #expect(EndCheck(served: served).problems(with: []) == ["server: a message is there twice"])
    }

    @Test("Another order than the typed one, a lost text and one too many have")
    func typed() {
        let check = EndCheck(served: served())
        let alice = ["text 1", "text 3", "text 5"]
        let bob = ["text 2", "text 4"]
        #expect(check.problems(typed: [alice, bob], deleted: ["text 2"]) == [])
        #expect(check.problems(typed: [alice, bob], deleted: []).count == 1)
        #expect(check.problems(typed: [alice.reversed(), bob], deleted: ["text 2"]).count == 1)
        #expect(check.problems(typed: [alice + ["text 6"], bob], deleted: ["text 2"]).count == 2)
        #expect(check.problems(typed: [Array(alice.dropLast()), bob], deleted: ["text 2"]).count == 1)
    }
}
