import ChatterModel
import WebSockets

/// Sockets coming and going: who may open one, and what is kept of it.
struct LiveSessions: Sendable {
    let hub: Hub
    let access: AccessCheck
    let limiter: RateLimiter
    let storage: Storage
    let log: Log

    /// Whether this request would open a socket. Throws `APIError`.
    func admit(_ request: HTTPRequest) throws {
        try hub.admit()
        let session = try limiter.countingRefusals(of: request.remoteAddress) {
            try access.session(CallHeaders(request.headers))
        }
        try limiter.take(.calls, for: session.user.rawValue)
    }

    /// Opens and greets a socket. Throws `APIError`: between handshake and here the device may have been signed out.
    func open(_ headers: CallHeaders, sink: any ConnectionSink) throws -> LiveConnection {
        try hub.admit()
        let connection = hub.open(try access.session(headers), sink: sink)
        noteSeen(connection)
        return connection
    }

    /// How a socket is closed that `open` refused: what its client does next depends on it.
    static func closeCode(for error: any Error) -> CloseCode {
        switch (error as? APIError)?.code {
        case .tokenExpired: .tokenExpired
        case .tokenInvalid, .clientKeyInvalid: .signedOut
        // Stopping, or for now unable to tell who it is: coming back later is right, signing out is not.
        default: .restarting
        }
    }

    func closed(_ connection: LiveConnection) {
        hub.closed(connection)
        noteSeen(connection)
    }

    private func noteSeen(_ connection: LiveConnection) {
        let device = connection.device
        storage.enqueue { transaction in
            try DeviceQueries.noteSeen(device, at: transaction.now, in: transaction.database)
        } failed: { [log] error in
            // Only the list of devices shows it, and the next connection sets it right.
            log.debug("last seen of a device not stored", ["cause": .error(error)])
        }
    }
}
