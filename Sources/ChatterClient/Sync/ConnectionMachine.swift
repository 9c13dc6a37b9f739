import ChatterModel

/// When to connect, when to give a connection up, when to try again. Inputs in, actions out.
///
/// Each attempt has a generation; what a former one still says is ignored. In every phase that leads somewhere exactly
/// one thing is awaited, and a timer stands behind it: nothing can hang, nothing runs twice.
struct ConnectionMachine: Hashable, Sendable {
    private(set) var phase = Phase.stopped
    private(set) var generation = 0
    private(set) var awaitsPong = false
    /// The server speaks HTTP but refuses sockets: what is queued goes by REST meanwhile.
    private(set) var isSocketRefused = false
    /// Failures in a row; only a stable connection makes them zero.
    private var failures = 0
    private var refreshes = 0
    private var needsRefresh = false
    private var renewal = TokenRenewal()
    private var isStarted = false
    private var isInBackground = false
    private var isNetworkAvailable: Bool?
}

extension ConnectionMachine {
    mutating func handle(_ input: Input, at moment: Moment) -> [Action] {
        switch input {
        case .start: start()
        case .stop: stop()
        case .networkChanged(let isAvailable): networkChanged(isAvailable, moment)
        case .foreground: foreground()
        case .background: background()
        case .socketOpened(let generation): opened(generation)
        case .ready(let generation): ready(generation)
        case .synced(let generation):
            generation == self.generation && phase == .online ? [.publish(.online)] : []
        case .heard(let generation): heard(generation)
        case .socketClosed(let generation, let code, let reason): closed(generation, code, reason, moment)
        case .handshakeRefused(let generation, let status, let retryAfter):
            refused(generation, status, retryAfter, moment)
        case .connectFailed(let generation, let reason):
            isCurrent(generation) ? leave() + fail(reason, moment) : []
        case .timerFired(let timer): fired(timer, moment)
        case .tokenHolds(let life): tokenHolds(life, moment)
        case .tokenRefreshed: tokenRefreshed()
        case .refreshFailed(let reason, let retryAfter): refreshFailed(reason, retryAfter, moment)
        case .refreshRefused: refreshRefused()
        }
    }

    /// Entries of the outbox may leave this way.
    var route: OutboxMachine.Route {
        if phase == .online { return .socket(generation: generation) }
        return isSocketRefused && isStarted ? .rest : .none
    }

    private func isCurrent(_ generation: Int) -> Bool {
        generation == self.generation
            && (phase == .connecting || phase == .awaitingReady || phase == .online)
    }
}

// MARK: - Wishes

extension ConnectionMachine {
    private mutating func start() -> [Action] {
        guard !isStarted || phase == .signedOut else { return [] }
        isStarted = true
        (failures, refreshes, needsRefresh) = (0, 0, false)
        return isInBackground ? [] : connect()
    }

    private mutating func stop() -> [Action] {
        isStarted = false
        isSocketRefused = false
        let actions = leave() + [.disarm(.background)]
        phase = .stopped
        return actions + [.publish(.offline(.stopped, retryAt: nil))]
    }

    private mutating func networkChanged(_ isAvailable: Bool, _ moment: Moment) -> [Action] {
        let isFirst = isNetworkAvailable == nil
        isNetworkAvailable = isAvailable
        // The first word only tells how things are.
        guard !isFirst else { return [] }
        switch phase {
        case .waiting(isHeld: false) where isAvailable: return connectNow()
        // On a path that may be gone: not restarted, which a flapping network would make a loop of.
        case .connecting: return [.arm(.handshake, after: Self.probeTimeout * 2)]
        case .awaitingReady: return [.arm(.ready, after: Self.probeTimeout * 2)]
        case .online: return probe(within: Self.probeTimeout)
        case .waiting, .stopped, .signedOut, .refreshing: return []
        }
    }

    private mutating func foreground() -> [Action] {
        isInBackground = false
        switch phase {
        case .stopped where isStarted: return [.disarm(.background)] + connect()
        case .waiting(isHeld: false): return [.disarm(.background)] + connectNow()
        // It may have died while the app was suspended.
        case .online: return [.disarm(.background)] + probe(within: Self.probeTimeout)
        case .stopped, .waiting, .signedOut, .refreshing, .connecting, .awaitingReady:
            return [.disarm(.background)]
        }
    }

    private mutating func background() -> [Action] {
        guard !isInBackground else { return [] }
        isInBackground = true
        return isStarted ? [.arm(.background, after: Self.backgroundGrace)] : []
    }
}

// MARK: - The way up

extension ConnectionMachine {
    private mutating func connect() -> [Action] {
        generation += 1
        if needsRefresh { return refresh() }
        phase = .connecting
        return [
            .publish(.connecting), .arm(.handshake, after: Self.handshakeTimeout),
            .connect(generation: generation),
        ]
    }

    private mutating func connectNow() -> [Action] {
        [.disarm(.retry)] + connect()
    }

    private mutating func opened(_ generation: Int) -> [Action] {
        guard generation == self.generation, phase == .connecting else {
            return [.close(generation: generation)]
        }
        phase = .awaitingReady
        isSocketRefused = false
        return [.disarm(.handshake), .arm(.ready, after: Self.readyTimeout)]
    }

    private mutating func ready(_ generation: Int) -> [Action] {
        guard generation == self.generation, phase == .awaitingReady else { return [] }
        phase = .online
        return [
            .disarm(.ready), .arm(.ping, after: Self.pingInterval), .arm(.stable, after: Self.stablePeriod),
            .publish(.syncing), .beginSync(generation: generation),
        ]
    }

    private mutating func heard(_ generation: Int) -> [Action] {
        guard awaitsPong, generation == self.generation, phase == .online else { return [] }
        awaitsPong = false
        return [.disarm(.pong), .arm(.ping, after: Self.pingInterval)]
    }

    private mutating func probe(within timeout: Duration) -> [Action] {
        awaitsPong = true
        return [.disarm(.ping), .sendPing(generation: generation), .arm(.pong, after: timeout)]
    }
}

// MARK: - The way down

extension ConnectionMachine {
    /// Leaves whatever is under way; the caller sets the next phase.
    private mutating func leave() -> [Action] {
        awaitsPong = false
        renewal = TokenRenewal()
        return switch phase {
        case .stopped, .signedOut: []
        case .waiting: [.disarm(.retry)]
        case .refreshing: [.disarm(.refresh)]
        case .connecting: [.disarm(.handshake), .close(generation: generation)]
        case .awaitingReady: [.disarm(.ready), .close(generation: generation)]
        case .online:
            [
                .disarm(.ping), .disarm(.pong), .disarm(.stable), .disarm(.renewal),
                .close(generation: generation),
            ]
        }
    }

    private mutating func closed(
        _ generation: Int, _ code: UInt16?, _ reason: String, _ moment: Moment
    ) -> [Action] {
        guard isCurrent(generation) else { return [] }
        let actions = leave()
        switch code.flatMap(CloseCode.init(rawValue:)) {
        case .tokenExpired, .signedOut: return actions + tokenRefused(reason, moment)
        // Everybody is sent away at once: spread out from the first attempt on.
        case .restarting: failures = max(failures, 2)
        case .flooding: failures = max(failures, 4)
        case .tooLarge, .slowConsumer, .malformed, nil: break
        }
        return actions + fail(reason, moment)
    }

    private mutating func refused(
        _ generation: Int, _ status: Int, _ retryAfter: Duration?, _ moment: Moment
    ) -> [Action] {
        guard isCurrent(generation) else { return [] }
        let actions = leave()
        let reason = "the handshake was answered \(status)"
        if status == 401 { return actions + tokenRefused(reason, moment) }
        isSocketRefused = status != 429 && status != 503
        return actions + fail(reason, retryAfter: retryAfter, moment)
    }

    /// Back-off, or as long as the server asks and a little more, so that not all come back at once.
    private mutating func fail(_ reason: String, retryAfter: Duration? = nil, _ moment: Moment) -> [Action] {
        failures += 1
        let hold = retryAfter.map { min(max($0, .zero), Self.longestHold) }
        let delay = (hold ?? .zero) + Backoff.delay(failures: failures, random: moment.random)
        phase = .waiting(isHeld: hold != nil)
        let why: OfflineReason = isNetworkAvailable == false ? .noNetwork : .failed(reason)
        return [
            .arm(.retry, after: delay),
            .publish(.offline(why, retryAt: moment.now.advanced(by: delay))),
        ]
    }

    private mutating func fired(_ timer: Timer, _ moment: Moment) -> [Action] {
        switch (timer, phase) {
        case (.retry, .waiting): return connect()
        case (.handshake, .connecting): return leave() + fail("the handshake timed out", moment)
        case (.ready, .awaitingReady): return leave() + fail("the session did not get ready", moment)
        case (.ping, .online): return probe(within: Self.pongTimeout)
        case (.pong, .online): return leave() + fail("no pong", moment)
        case (.stable, .online):
            (failures, refreshes) = (0, 0)
            return []
        case (.refresh, .refreshing): return refreshFailed("the refresh timed out", nil, moment)
        case (.renewal, .online) where renewal.isUnderWay:
            return refreshFailed("the refresh timed out", nil, moment)
        case (.renewal, .online): return renew()
        case (.background, _) where isInBackground && isStarted && phase != .signedOut:
            let actions = leave()
            phase = .stopped
            return actions + [.publish(.offline(.stopped, retryAt: nil))]
        default: return []
        }
    }
}

// MARK: - The token

extension ConnectionMachine {
    /// One refresh at once; when that did not help, the next ones wait like any failure.
    private mutating func tokenRefused(_ reason: String, _ moment: Moment) -> [Action] {
        needsRefresh = true
        refreshes += 1
        return refreshes == 1 ? refresh() : fail(reason, moment)
    }

    private mutating func refresh() -> [Action] {
        phase = .refreshing
        return [.publish(.connecting), .arm(.refresh, after: Self.refreshTimeout), .refreshToken]
    }

    private mutating func tokenRefreshed() -> [Action] {
        needsRefresh = false
        guard phase == .refreshing else { return [] }
        return [.disarm(.refresh)] + connect()
    }

    private mutating func refreshFailed(
        _ reason: String, _ retryAfter: Duration?, _ moment: Moment
    ) -> [Action] {
        switch phase {
        case .refreshing: return leave() + fail(reason, retryAfter: retryAfter, moment)
        // The connection is well as long as its token lives.
        case .online where renewal.isUnderWay:
            return [
                .arm(.renewal, after: renewal.failed(retryAfter: retryAfter, random: moment.random))
            ]
        case .online, .stopped, .signedOut, .waiting, .connecting, .awaitingReady: return []
        }
    }

    private mutating func tokenHolds(_ life: Duration, _ moment: Moment) -> [Action] {
        guard phase == .online else { return [] }
        return [.arm(.renewal, after: renewal.wait(life: life, random: moment.random))]
    }

    /// Beside the open connection, which the server lets live on with the new token.
    private mutating func renew() -> [Action] {
        renewal.begin()
        return [.arm(.renewal, after: Self.refreshTimeout), .refreshToken]
    }

    private mutating func refreshRefused() -> [Action] {
        guard phase != .signedOut else { return [] }
        let actions = leave() + [.disarm(.background)]
        phase = .signedOut
        isStarted = false
        isSocketRefused = false
        return actions + [.publish(.offline(.signedOut, retryAt: nil)), .logOut]
    }
}
