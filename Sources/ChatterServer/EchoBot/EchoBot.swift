import ChatterModel
import Synchronization

/// One workspace's echo bot: a client like any other, but inside the server. It hears events through a live
/// connection of its own and acts through the same functions as people.
final class EchoBot: ConnectionSink {
    private struct State {
        var connection: LiveConnection?
        var alarm: ScheduledWork?
        /// Something came that could not be taken at the time; at the start, whatever came before it.
        var mustCatchUp = true
        var isClosed = false
    }

    let user: ID<User>
    private let parts: EchoParts
    private let state = Mutex(State())

    init(user: ID<User>, parts: EchoParts) {
        self.user = user
        self.parts = parts
    }

    /// Connects, and goes on with what came or was left while no server ran.
    func start(in workspace: ID<Workspace>) {
        let session = Session(
            workspace: workspace, user: user, device: ID("echo-\(user)"), expiresAt: .distantFuture,
            isProfileComplete: true)
        let connection = parts.hub.open(session, sink: self)
        state.withLock { $0.connection = connection }
        act()
    }

    func stop() { close(code: CloseCode.restarting.rawValue, reason: "") }

    // MARK: - Its connection

    var queuedBytes: Int { 0 }
    var isInternal: Bool { true }

    func send(_ frame: [UInt8]) -> Bool {
        guard !state.withLock({ $0.isClosed }) else { return false }
        switch event(frame) {
        case .messageNew(let message) where message.senderID != user:
            act { [user] in try EchoQueries.take(for: user, in: message.conversationID, $0) }
        case .friendRequestReceived:
            act { [user, parts] transaction in
                try EchoQueries.acceptRequests(to: user, presence: parts.presence, in: transaction)
            }
        default: break
        }
        return true
    }

    func close(code: UInt16, reason: String) {
        let (connection, alarm) = state.withLock { state in
            defer { state = State(isClosed: true) }
            return (state.connection, state.alarm)
        }
        alarm?.cancel()
        if let connection { parts.hub.closed(connection) }
    }

    private func event(_ frame: [UInt8]) -> ServerEvent? {
        do {
            return try Wire.decode(ServerFrame.self, from: frame).event
        } catch {
            parts.log.error("the echo bot cannot read a frame", ["cause": .error(error)])
            return nil
        }
    }

    // MARK: - Acting

    /// Does `first`, then whatever else is due, in one transaction, and sets the alarm for what comes next.
    private func act(_ first: @escaping @Sendable (WriteTransaction) throws -> Void = { _ in }) {
        let catchesUp = state.withLock { state in
            defer { state.mustCatchUp = false }
            return state.mustCatchUp
        }
        parts.storage.enqueue { [self] transaction in
            if catchesUp { try catchUp(in: transaction) }
            try first(transaction)
            let progress = try EchoQueries.work(for: user, in: transaction)
            transaction.afterCommit { [self] in show(progress) }
        } failed: { [self] error in
            parts.log.error("the echo bot could not act", ["cause": .error(error)])
            // Nothing is lost: what was not taken is still above its watermark.
            state.withLock { $0.mustCatchUp = true }
            wake(after: .seconds(10))
        }
    }

    private func catchUp(in transaction: WriteTransaction) throws {
        try EchoQueries.acceptRequests(to: user, presence: parts.presence, in: transaction)
        try EchoQueries.take(for: user, in: nil, transaction)
    }

    private func show(_ progress: EchoQueries.Progress) {
        do {
            for conversation in progress.startedTyping {
                try parts.typing.start(conversation, by: user)
            }
            for conversation in progress.stoppedTyping { try parts.typing.stop(conversation, by: user) }
        } catch {
            parts.log.warning("the echo bot's typing was not shown", ["cause": .error(error)])
        }
        if let next = progress.next {
            wake(after: max(.zero, parts.clock.now.duration(to: next)))
        }
    }

    /// One alarm: the latest to be set knows all that is waiting.
    private func wake(after delay: Duration) {
        let alarm = parts.clock.schedule(after: delay) { [weak self] in self?.act() }
        let old: ScheduledWork? = state.withLock { state in
            if state.isClosed { return alarm }
            defer { state.alarm = alarm }
            return state.alarm
        }
        old?.cancel()
    }
}

/// What a bot is made of.
struct EchoParts: Sendable {
    let storage: Storage
    let hub: Hub
    let presence: PresenceBoard
    let typing: TypingRelay
    let clock: any ServerClock
    let log: Log
}
