/// The promise, checked when all is quiet: server and devices hold the same messages, once each, in one order, each
/// with the right tick, and each count of unread ones is right.
struct EndCheck {
    let served: ServedChat

    /// What is wrong, in words; empty when the promise was kept.
    func problems(with copies: [DeviceCopy]) -> [String] {
        serverProblems()
            + copies.flatMap { copy in
                (rowProblems(copy) + shownProblems(copy)).map { "\(copy.device): \($0)" }
            }
    }

    /// Each list as typed on one device, less what was deleted for everyone.
    func problems(typed: [[String]], deleted: Set<String>) -> [String] {
        let texts = served.messages.filter { !$0.isDeleted }.map(\.text)
        var problems: [String] = []
        for list in typed {
            let wanted = list.filter { !deleted.contains($0) }
            let own = Set(list)
            if texts.filter(own.contains) != wanted {
                problems.append("not as typed: \(wanted.first ?? "nothing")…")
            }
        }
        let all = typed.joined().count
        if served.messages.count != all {
            problems.append("\(served.messages.count) messages on the server, \(all) typed")
        }
        return problems
    }

    private func serverProblems() -> [String] {
        var problems: [String] = []
        if served.messages.map(\.seq) != served.messages.indices.map({ Int64($0) + 1 }) {
            problems.append("server: the seqs are not dense")
        }
        if Set(served.messages.map(\.clientMessageID)).count != served.messages.count {
            problems.append("server: a message is there twice")
        }
        return problems
    }

    private func rowProblems(_ copy: DeviceCopy) -> [String] {
        let wanted = served.messages.map { message in
            let isHidden = message.hiddenFor.contains(copy.owner)
            return StoredChat.Row(
                seq: message.seq, clientMessageID: message.clientMessageID,
                text: isHidden ? "" : message.text, isMine: message.sender == copy.owner,
                isDeleted: message.isDeleted, isHidden: isHidden)
        }
        return difference(wanted, copy.rows, "stored")
    }

    private func shownProblems(_ copy: DeviceCopy) -> [String] {
        let visible = served.messages.filter { !$0.hiddenFor.contains(copy.owner) }
        var problems = difference(
            visible.map { Line(seq: $0.seq, text: $0.text, tick: tick($0, for: copy.owner)) },
            copy.shown.map { Line(seq: $0.seq, text: $0.body, tick: $0.isDeleted ? nil : $0.status) }, "shown"
        )
        let read = served.marks[copy.owner]?.read ?? 0
        let unread = visible.filter { $0.sender != copy.owner && !$0.isDeleted && $0.seq > read }.count
        if copy.unreadCount != unread {
            problems.append("counts \(copy.unreadCount) unread where \(unread) are")
        }
        return problems
    }

    private struct Line: Hashable {
        let seq: Int64
        let text: String
        let tick: String?
    }

    /// On one's own, and none on what was deleted.
    private func tick(_ message: ServedChat.Message, for owner: String) -> String? {
        guard message.sender == owner, !message.isDeleted else { return nil }
        let others = served.marks.filter { $0.key != owner }.values
        if others.allSatisfy({ message.seq <= $0.read }) { return "read" }
        return others.allSatisfy { message.seq <= $0.delivered } ? "delivered" : "sent"
    }

    private func difference<Item: Equatable>(_ wanted: [Item], _ found: [Item], _ what: String) -> [String] {
        if let (wanted, found) = zip(wanted, found).first(where: { $0 != $1 }) {
            return ["\(what) \(found) instead of \(wanted)"]
        }
        return wanted.count == found.count ? [] : ["\(what) \(found.count) instead of \(wanted.count)"]
    }
}
