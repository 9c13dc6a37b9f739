import ChatterModel

/// Keeps the live connection: performs what `ConnectionMachine` decides and hands on what comes in.
actor Connection {
    enum Event: Sendable {
        /// The session is ready on this link.
        case began(SessionReady, generation: Int, any LiveLink)
        case received(ServerFrame, generation: Int)
        /// The route of the outbox after a connection was lost, refused or given up.
        case ended(OutboxMachine.Route)
        /// The connection is about to end because a message was too large for one of the two ends.
        case tooLarge
        /// The refresh itself was refused.
        case signedOut
    }

    /// What happened, in order; for one consumer. Handed over and not called out: whoever hears of a loss is done with it
    /// before hearing of the next connection.
    nonisolated let events: AsyncStream<Event>
    nonisolated let state = Broadcast<ConnectionState>(.offline(.stopped, retryAt: nil))

    private let connector: any LiveConnector
    private let clock: any ChatterClock
    private let random: RandomSource
    private let continuation: AsyncStream<Event>.Continuation

    private var machine = ConnectionMachine()
    private var link: (generation: Int, link: any LiveLink)?
    /// Of the generation whose session began and has not been reported as ended.
    private var begun: Int?
    private var reportedRoute = OutboxMachine.Route.none
    private var timers: [ConnectionMachine.Timer: Task<Void, Never>] = [:]
    private var attempt: Task<Void, Never>?
    private var refresh: Task<Void, Never>?

    init(connector: any LiveConnector, clock: any ChatterClock, random: RandomSource) {
        self.connector = connector
        self.clock = clock
        self.random = random
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
    }

    /// For tests and status lines.
    var phase: ConnectionMachine.Phase { machine.phase }

    func handle(_ input: ConnectionMachine.Input) {
        let moment = ConnectionMachine.Moment(now: clock.now, random: random.unit())
        let actions = machine.handle(input, at: moment)
        for action in actions { perform(action) }
        reportEnd()
        if actions.contains(.logOut) { continuation.yield(.signedOut) }
    }

    /// Nothing more is to be heard.
    func finish() {
        handle(.stop)
        continuation.finish()
        state.finish()
    }

    private func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .connect(let generation): connect(generation)
        case .close(let generation): close(generation)
        case .arm(let timer, let delay): arm(timer, after: delay)
        case .disarm(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .sendPing(let generation): sendPing(generation)
        case .refreshToken: refreshToken()
        case .publish(let state): self.state.send(state)
        // Performed by the reader, which is the one to bring the session's first frame.
        case .beginSync: break
        case .logOut: break
        }
    }

    /// Tells once that a session has ended, or that the way for the outbox is another one.
    private func reportEnd() {
        let route = machine.route
        if case .socket = route { return }
        guard begun != nil || route != reportedRoute else { return }
        begun = nil
        reportedRoute = route
        continuation.yield(.ended(route))
    }
}

// MARK: - Sockets

extension Connection {
    private func connect(_ generation: Int) {
        attempt?.cancel()
        attempt = Task { [connector] in
            do throws(ClientError) {
                opened(try await connector.connect(), generation)
            } catch {
                failed(error, generation)
            }
        }
    }

    private func opened(_ link: any LiveLink, _ generation: Int) {
        guard machine.generation == generation, machine.phase == .connecting else { return link.close() }
        self.link = (generation, link)
        Task { await read(link, generation) }
        handle(.socketOpened(generation: generation))
    }

    private func failed(_ error: ClientError, _ generation: Int) {
        switch error.kind {
        case .signedOut:
            if machine.generation == generation { handle(.refreshRefused) }
        case .unauthorised:
            handle(.handshakeRefused(generation: generation, status: 401, retryAfter: nil))
        default:
            guard let status = error.status else {
                return handle(.connectFailed(generation: generation, reason: error.message))
            }
            handle(
                .handshakeRefused(generation: generation, status: status, retryAfter: error.retryAfter))
        }
    }

    private func read(_ link: any LiveLink, _ generation: Int) async {
        for await input in link.inputs {
            guard machine.generation == generation else { return }
            switch input {
            case .closed(let code, let reason):
                if code == CloseCode.tooLarge.rawValue { continuation.yield(.tooLarge) }
                return handle(.socketClosed(generation: generation, code: code, reason: reason))
            case .frame(let frame): receive(frame, link, generation)
            }
        }
        handle(.socketClosed(generation: generation, code: nil, reason: "the connection ended"))
    }

    private func receive(_ frame: ServerFrame, _ link: any LiveLink, _ generation: Int) {
        if machine.awaitsPong { handle(.heard(generation: generation)) }
        switch frame.event {
        case .pong: return
        case .sessionReady(let ready):
            guard machine.phase == .awaitingReady else { return }
            handle(.ready(generation: generation))
            guard machine.phase == .online else { return }
            begun = generation
            reportedRoute = machine.route
            continuation.yield(.began(ready, generation: generation, link))
            handle(.tokenHolds(link.tokenEndsAt - clock.monotonic))
        default:
            // Before the session is ready nothing is expected; what comes nevertheless comes again by the sync.
            guard machine.phase == .online else { return }
            continuation.yield(.received(frame, generation: generation))
        }
    }

    private func close(_ generation: Int) {
        guard let link, link.generation == generation else {
            // Still in its handshake.
            attempt?.cancel()
            return
        }
        self.link = nil
        link.link.close()
    }

    private func sendPing(_ generation: Int) {
        guard let link, link.generation == generation else { return }
        Task {
            do throws(ClientError) {
                try await link.link.send(ClientFrame(.ping))
            } catch {
                handle(
                    .socketClosed(generation: generation, code: nil, reason: error.message))
            }
        }
    }
}

// MARK: - Time and tokens

extension Connection {
    private func arm(_ timer: ConnectionMachine.Timer, after delay: Duration) {
        timers[timer]?.cancel()
        // Counted from now and not from whenever the task gets to run.
        let deadline = clock.monotonic + delay
        timers[timer] = Task { [clock] in
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return  // Disarmed or replaced.
            }
            fired(timer)
        }
    }

    private func fired(_ timer: ConnectionMachine.Timer) {
        // Disarmed after it had woken.
        guard !Task.isCancelled else { return }
        timers[timer] = nil
        handle(.timerFired(timer))
    }

    private func refreshToken() {
        refresh?.cancel()
        refresh = Task { [connector] in
            do throws(ClientError) {
                refreshed(endsAt: try await connector.refreshToken())
            } catch {
                refreshFailed(error)
            }
        }
    }

    private func refreshed(endsAt: Duration) {
        guard !Task.isCancelled else { return }
        handle(.tokenRefreshed)
        handle(.tokenHolds(endsAt - clock.monotonic))
    }

    private func refreshFailed(_ error: ClientError) {
        if error.kind == .signedOut { return handle(.refreshRefused) }
        guard !Task.isCancelled else { return }
        handle(.refreshFailed(reason: error.message, retryAfter: error.retryAfter))
    }
}
