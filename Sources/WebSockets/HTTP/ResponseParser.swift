/// Takes bytes as they come from the network and gives the answer to a WebSocket handshake.
struct ResponseParser {
    enum Event {
        case incomplete
        /// 101: what follows the head is WebSocket.
        case switched(headers: [String: String])
        case refused(status: Int, headers: [String: String], body: [UInt8])
        case malformed(String)
    }

    private let limits: Limits
    private var input = InputBuffer()
    private var answer: (status: Int, headers: [String: String], length: Int?)?
    private var body: [UInt8] = []

    init(limits: Limits) { self.limits = limits }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { input.append(bytes) }

    mutating func takeRest() -> [UInt8] { Array(input.take(atMost: input.count)) }

    /// The refusal as far as it has arrived, for a peer that ended the connection; nil when there is none.
    func refusedSoFar() -> Event? {
        answer.map { .refused(status: $0.status, headers: $0.headers, body: body) }
    }

    mutating func next() -> Event {
        if answer == nil {
            switch readHead() {
            case .some(let event): return event
            case .none: break
            }
        }
        guard let answer else { return .incomplete }
        let wanted = min(answer.length ?? Int.max, limits.bodyBytes)
        body.append(contentsOf: input.take(atMost: wanted - body.count))
        guard body.count >= wanted else { return .incomplete }
        return .refused(status: answer.status, headers: answer.headers, body: body)
    }

    /// Nil when the head of a refusal is complete.
    private mutating func readHead() -> Event? {
        guard let head = input.takeHead() else {
            return input.count > limits.headerBytes + 3 ? .malformed("head too large") : .incomplete
        }
        guard head.count <= limits.headerBytes, let lines = HeadLines(head) else {
            return .malformed("bad head")
        }
        let parts = lines.start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0", parts[1].utf8.count == 3,
            let status = Int(parts[1]), status >= 100
        else { return .malformed("bad status line") }
        if status == 101 { return .switched(headers: lines.joined) }
        // Other interim answers announce the real one.
        if status < 200 { return readHead() }
        let headers = lines.joined
        answer = (status, headers, headers["content-length"].flatMap { Int($0) }.map { max($0, 0) })
        return nil
    }
}
