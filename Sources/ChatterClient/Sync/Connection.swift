import ChatterModel

/// Keeps the live connection: performs what `ConnectionMachine` decides and hands on what comes in.
actor Connection {
    /// Called in order; the next input waits for them.
    struct Events: Sendable {
        /// The session is ready on this link.
        var began: @Sendable (SessionReady, Int, any LiveLink) async -> Void
        var received: @Sendable (ServerFrame, Int) async -> Void
        /// The route of the outbox after a connection was lost, refused or given up.
        var ended: @Sendable (OutboxMachine.Route) async -> Void
        /// The refresh itself was refused.
        var signedOut: @Sendable () async -> Void
    }

    nonisolated let state = Broadcast<ConnectionState>(.offline(.stopped, retryAt: nil))

    private let connector: any LiveConnector
    private let clock: any ChatterClock
    private let random: RandomSource
    private let events: Events

    private var machine = ConnectionMachine()
    private var link: (generation: Int, link: any LiveLink)?
    /// Of the generation whose session began and has not been reported as ended.
    private var begun: Int?
    private var reportedRoute = OutboxMachine.Route.none
    private var timers: [ConnectionMachine.Timer: Task<Void, Never>] = [:]
    private var attempt: Task<Void, Never>?
    private var refresh: Task<Void, Never>?

    init(
        connector: any LiveConnector, clock: any ChatterClock, random: RandomSource, events: Events
    ) {
        self.connector = connector
        self.clock = clock
        self.random = random
        self.events = events
    }

    /// For tests and status lines.
    var phase: ConnectionMachine.Phase { machine.phase }
    var armedTimers: Set<ConnectionMachine.Timer> { Set(timers.keys) }

    func handle(_ input: ConnectionMachine.Input) async {
        let moment = ConnectionMachine.Moment(now: clock.now, random: random.unit())
        // All of it before the first suspension, so that actions of two inputs never mix.
        let actions = machine.handle(input, at: moment)
        var isSignedOut = false
        for action in actions {
            if action == .logOut { isSignedOut = true } else { perform(action) }
        }
        await reportEnd()
        if isSignedOut { await events.signedOut() }
    }

    func send(_ frame: ClientFrame) async throws(ClientError) {
        guard let link else { throw ClientError(.outage, "not connected") }
        try await link.link.send(frame)
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
    private func reportEnd() async {
        let route = machine.route
        if case .socket = route { return }
        guard begun != nil || route != reportedRoute else { return }
        begun = nil
        reportedRoute = route
        await events.ended(route)
    }
}

// MARK: - Sockets

extension Connection {
    private func connect(_ generation: Int) {
        attempt?.cancel()
        attempt = Task { [connector] in
            // What follows stands in tasks of its own: the cancellation is for the handshake alone.
            do throws(ClientError) {
                let link = try await connector.connect()
                Task { await self.opened(link, generation) }
            } catch {
                Task { await self.failed(error, generation) }
            }
        }
    }

    private func opened(_ link: any LiveLink, _ generation: Int) async {
        guard machine.generation == generation, machine.phase == .connecting else { return link.close() }
        self.link = (generation, link)
        Task { await self.read(link, generation) }
        await handle(.socketOpened(generation: generation))
    }

    private func failed(_ error: ClientError, _ generation: Int) async {
        switch error.kind {
        case .signedOut:
            if machine.generation == generation { await handle(.refreshRefused) }
        case .unauthorised:
            await handle(.handshakeRefused(generation: generation, status: 401, retryAfter: nil))
        default:
            guard let status = error.status else {
                return await handle(.connectFailed(generation: generation, reason: error.message))
            }
            await handle(
                .handshakeRefused(generation: generation, status: status, retryAfter: error.retryAfter))
        }
    }

    private func read(_ link: any LiveLink, _ generation: Int) async {
        for await input in link.inputs {
            guard machine.generation == generation else { return }
            switch input {
            case .closed(let code, let reason):
                return await handle(.socketClosed(generation: generation, code: code, reason: reason))
            case .frame(let frame): await receive(frame, link, generation)
            }
        }
        await handle(.socketClosed(generation: generation, code: nil, reason: "the connection ended"))
    }

    private func receive(_ frame: ServerFrame, _ link: any LiveLink, _ generation: Int) async {
        if machine.awaitsPong { await handle(.heard(generation: generation)) }
        switch frame.event {
        case .pong: return
        case .sessionReady(let ready):
            guard machine.phase == .awaitingReady else { return }
            await handle(.ready(generation: generation))
            guard machine.phase == .online else { return }
            begun = generation
            reportedRoute = machine.route
            await events.began(ready, generation, link)
        default:
            // Before the session is ready nothing is expected; what comes nevertheless comes again by the sync.
            guard machine.phase == .online else { return }
            await events.received(frame, generation)
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
                await self.handle(
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
            await self.fired(timer)
        }
    }

    private func fired(_ timer: ConnectionMachine.Timer) async {
        // Disarmed after it had woken.
        guard !Task.isCancelled else { return }
        timers[timer] = nil
        await handle(.timerFired(timer))
    }

    private func refreshToken() {
        refresh?.cancel()
        refresh = Task { [connector] in
            do throws(ClientError) {
                try await connector.refreshToken()
                await self.refreshed()
            } catch {
                await self.refreshFailed(error)
            }
        }
    }

    private func refreshed() async {
        guard !Task.isCancelled else { return }
        await handle(.tokenRefreshed)
    }

    private func refreshFailed(_ error: ClientError) async {
        if error.kind == .signedOut { return await handle(.refreshRefused) }
        guard !Task.isCancelled else { return }
        await handle(.refreshFailed(reason: error.message, retryAfter: error.retryAfter))
    }
}
