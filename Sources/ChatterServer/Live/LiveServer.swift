import ChatterModel
import Foundation
import Synchronization
import WebSockets

/// The listener's side of the server: requests to the pipeline, sockets to the hub.
struct LiveServer: ListenerHandler {
    let pipeline: Pipeline
    let frames: FrameHandler
    let sessions: LiveSessions
    let metrics: Metrics
    let sockets = OpenSockets()

    func respond(to request: HTTPRequest, _ reply: @escaping @Sendable (HTTPResponse) -> Void) {
        Task { reply(await pipeline.handle(request)) }
    }

    func upgrade(_ request: HTTPRequest) -> UpgradeVerdict {
        do {
            try sessions.admit(pipeline.addressed(request))
            return .accept
        } catch {
            let answer = HTTPResponse.error(pipeline.apiError(error, Pipeline.liveStreamPath))
            metrics.request(route: Pipeline.liveStreamPath, status: answer.status)
            return .reject(answer)
        }
    }

    func opened(_ connection: WebSocketConnection, request: HTTPRequest) {
        do {
            let live = try sessions.open(
                CallHeaders(request.headers), sink: SocketSink(connection: connection))
            sockets.add(live, for: connection)
            metrics.request(route: Pipeline.liveStreamPath, status: 101)
        } catch {
            // Logs what is our own fault.
            metrics.request(
                route: Pipeline.liveStreamPath,
                status: pipeline.apiError(error, Pipeline.liveStreamPath).code.status)
            connection.close(code: LiveSessions.closeCode(for: error).rawValue, reason: "")
        }
    }

    func received(_ message: [UInt8], isText: Bool, on connection: WebSocketConnection) {
        // None for a socket that `opened` turned away: its close is on the way.
        guard let live = sockets[connection] else { return }
        frames.received(message, isText: isText, on: live)
    }

    func closed(_ connection: WebSocketConnection, code: UInt16, reason: String) {
        guard let live = sockets.remove(connection) else { return }
        sessions.closed(live)
    }

    func refusal(status: Int, why: String) -> HTTPResponse {
        metrics.request(route: "none", status: status)
        let code: ErrorCode =
            switch status {
            case 404: .notFound
            case 408: .requestTimeout
            case 413: .payloadTooLarge
            case 431: .headersTooLarge
            case 426: .upgradeRequired
            case 503: .unavailable
            case 500...: .internalError
            default: .validationFailed
            }
        var answer = HTTPResponse.error(
            APIError(code, why, retryAfter: code == .unavailable ? LiveLimits.retryAfter : nil))
        answer.status = status
        return answer
    }
}

/// The live connection of each socket.
final class OpenSockets: Sendable {
    private let connections = Mutex<[UInt64: LiveConnection]>([:])

    subscript(socket: WebSocketConnection) -> LiveConnection? { connections.withLock { $0[socket.id] } }

    func add(_ connection: LiveConnection, for socket: WebSocketConnection) {
        connections.withLock { $0[socket.id] = connection }
    }

    func remove(_ socket: WebSocketConnection) -> LiveConnection? {
        connections.withLock { $0.removeValue(forKey: socket.id) }
    }
}

private struct SocketSink: ConnectionSink {
    let connection: WebSocketConnection

    func send(_ frame: [UInt8]) -> Bool { connection.send(frame) }
    var queuedBytes: Int { connection.queuedBytes }
    func close(code: UInt16, reason: String) { connection.close(code: code, reason: reason) }
}
