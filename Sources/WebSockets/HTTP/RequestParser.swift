/// Takes bytes as they come from the network and gives whole requests. RFC 9112.
struct RequestParser {
    enum Event {
        /// More bytes are needed.
        case incomplete
        /// The peer waits for `100 Continue` before it sends the body.
        case expectsContinue
        case request(ParsedRequest)
        /// The connection must be closed after an answer with this status.
        case refused(status: Int, why: String)
    }

    private enum State {
        case head
        case body(Head, remaining: Int)
        case chunkSize(Head)
        case chunk(Head, remaining: Int)
        case chunkEnd(Head)
        case trailers(Head, bytes: Int)
        case broken
    }

    private struct Head {
        var request: ParsedRequest
        var expectsContinue: Bool
    }

    private let limits: Limits
    private var input = InputBuffer()
    private var state = State.head
    /// The body of the request being read.
    private var body: [UInt8] = []

    init(limits: Limits) { self.limits = limits }

    /// Bytes held for a request that is not complete, or for those after it.
    var heldBytes: Int { input.count }

    /// Whether a request has begun to arrive.
    var isMidRequest: Bool {
        if case .head = state { return !input.isEmpty }
        return true
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { input.append(bytes) }

    /// What came after the last request, for another protocol to read.
    mutating func takeRest() -> [UInt8] { Array(input.take(atMost: input.count)) }

    mutating func next() -> Event {
        while true {
            switch step() {
            case .goOn: continue
            case .event(let event): return event
            }
        }
    }

    private enum Step {
        case goOn
        case event(Event)
    }

    private mutating func step() -> Step {
        switch state {
        case .head: return readHead()
        case .body(let head, let remaining): return readBody(head, remaining)
        case .chunkSize(let head): return readChunkSize(head)
        case .chunk(let head, let remaining): return readChunk(head, remaining)
        case .chunkEnd(let head): return readChunkEnd(head)
        case .trailers(let head, let bytes): return readTrailers(head, bytes)
        case .broken: return .event(.incomplete)
        }
    }

    private mutating func refuse(_ status: Int, _ why: String) -> Step {
        state = .broken
        return .event(.refused(status: status, why: why))
    }

    // MARK: Head

    private mutating func readHead() -> Step {
        input.skipEmptyLines()
        guard let bytes = input.takeHead() else {
            // Up to three bytes of the empty line may be here.
            if input.count > limits.headerBytes + 3 { return refuse(431, "request head too large") }
            input.shrink()
            return .event(.incomplete)
        }
        guard bytes.count <= limits.headerBytes else { return refuse(431, "request head too large") }
        guard let lines = HeadLines(bytes) else { return refuse(400, "malformed request head") }
        let request: ParsedRequest
        switch ParsedRequest.parse(lines) {
        case .success(let parsed): request = parsed
        case .failure(let refusal): return refuse(refusal.status, refusal.why)
        }
        return beginBody(request)
    }

    private mutating func beginBody(_ request: ParsedRequest) -> Step {
        let head = Head(
            request: request, expectsContinue: request.headers["expect"]?.lowercased() == "100-continue")
        switch request.framing {
        case .length(0):
            return finish(head)
        case .length(let length):
            guard length <= limits.bodyBytes else { return refuse(413, "request body too large") }
            state = .body(head, remaining: length)
        case .chunked:
            state = .chunkSize(head)
        }
        return head.expectsContinue && input.isEmpty ? .event(.expectsContinue) : .goOn
    }

    private mutating func finish(_ head: Head) -> Step {
        state = .head
        var request = head.request
        request.body = body
        body = []
        return .event(.request(request))
    }

    // MARK: Body

    private mutating func readBody(_ head: Head, _ remaining: Int) -> Step {
        let taken = input.take(atMost: remaining)
        body.append(contentsOf: taken)
        if taken.count == remaining { return finish(head) }
        state = .body(head, remaining: remaining - taken.count)
        return .event(.incomplete)
    }

    private mutating func readChunkSize(_ head: Head) -> Step {
        guard let line = input.takeLine() else {
            if input.count > 256 { return refuse(400, "malformed chunk") }
            return .event(.incomplete)
        }
        // Extensions after a semicolon carry nothing for us.
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        guard digits.count <= 8, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            size >= 0,
            digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else { return refuse(400, "malformed chunk") }
        guard size <= limits.bodyBytes - body.count else { return refuse(413, "request body too large") }
        state = size == 0 ? .trailers(head, bytes: 0) : .chunk(head, remaining: size)
        return .goOn
    }

    private mutating func readChunk(_ head: Head, _ remaining: Int) -> Step {
        let taken = input.take(atMost: remaining)
        body.append(contentsOf: taken)
        let left = remaining - taken.count
        state = left == 0 ? .chunkEnd(head) : .chunk(head, remaining: left)
        return left == 0 ? .goOn : .event(.incomplete)
    }

    private mutating func readChunkEnd(_ head: Head) -> Step {
        guard let line = input.takeLine() else {
            return input.count > 1 ? refuse(400, "malformed chunk") : .event(.incomplete)
        }
        guard line.isEmpty else { return refuse(400, "malformed chunk") }
        state = .chunkSize(head)
        return .goOn
    }

    private mutating func readTrailers(_ head: Head, _ bytes: Int) -> Step {
        guard let line = input.takeLine() else {
            if bytes + input.count > limits.headerBytes { return refuse(431, "trailers too large") }
            return .event(.incomplete)
        }
        if line.isEmpty { return finish(head) }
        let total = bytes + line.count
        guard total <= limits.headerBytes else { return refuse(431, "trailers too large") }
        state = .trailers(head, bytes: total)
        return .goOn
    }
}
