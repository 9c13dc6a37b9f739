import ChatterModel

/// What goes into the machine, what comes out, and its times.
extension ConnectionMachine {
    enum Phase: Hashable, Sendable {
        /// Not started, or in the background.
        case stopped
        case signedOut
        /// The retry timer runs. `isHeld`: the server named the time, so nothing shortens it.
        case waiting(isHeld: Bool)
        case refreshing
        case connecting
        case awaitingReady
        case online
    }

    enum Input: Hashable, Sendable {
        case start
        case stop
        /// The system's word about the network; a repeated `true` is another path.
        case networkChanged(isAvailable: Bool)
        case foreground
        case background
        case socketOpened(generation: Int)
        case ready(generation: Int)
        /// What was missed is here.
        case synced(generation: Int)
        /// Anything came in; asked for only while `awaitsPong`.
        case heard(generation: Int)
        case socketClosed(generation: Int, code: UInt16?, reason: String)
        case handshakeRefused(generation: Int, status: Int, retryAfter: Duration?)
        case connectFailed(generation: Int, reason: String)
        case timerFired(Timer)
        /// How long the access token lives from now on; told when a session is ready and after each refresh.
        case tokenHolds(Duration)
        case tokenRefreshed
        case refreshFailed(reason: String, retryAfter: Duration?)
        case refreshRefused
    }

    enum Timer: String, Hashable, Sendable, CaseIterable {
        case retry, handshake, ready, ping, pong, stable, refresh, renewal, background
    }

    enum Action: Hashable, Sendable {
        case connect(generation: Int)
        /// Harmless when there is no socket.
        case close(generation: Int)
        /// Replaces the timer of that name.
        case arm(Timer, after: Duration)
        case disarm(Timer)
        case sendPing(generation: Int)
        case refreshToken
        /// The refresh itself was refused.
        case logOut
        case beginSync(generation: Int)
        case publish(ConnectionState)
    }

    /// What the machine may not know by itself.
    struct Moment: Hashable, Sendable {
        /// This device's clock; only for what is published.
        var now: Timestamp
        /// In 0..<1.
        var random: Double
    }

    static let pingInterval = Limits.pingInterval
    static let pongTimeout = Duration.seconds(10)
    /// For a connection that the system says has lost its path.
    static let probeTimeout = Duration.seconds(2)
    static let handshakeTimeout = Duration.seconds(20)
    static let readyTimeout = Duration.seconds(10)
    static let refreshTimeout = Duration.seconds(60)
    static let stablePeriod = Duration.seconds(30)
    static let backgroundGrace = Duration.seconds(5)
    static let longestHold = Duration.seconds(300)
}
