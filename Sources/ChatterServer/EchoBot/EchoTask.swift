import ChatterModel

/// A message that a bot has taken: it is read after a moment, typed for and answered.
struct EchoTask: Sendable, Equatable {
    enum Stage: Int, Sendable, Comparable {
        case taken = 0
        case read = 1
        case typing = 2

        static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    let message: ID<Message>
    let conversation: ID<Conversation>
    let seq: Int64
    let readAt: Timestamp
    let dueAt: Timestamp
    let stage: Stage

    /// How far it is at `now`, unless it is due.
    func stage(at now: Timestamp, typing: Duration) -> Stage {
        if dueAt.advanced(by: .zero - typing) <= now { return .typing }
        return readAt <= now ? .read : .taken
    }

    /// When it goes on, after what is to be done at `now`.
    func next(after now: Timestamp, typing: Duration) -> Timestamp {
        switch stage(at: now, typing: typing) {
        case .taken: readAt
        case .read: dueAt.advanced(by: .zero - typing)
        case .typing: dueAt
        }
    }
}
