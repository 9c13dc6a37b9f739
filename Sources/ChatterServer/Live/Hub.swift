import ChatterModel
import Synchronization

/// Knows who is connected, and brings events to them: each is encoded once, whoever gets it.
final class Hub: Sendable {
    private struct State {
        var nextID: UInt64 = 1
        var connections: [ConnectionID: LiveConnection] = [:]
        var users: [ID<User>: [LiveConnection]] = [:]
        var epoch = ID<Epoch>("")
        var isDraining = false
        var onFirstConnection: (@Sendable (ID<User>) -> Void)?
        var onLastDisconnection: (@Sendable (ID<User>) -> Void)?
    }

    private let state = Mutex(State())
    private let clock: any ServerClock
    private let metrics: Metrics

    init(clock: any ServerClock, metrics: Metrics) {
        self.clock = clock
        self.metrics = metrics
    }

    /// Set once, while wiring: what every greeting names.
    func begin(_ epoch: ID<Epoch>) {
        state.withLock { $0.epoch = epoch }
    }

    /// Called when a user's first connection opens, on the thread that opened it. Set once, while wiring.
    func onFirstConnection(_ work: @escaping @Sendable (ID<User>) -> Void) {
        state.withLock { $0.onFirstConnection = work }
    }

    /// Called when a user's last connection has closed. Set once, while wiring.
    func onLastDisconnection(_ work: @escaping @Sendable (ID<User>) -> Void) {
        state.withLock { $0.onLastDisconnection = work }
    }

    /// Of clients; the echo bots' own do not count.
    var connectionCount: Int { state.withLock { $0.connections.values.count { !$0.sink.isInternal } } }

    /// At least one open socket; says nothing of the grace that presence gives a network switch.
    func isOnline(_ user: ID<User>) -> Bool { state.withLock { $0.users[user] != nil } }

    // MARK: - Coming and going

    /// Throws UNAVAILABLE while the server is stopping.
    func admit() throws(APIError) {
        guard !state.withLock({ $0.isDraining }) else {
            throw APIError(.unavailable, "the server is restarting", retryAfter: LiveLimits.retryAfter)
        }
    }

    /// From now on nobody is admitted.
    func drain() { state.withLock { $0.isDraining = true } }

    /// Registers a socket and greets it. Every event committed after the greeting reaches it.
    func open(_ session: Session, sink: any ConnectionSink) -> LiveConnection {
        let (connection, first) = state.withLock { state in
            let connection = LiveConnection(
                id: ConnectionID(rawValue: state.nextID), session: session, sink: sink, metrics: metrics)
            state.nextID += 1
            // Under the lock: no event may come before the greeting.
            connection.send(
                ServerFrame(
                    .sessionReady(
                        SessionReady(
                            userID: session.user, deviceID: session.device, serverTime: clock.now,
                            epoch: state.epoch))))
            state.connections[connection.id] = connection
            let first = state.users[session.user] == nil ? state.onFirstConnection : nil
            state.users[session.user, default: []].append(connection)
            return (connection, first)
        }
        first?(session.user)
        return connection
    }

    /// The socket is gone.
    func closed(_ connection: LiveConnection) {
        let last: (@Sendable (ID<User>) -> Void)? = state.withLock { state in
            guard state.connections.removeValue(forKey: connection.id) != nil else { return nil }
            state.users[connection.user]?.removeAll { $0.id == connection.id }
            guard state.users[connection.user]?.isEmpty == true else { return nil }
            state.users[connection.user] = nil
            return state.onLastDisconnection
        }
        last?(connection.user)
    }

    // MARK: - Delivery

    /// In order; never waits.
    func deliver(_ events: [Outgoing]) {
        for event in events { deliver(event) }
    }

    private func deliver(_ outgoing: Outgoing) {
        let targets = connections(of: outgoing)
        guard !targets.isEmpty else { return }
        let bytes = FrameEncoder.encode(outgoing.frame)
        let isDroppable = outgoing.frame.event.isDroppable
        for connection in targets { connection.deliver(bytes, isDroppable: isDroppable) }
    }

    private func connections(of outgoing: Outgoing) -> [LiveConnection] {
        let all = state.withLock { state in
            switch outgoing.target {
            case .user(let user): state.users[user] ?? []
            case .users(let users): users.flatMap { state.users[$0] ?? [] }
            case .connection(let id): state.connections[id].map { [$0] } ?? []
            }
        }
        guard let except = outgoing.except else { return all }
        return all.filter { $0.id != except }
    }

    // MARK: - Closing

    func close(device: ID<Device>, code: CloseCode) {
        close(code) { $0.device == device }
    }

    func close(user: ID<User>, code: CloseCode) {
        close(code) { $0.user == user }
    }

    /// The device has new tokens: its sockets live as long as they do.
    func extend(device: ID<Device>, until end: Timestamp) {
        for connection in all(where: { $0.device == device }) { connection.extend(until: end) }
    }

    /// Closes the sockets whose token has ended.
    func closeExpired() {
        let now = clock.now
        close(.tokenExpired) { $0.expiresAt <= now }
    }

    func closeAll(code: CloseCode) {
        close(code) { _ in true }
    }

    private func close(_ code: CloseCode, where condition: (LiveConnection) -> Bool) {
        for connection in all(where: condition) { connection.close(code) }
    }

    private func all(where condition: (LiveConnection) -> Bool) -> [LiveConnection] {
        state.withLock { $0.connections.values.filter(condition) }
    }
}

extension ServerEvent {
    /// The next one of its kind makes up for a lost one.
    var isDroppable: Bool {
        switch self {
        case .typing, .presenceUpdated: true
        default: false
        }
    }
}
