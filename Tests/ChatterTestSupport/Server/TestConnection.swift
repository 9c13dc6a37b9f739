import ChatterModel
import ChatterServer
import Synchronization

/// A live connection without a socket: keeps what the server sent.
public final class TestConnection: Sendable {
    private let server: TestServer
    private let sink: RecordingSink
    public let live: LiveConnection

    public init(_ device: TestDevice) throws {
        server = device.server
        sink = RecordingSink()
        live = try server.server.connect(device.caller.request("GET", "/v1/ws"), sink: sink)
    }

    /// Everything received so far.
    public var frames: [ServerFrame] { sink.frames }
    public var events: [ServerEvent] { sink.frames.map(\.event) }
    /// As it stands on the wire: for what a decoder would overlook.
    public var texts: [String] { sink.texts }
    public var closeCode: CloseCode? { sink.closeCode.flatMap { CloseCode(rawValue: $0) } }

    /// Pretends that the peer reads slowly: this many bytes are queued, and nothing more fits once it is full.
    public func pretendQueued(_ bytes: Int, isFull: Bool = false) { sink.pretend(bytes, isFull) }

    /// What has been received since the last `take`.
    public func take() -> [ServerEvent] { sink.take().map(\.event) }

    public func send(_ action: ClientAction, id: String? = nil) throws {
        send(bytes: try Wire.encode(ClientFrame(action, id: id)))
    }

    public func send(text: String) { send(bytes: Array(text.utf8)) }

    public func send(bytes: [UInt8], isText: Bool = true) {
        server.server.receive(bytes, isText: isText, on: live)
    }

    /// Sends a frame and returns what the server sent to this connection until it was committed.
    public func exchange(_ action: ClientAction, id: String? = nil) async throws -> [ServerFrame] {
        _ = sink.take()
        try send(action, id: id)
        await server.settle()
        return sink.take()
    }

    /// The first event, received already or still to come, for which `match` has a value.
    public func next<Value: Sendable>(_ match: @escaping @Sendable (ServerEvent) -> Value?) async -> Value {
        await sink.next { match($0.event) }
    }

    /// The socket is gone.
    public func disconnect() { server.server.disconnected(live) }
}

private final class RecordingSink: ConnectionSink {
    private struct State {
        var frames: [ServerFrame] = []
        var texts: [String] = []
        /// Up to here `take` has handed out.
        var taken = 0
        var closeCode: UInt16?
        var queuedBytes = 0
        var isFull = false
        var waiters: [Int: @Sendable (ServerFrame) -> Bool] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var frames: [ServerFrame] { state.withLock { $0.frames } }
    var texts: [String] { state.withLock { $0.texts } }
    var closeCode: UInt16? { state.withLock { $0.closeCode } }
    var queuedBytes: Int { state.withLock { $0.queuedBytes } }

    func pretend(_ bytes: Int, _ isFull: Bool) {
        state.withLock { state in
            state.queuedBytes = bytes
            state.isFull = isFull
        }
    }

    func take() -> [ServerFrame] {
        state.withLock { state in
            defer { state.taken = state.frames.count }
            return Array(state.frames[state.taken...])
        }
    }

    func send(_ bytes: [UInt8]) -> Bool {
        let frame: ServerFrame
        do {
            frame = try Wire.decode(ServerFrame.self, from: bytes)
        } catch {
            preconditionFailure(
                "the server sent what no client can read: \(String(decoding: bytes, as: UTF8.self))")
        }
        return state.withLock { state in
            guard state.closeCode == nil, !state.isFull else { return false }
            state.frames.append(frame)
            state.texts.append(String(decoding: bytes, as: UTF8.self))
            state.waiters = state.waiters.filter { !$0.value(frame) }
            return true
        }
    }

    func close(code: UInt16, reason: String) {
        state.withLock { state in
            if state.closeCode == nil { state.closeCode = code }
        }
    }

    func next<Value: Sendable>(_ match: @escaping @Sendable (ServerFrame) -> Value?) async -> Value {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                for frame in state.frames {
                    if let value = match(frame) { return continuation.resume(returning: value) }
                }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = { frame in
                    guard let value = match(frame) else { return false }
                    continuation.resume(returning: value)
                    return true
                }
            }
        }
    }
}
