import Testing

@testable import WebSockets

/// What happened to a connection that sent `text` in pieces of `piece` bytes, in words.
private func read(_ text: String, piece: Int = .max, _ change: (inout Limits) -> Void = { _ in }) -> [String]
{
    var limits = Limits()
    change(&limits)
    var parser = RequestParser(limits: limits)
    var events: [String] = []
    let stream = bytes(text)
    var start = 0
    while start < stream.count {
        let end = piece > stream.count - start ? stream.count : start + piece
        stream[start..<end].withUnsafeBytes { parser.append($0) }
        start = end
        reading: while true {
            switch parser.next() {
            case .incomplete: break reading
            case .expectsContinue: events.append("100")
            case .refused(let status, _): events.append("\(status)")
            case .request(let request):
                let query = request.query.isEmpty ? "" : "?\(request.query)"
                events.append(
                    "\(request.method) \(request.path)\(query) [\(WebSocketsTests.text(request.body))]")
            }
        }
    }
    return events
}

private let host = "Host: x\r\n"

@Suite("Reading requests")
struct RequestParserTests {
    @Test(
        "Requests one after the other are read whole, however the network cuts them",
        arguments: [1, 2, 3, 7, .max])
    func pipeline(piece: Int) {
        let stream =
            "GET /a%2Fb/%F0%9F%91%8D?q=%2B49&x=1 HTTP/1.1\r\n\(host)\r\n"
            + "\r\nPOST /p HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello"
            + "PUT /c HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0a;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n"
            + "DELETE http://x/abs?y HTTP/1.1\r\n\(host)\r\nOPTIONS * HTTP/1.1\r\n\(host)\r\n"
        #expect(
            read(stream, piece: piece) == [
                "GET /a%2Fb/%F0%9F%91%8D?q=%2B49&x=1 []", "POST /p [hello]", "PUT /c [abc0123456789]",
                "DELETE /abs?y []", "OPTIONS * []",
            ])
    }

    @Test(
        "What is not HTTP/1.1 is refused with its status",
        arguments: [
            ("NONSENSE\r\n\r\n", "400"), ("GET /\r\n\r\n", "400"), ("GET  / HTTP/1.1\r\n\r\n", "400"),
            ("G@T / HTTP/1.1\r\n\(host)\r\n", "400"), ("GET / HTTP/1.1\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", "400"), ("GET x HTTP/1.1\r\n\(host)\r\n", "400"),
            ("GET /\u{e9} HTTP/1.1\r\n\(host)\r\n", "400"), ("GET / HTTP/2.0\r\n\(host)\r\n", "505"),
            ("PRI * HTTP/2.0\r\n\r\n", "505"), ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host) folded\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host)no colon\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host)A: \u{1}\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host)A: b\nC: d\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host)A: b\rC: d\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n\(host): v\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 1x\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", "501"),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n-1\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "400"),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n", "400"),
        ])
    func refused(stream: String, status: String) {
        #expect(read(stream) == [status])
        #expect(read(stream, piece: 1) == [status])
    }

    @Test("After a refusal nothing more is read")
    func silence() {
        #expect(read("NONSENSE\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n") == ["400"])
    }

    @Test("A head as large as the limit passes, one byte more is 431, complete or not")
    func headLimit() {
        let line = "GET / HTTP/1.1\r\nHost: x\r\nA: "
        func head(_ count: Int) -> String { line + String(repeating: "a", count: count - line.utf8.count) }
        #expect(read(head(200) + "\r\n\r\n") { $0.headerBytes = 200 } == ["GET / []"])
        #expect(read(head(200) + "\r\n\r\n", piece: 1) { $0.headerBytes = 200 } == ["GET / []"])
        #expect(read(head(201) + "\r\n\r\n") { $0.headerBytes = 200 } == ["431"])
        #expect(read(head(201) + "\r\n\r\n", piece: 1) { $0.headerBytes = 200 } == ["431"])
        #expect(read(head(205)) { $0.headerBytes = 200 } == ["431"])
        #expect(read(head(150)) { $0.headerBytes = 200 } == [])
    }

    @Test("A body as large as the limit passes, one byte more is 413 before it arrives")
    func bodyLimit() {
        let body = String(repeating: "b", count: 100)
        func post(_ count: Int) -> String { "POST / HTTP/1.1\r\n\(host)Content-Length: \(count)\r\n\r\n" }
        #expect(read(post(100) + body) { $0.bodyBytes = 100 } == ["POST / [\(body)]"])
        #expect(read(post(101)) { $0.bodyBytes = 100 } == ["413"])
        let chunked = "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
        #expect(read(chunked + "64\r\n\(body)\r\n0\r\n\r\n") { $0.bodyBytes = 100 } == ["POST / [\(body)]"])
        #expect(read(chunked + "64\r\n\(body)\r\n1\r\n") { $0.bodyBytes = 100 } == ["413"])
        #expect(read(chunked + "65\r\n") { $0.bodyBytes = 100 } == ["413"])
    }

    @Test(
        "A client that waits for 100 Continue is told to go on, unless its body is too large or here already")
    func expectation() {
        let head = "POST / HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        #expect(read(head) == ["100"])
        #expect(read(head + "ab") == ["POST / [ab]"])
        #expect(read(head) { $0.bodyBytes = 1 } == ["413"])
    }

    @Test("Names are lower-case, repeated headers are joined, values are trimmed")
    func headers() throws {
        var parser = RequestParser(limits: Limits())
        let text =
            "GET / HTTP/1.0\r\nX-Client-KEY: \t k \r\nA: 1\r\nCookie: a=b\r\na: 2\r\ncookie: c=d\r\nEmpty:\r\n\r\n"
        bytes(text).withUnsafeBytes { parser.append($0) }
        guard case .request(let request) = parser.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.headers == ["x-client-key": "k", "a": "1, 2", "cookie": "a=b; c=d", "empty": ""])
        #expect(request.isHTTP10 && !request.isKeptAlive)
    }

    @Test(
        "Whether a connection stays open follows version and header",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
            ("HTTP/1.1", "Connection: x, CLOSE\r\n", false), ("HTTP/1.0", "", false),
            ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ])
    func keepAlive(version: String, header: String, isKeptAlive: Bool) {
        var parser = RequestParser(limits: Limits())
        bytes("GET / \(version)\r\n\(host)\(header)\r\n").withUnsafeBytes { parser.append($0) }
        guard case .request(let request) = parser.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.isKeptAlive == isKeptAlive)
    }

    @Test("Random bytes never crash, and read the same however they are cut", arguments: UInt64(0)..<200)
    func garbage(seed: UInt64) {
        var random = Seeded(seed)
        let parts = [
            "GET / HTTP/1.1\r\n", "POST /p HTTP/1.1\r\n", host, "Content-Length: 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "\r\n", "abc", "3\r\n", "0\r\n", "\n", "\r", ":", " ", "\u{0}", "HTTP/1.1", "%",
        ]
        let stream = (0..<30).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        let limits = { (limits: inout Limits) in
            limits.headerBytes = 300
            limits.bodyBytes = 20
        }
        #expect(read(stream, limits) == read(stream, piece: Int(seed % 7) + 1, limits))
    }
}
