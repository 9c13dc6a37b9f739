import ChatterClient
import ChatterModel
import ChatterServer
import Foundation
import WebSockets

/// The network between one client and a server in the same process, behind the client's own seams. It can be cut, and
/// it can lose an answer after the server has acted.
public final class InProcessNetwork: HTTPTransport, SocketTransport, @unchecked Sendable {
    // The variables are guarded by `lock`.
    private var current: ChatterServer
    private let lock = NSLock()
    private var isCut = false
    private var answersToLose: (count: Int, path: String?) = (0, nil)
    private var sockets: [ObjectIdentifier: InProcessSocket] = [:]
    private var served: [String] = []
    private var opened = 0
    private var sent: [String] = []
    private var isHolding = false
    private var held: [CheckedContinuation<Void, Never>] = []

    public init(_ server: ChatterServer) { current = server }

    /// From now on it leads to another server at the same address.
    public func lead(to server: ChatterServer) { lock.withLock { current = server } }

    private var server: ChatterServer { lock.withLock { current } }

    /// Ends every connection and refuses new ones.
    public func cut() {
        let ended = lock.withLock {
            isCut = true
            return Array(sockets.values)
        }
        for socket in ended { socket.lose() }
    }

    public func restore() { lock.withLock { isCut = false } }

    /// The next `count` requests (of `path`) reach the server, their answers never arrive.
    public func loseAnswers(_ count: Int, of path: String? = nil) {
        lock.withLock { answersToLose = (count, path) }
    }

    /// From now on requests wait before they reach the server.
    public func hold() { lock.withLock { isHolding = true } }

    public var heldCount: Int { lock.withLock { held.count } }

    /// Lets them go on.
    public func release() {
        let waiting = lock.withLock {
            isHolding = false
            defer { held = [] }
            return held
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Method and path of every request that reached the server, in order.
    public var requests: [String] { lock.withLock { served } }

    /// Sockets that the server took, those that are gone included.
    public var openedSockets: Int { lock.withLock { opened } }

    /// Frames of this type that the server received over its sockets.
    public func sentFrames(_ type: String) -> Int { lock.withLock { sent.count { $0 == type } } }

    public var openSockets: Int { lock.withLock { sockets.count } }

    // MARK: - The client's seams

    public func perform(
        _ request: ClientHTTPRequest
    ) async throws(TransportError) -> ClientHTTPResponse {
        await waitForRelease()
        try pass()
        lock.withLock { served.append("\(request.method.rawValue) \(request.url.path)") }
        let answer = await server.handle(Self.serverRequest(request))
        try pass()
        let isLost = lock.withLock {
            guard answersToLose.count > 0, answersToLose.path ?? request.url.path == request.url.path
            else { return false }
            answersToLose.count -= 1
            return true
        }
        if isLost { throw TransportError(.noConnection, "the answer was lost") }
        if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
        let headers = Dictionary(answer.headers, uniquingKeysWith: { first, _ in first })
        return ClientHTTPResponse(status: answer.status, headers: headers, body: answer.body)
    }

    public func close() {}

    public func connect(_ request: SocketRequest) async throws(SocketError) -> any SocketConnection {
        do {
            try pass()
        } catch {
            throw .noConnection(error.message)
        }
        let socket = InProcessSocket(server) { [weak self] in
            self?.note($0)
        } ended: { [weak self] in
            self?.forget($0)
        }
        lock.withLock { sockets[ObjectIdentifier(socket)] = socket }
        do {
            try socket.open(Self.upgrade(request))
        } catch {
            forget(socket)
            guard let error = error as? APIError else { throw .noConnection("\(error)") }
            throw .refused(status: error.code.status, retryAfter: error.retryAfter.map { "\($0)" })
        }
        lock.withLock { opened += 1 }
        return socket
    }

    private func waitForRelease() async {
        await withCheckedContinuation { continuation in
            let goesOn = lock.withLock {
                if isHolding { held.append(continuation) }
                return !isHolding
            }
            if goesOn { continuation.resume() }
        }
    }

    private func pass() throws(TransportError) {
        if lock.withLock({ isCut }) { throw TransportError(.noConnection, "the network is cut") }
    }

    /// What cannot be read is the server's to refuse.
    private func note(_ text: [UInt8]) {
        guard let frame = try? Wire.decode(ClientFrame.self, from: text) else { return }
        lock.withLock { sent.append(frame.action.type) }
    }

    private func forget(_ socket: InProcessSocket) {
        lock.withLock { sockets[ObjectIdentifier(socket)] = nil }
    }

    private static func serverRequest(_ request: ClientHTTPRequest) -> WebSockets.HTTPRequest {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        return WebSockets.HTTPRequest(
            method: request.method.rawValue, path: parts?.percentEncodedPath ?? "/",
            query: parts?.percentEncodedQuery ?? "", headers: lowerCased(request.headers),
            body: request.body ?? [], remoteAddress: "192.0.2.1")
    }

    private static func upgrade(_ request: SocketRequest) -> WebSockets.HTTPRequest {
        WebSockets.HTTPRequest(
            method: "GET", path: request.url.path, query: "", headers: lowerCased(request.headers), body: [],
            remoteAddress: "192.0.2.1")
    }

    private static func lowerCased(_ headers: [String: String]) -> [String: String] {
        Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
