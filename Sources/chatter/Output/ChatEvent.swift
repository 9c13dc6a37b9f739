import ChatterClient
import ChatterModel

/// Something that happened, as `watch` and a chat without a screen print it.
enum ChatEvent: Equatable, Sendable {
    case message(MessageItem)
    case status(MessageItem)
    case deleted(MessageItem)
    case typing(User, Bool)
    case presence(User, Presence)
    case request(RequestItem)
    case requestClosed(RequestItem)
    case friend(User)
    case friendRemoved(User)
    case connection(ConnectionState)

    func text(_ time: TimeText) -> String {
        switch self {
        case .message(let item): PlainMessage.line(item, time: time)
        case .status(let item): "-- \(item.seq.map { "#\($0) " } ?? "")\(Self.status(item))"
        case .deleted(let item): "-- #\(item.seq ?? 0) was deleted"
        case .typing(let user, true): "-- \(Words.name(of: user)) is typing…"
        case .typing(let user, false): "-- \(Words.name(of: user)) stopped typing"
        case .presence(let user, let presence):
            "-- \(Words.name(of: user)) is \(presence.online ? "online" : "offline")"
        case .request(let item) where item.direction == .incoming:
            "-- \(Words.fullName(of: item.user)) wants to be your friend"
        case .request(let item): "-- you asked \(Words.fullName(of: item.user)) to be friends"
        case .requestClosed(let item): "-- the request with \(Words.fullName(of: item.user)) is closed"
        case .friend(let user): "-- you and \(Words.fullName(of: user)) are friends"
        case .friendRemoved(let user): "-- you and \(Words.fullName(of: user)) are no longer friends"
        case .connection(let state): "-- \(ConnectionLabel.text(state))"
        }
    }

    private static func status(_ item: MessageItem) -> String {
        guard let status = item.status else { return "is here" }
        return "\(Ticks.mark(status)) \(Ticks.word(status))\(PlainMessage.reason(item))"
    }

    var shape: Shape {
        switch self {
        case .message(let item): Shape(event: "message", message: MessageShape(item))
        case .status(let item): Shape(event: "status", message: MessageShape(item))
        case .deleted(let item): Shape(event: "deleted", message: MessageShape(item))
        case .typing(let user, let typing): Shape(event: "typing", user: PersonShape(user), isTyping: typing)
        case .presence(let user, let presence):
            Shape(event: "presence", user: PersonShape(user), presence: PresenceShape(presence))
        case .request(let item): Shape(event: "request", request: RequestShape(item))
        case .requestClosed(let item): Shape(event: "requestClosed", request: RequestShape(item))
        case .friend(let user): Shape(event: "friend", user: PersonShape(user))
        case .friendRemoved(let user): Shape(event: "friendRemoved", user: PersonShape(user))
        case .connection(let state): Shape(event: "connection", connection: Self.word(state))
        }
    }

    /// The word for programs.
    static func word(_ state: ConnectionState) -> String {
        switch state {
        case .online: "online"
        case .syncing: "syncing"
        case .connecting: "connecting"
        case .offline: "offline"
        }
    }

    struct Shape: Encodable {
        var event: String
        var message: MessageShape?
        var user: PersonShape?
        var isTyping: Bool?
        var presence: PresenceShape?
        var request: RequestShape?
        var connection: String?
    }
}

/// A line of input that was not carried out, among the events of `--json`.
struct RefusedLineShape: Encodable {
    var event = "refused"
    /// Counted from 1, empty lines too.
    var line: Int
    var error: FailureShape.Content
}

extension Console {
    /// Told at once, in both ways: whoever wrote the line is to know which it was.
    func refused(line number: Int, _ failure: Failure) throws {
        guard json else { return complain("chatter: line \(number): \(failure.message)") }
        let error = FailureShape.Content(code: failure.code, message: failure.message)
        try line(JSONText.encode(RefusedLineShape(line: number, error: error)))
    }

    func event(_ event: ChatEvent) throws {
        try line(json ? JSONText.encode(event.shape) : event.text(.current))
    }
}
