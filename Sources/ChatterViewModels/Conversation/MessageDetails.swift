import ChatterClient
import ChatterModel

/// Who wrote a message, and how far it got.
nonisolated public struct MessageDetails: Hashable, Sendable {
    public var sender: String
    public var text: String
    /// Label and value, in the order to show.
    public var lines: [Line]

    public struct Line: Hashable, Sendable {
        public var label: String
        public var value: String
    }

    init(_ item: MessageItem, title: String, words: TimeWords) {
        sender = item.isMine ? "You" : item.sender.map { PersonLabel.name(of: $0) } ?? title
        text = item.body
        lines = [Line(label: item.seq == nil ? "Written" : "Sent", value: words.full(item.createdAt))]
        if let edited = item.editedAt { lines.append(Line(label: "Edited", value: words.full(edited))) }
        guard let status = item.status else { return }
        lines.append(Line(label: "Status", value: Tick(status).spoken.capitalized))
        if case .failed(let reason) = status {
            lines.append(Line(label: "Reason", value: RefusalLabel.text(reason)))
        }
    }
}
