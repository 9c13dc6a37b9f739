import ChatterClient
import ChatterModel

/// Who wrote a message, when it was sent, and how far it got.
nonisolated public struct MessageDetails: Hashable, Sendable {
    public var sender: String
    public var text: String
    /// Label and value, in the order to show.
    public var lines: [Line]

    public struct Line: Hashable, Sendable {
        public var label: String
        /// Empty where only the fact is known, and not when it was.
        public var value: String
    }

    init(_ item: MessageItem, title: String, words: TimeWords) {
        sender = item.isMine ? "You" : item.sender.map { PersonLabel.name(of: $0) } ?? title
        text = RowBuilder.text(of: item)
        lines = [Line(label: item.seq == nil ? "Written" : "Sent", value: words.full(item.createdAt))]
        if let edited = item.editedAt { lines.append(Line(label: "Edited", value: words.full(edited))) }
        if let status = item.status { lines += Self.progress(status, item, words) }
    }

    private static func progress(
        _ status: DeliveryStatus, _ item: MessageItem, _ words: TimeWords
    ) -> [Line] {
        let delivered = Line(label: "Delivered", value: item.deliveredAt.map(words.full) ?? "")
        return switch status {
        case .sent: []
        case .delivered: [delivered]
        case .read: [delivered, Line(label: "Read", value: item.readAt.map(words.full) ?? "")]
        case .pending: [Line(label: "Status", value: "Waits to be sent")]
        case .failed(let reason):
            [
                Line(label: "Status", value: "Not sent"),
                Line(label: "Reason", value: RefusalLabel.text(reason)),
            ]
        }
    }
}
