import CWebSockets

/// What a listener's connections share; touched on the loop's thread, except what never changes.
final class ListenerCore: LoopDelegate, @unchecked Sendable {
    // Unchecked: the `let`s are Sendable; the `var`s are touched on the loop's thread only.
    let configuration: ListenerConfiguration
    let handler: any ListenerHandler

    private(set) var isStopping = false
    private var connections: [ObjectIdentifier: ServerConnection] = [:]
    /// Those among them that are served; the others are told that there is no room.
    private var servedCount = 0
    /// What connections came through.
    private var doors: [Wire] = []
    private var lastDate = HTTPDate()
    private var whenEmpty: (() -> Void)?

    init(_ configuration: ListenerConfiguration, handler: any ListenerHandler) {
        self.configuration = configuration
        self.handler = handler
    }

    var sessionRules: WebSocketSession.Rules {
        WebSocketSession.Rules(
            messageLimit: configuration.limits.frameBytes, close: configuration.timeouts.close,
            overflow: CloseReason(code: configuration.slowConsumerCode, reason: "reading too slowly"))
    }

    func date() -> String { lastDate.now() }

    func refusal(_ refusal: Refusal) -> HTTPResponse {
        var response = handler.refusal(status: refusal.status, why: refusal.why)
        if refusal.status == 426 { response.addHeader("Sec-WebSocket-Version", "13") }
        if refusal.status == 503 { response.addHeader("Retry-After", "5") }
        return response
    }

    func handle(_ event: LoopEvent, on loop: EventLoop) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return admit(through: event.wire)
        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
            accept(event.wire, on: loop)
            return 0
        default: return event.wire.owner(ServerConnection.self)?.handle(event) ?? 0
        }
    }

    // MARK: Accepting

    /// How many connections above the limit are still told why they are refused.
    private static let refusalRoom = 256

    /// `door` is the listening socket.
    private func admit(through door: Wire) -> Int32 {
        guard !isStopping else {
            door.kill()
            return -1
        }
        if !doors.contains(door) { doors.append(door) }
        return connections.count < configuration.limits.connections + Self.refusalRoom ? 0 : -1
    }

    private func accept(_ wire: Wire, on loop: EventLoop) {
        let connection = ServerConnection(
            wire, listener: self, loop: loop, isOverLimit: servedCount >= configuration.limits.connections)
        if !connection.isOverLimit { servedCount += 1 }
        connections[ObjectIdentifier(connection)] = connection
        wire.setOwner(connection)
    }

    func forget(_ connection: ServerConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if !connection.isOverLimit { servedCount -= 1 }
        if isStopping, connections.isEmpty { finishStopping() }
    }

    // MARK: Stopping

    /// Accepts no more and ends each connection in its own time; `then` runs when the last one is gone.
    func stop(_ reason: CloseReason, then: @escaping () -> Void) {
        isStopping = true
        whenEmpty = then
        for door in doors { door.kill() }
        doors = []
        for connection in connections.values { connection.stop(reason) }
        if connections.isEmpty { finishStopping() }
    }

    /// The time to stop is over: what is left ends with the loop.
    func finishStopping() {
        let then = whenEmpty
        whenEmpty = nil
        then?()
    }
}
