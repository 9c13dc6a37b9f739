import Synchronization
import WebSockets

/// A handler that answers from closures and lets a test wait for what happened.
final class RecordingHandler: ListenerHandler {
    struct Closed: Equatable {
        let id: UInt64
        let code: UInt16
        let reason: String
    }

    typealias Reply = @Sendable (HTTPResponse) -> Void

    let requests = Events<HTTPRequest>()
    let openings = Events<WebSocketConnection>()
    let messages = Events<[UInt8]>()
    let closings = Events<Closed>()

    private let onRequest: @Sendable (HTTPRequest, @escaping Reply) -> Void
    private let onUpgrade: @Sendable (HTTPRequest) -> UpgradeVerdict
    private let onMessage: @Sendable ([UInt8], Bool, WebSocketConnection) -> Void

    init(
        onRequest: @escaping @Sendable (HTTPRequest, @escaping Reply) -> Void = { _, reply in
            reply(HTTPResponse(status: 404))
        },
        onUpgrade: @escaping @Sendable (HTTPRequest) -> UpgradeVerdict = { _ in .accept },
        onMessage: @escaping @Sendable ([UInt8], Bool, WebSocketConnection) -> Void = { _, _, _ in }
    ) {
        self.onRequest = onRequest
        self.onUpgrade = onUpgrade
        self.onMessage = onMessage
    }

    /// Sends every message back.
    static func echo() -> RecordingHandler {
        RecordingHandler(onMessage: { message, _, connection in connection.send(message) })
    }

    func respond(to request: HTTPRequest, _ reply: @escaping Reply) {
        requests.add(request)
        onRequest(request, reply)
    }

    func upgrade(_ request: HTTPRequest) -> UpgradeVerdict { onUpgrade(request) }

    func opened(_ connection: WebSocketConnection, request: HTTPRequest) { openings.add(connection) }

    func received(_ message: [UInt8], isText: Bool, on connection: WebSocketConnection) {
        onMessage(message, isText, connection)
        messages.add(message)
    }

    func refusal(status: Int, why: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/x-refusal")], body: bytes("refused: " + why))
    }

    func closed(_ connection: WebSocketConnection, code: UInt16, reason: String) {
        closings.add(Closed(id: connection.id, code: code, reason: reason))
    }
}

/// Things that happened, in order, which a test can wait for without looking again and again.
final class Events<Element: Sendable>: Sendable {
    private struct State {
        var all: [Element] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<[Element], Never>)] = []
    }

    private let state = Mutex(State())

    var all: [Element] { state.withLock { $0.all } }

    func add(_ element: Element) {
        let ready = state.withLock { state in
            state.all.append(element)
            let count = state.all.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return ready.map { ($0.continuation, state.all) }
        }
        for (continuation, all) in ready { continuation.resume(returning: all) }
    }

    /// The first `count` things and what came with them, once there are that many.
    @discardableResult
    func wait(for count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let all = state.withLock { state -> [Element]? in
                if state.all.count >= count { return state.all }
                state.waiters.append((count, continuation))
                return nil
            }
            if let all { continuation.resume(returning: all) }
        }
    }

    func first() async -> Element { await wait(for: 1)[0] }
}
