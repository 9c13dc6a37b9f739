import Testing

@testable import WebSockets

@Suite("Writing and reading answers")
struct ResponseTests {
    private func head(_ response: HTTPResponse, isKeptAlive: Bool = true, isHTTP10: Bool = false) -> String {
        text(response.head(isKeptAlive: isKeptAlive, isHTTP10: isHTTP10, date: "now"))
    }

    @Test("An answer has its length, its date and its headers")
    func plain() {
        let response = HTTPResponse(status: 200, headers: [("Content-Type", "a/b")], body: bytes("hey"))
        #expect(
            head(response) == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\n"
        )
        #expect(head(response, isKeptAlive: false).contains("\r\nConnection: close\r\n"))
        #expect(head(response, isHTTP10: true).contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test("A value cannot end its line, and a name that is no token is left out")
    func injection() {
        let response = HTTPResponse(
            status: 200,
            headers: [("A", "x\r\nSet-Cookie: y"), ("B\r\nC", "d"), ("", "e"), ("F", "g\u{0}\u{7f}\u{85}ü")])
        #expect(
            head(response)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nA: x  Set-Cookie: y\r\nF: g  \u{85}ü\r\nContent-Length: 0\r\n\r\n"
        )
    }

    @Test("The framing is the listener's, whatever the handler says")
    func framing() {
        let response = HTTPResponse(
            status: 200,
            headers: [("content-LENGTH", "99"), ("Transfer-Encoding", "chunked"), ("Connection", "close")])
        #expect(head(response) == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\n\r\n")
        #expect(response.asksToClose)
    }

    @Test("426 says what to upgrade to")
    func upgradeRequired() {
        let response = HTTPResponse(status: 426)
        #expect(head(response).hasSuffix("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"))
        #expect(head(response, isKeptAlive: false).hasSuffix("\r\nConnection: Upgrade, close\r\n\r\n"))
    }

    @Test("204 and 304 announce no body", arguments: [204, 304])
    func bodiless(status: Int) {
        let response = HTTPResponse(status: status, body: bytes("x"))
        #expect(!head(response).contains("Content-Length"))
        #expect(!response.hasBody)
    }

    @Test("The date is in the form that RFC 9110 wants")
    func date() {
        var date = HTTPDate()
        let text = date.now()
        #expect(
            text.wholeMatch(of: /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/)
                != nil)
    }

    private func read(_ stream: String, piece: Int, limits: Limits = Limits()) -> ResponseParser.Event {
        var parser = ResponseParser(limits: limits)
        var event = ResponseParser.Event.incomplete
        for byte in stride(from: 0, to: stream.utf8.count, by: piece) {
            Array(bytes(stream)[byte..<min(byte + piece, stream.utf8.count)]).withUnsafeBytes {
                parser.append($0)
            }
            event = parser.next()
            if case .incomplete = event { continue }
            break
        }
        return event
    }

    @Test("A refusal is read with its headers and body", arguments: [1, 5, 1000])
    func refusal(piece: Int) {
        let stream =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\nA: b\r\n\r\nbody"
        guard case .refused(401, let headers, let body) = read(stream, piece: piece) else {
            Issue.record("not read as a refusal")
            return
        }
        #expect(headers == ["content-length": "4", "a": "b"])
        #expect(body == bytes("body"))
    }

    @Test("A refusal's body is cut at the limit")
    func longRefusal() {
        var limits = Limits()
        limits.bodyBytes = 3
        guard case .refused(503, _, let body) = read("HTTP/1.1 503 x\r\n\r\nlong", piece: 100, limits: limits)
        else {
            Issue.record("not read as a refusal")
            return
        }
        #expect(body == bytes("lon"))
    }

    @Test(
        "What is no HTTP answer is malformed",
        arguments: ["SSH-2.0-x\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1\r\n\r\n"])
    func malformed(stream: String) {
        guard case .malformed = read(stream, piece: 100) else {
            Issue.record("read as something")
            return
        }
    }
}

@Suite("The WebSocket handshake")
struct HandshakeTests {
    private func answer(_ change: (inout [String: String]) -> Void = { _ in })
        -> WebSocketHandshake.ServerVerdict
    {
        var headers = [
            "upgrade": "websocket", "connection": "keep-alive, Upgrade", "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        change(&headers)
        return WebSocketHandshake.answer(
            ParsedRequest(
                method: "GET", path: "/", query: "", headers: headers, framing: .length(0), isHTTP10: false))
    }

    @Test("The example of RFC 6455 is accepted with its answer")
    func example() {
        #expect(answer() == .accept("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    }

    @Test("Another version is told which one is spoken")
    func version() {
        guard case .refuse(426, _) = answer({ $0["sec-websocket-version"] = "8" }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test(
        "A missing or malformed part is refused",
        arguments: [
            ("connection", nil), ("connection", "close"), ("sec-websocket-key", nil),
            ("sec-websocket-key", "short=="),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZ!=="),
        ] as [(String, String?)])
    func malformed(name: String, value: String?) {
        guard case .refuse(400, _) = answer({ $0[name] = value }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test("A client's keys differ and are well-formed")
    func keys() {
        let keys = Set((0..<100).map { _ in WebSocketHandshake.newKey() })
        #expect(keys.count == 100)
        for key in keys {
            #expect(
                answer { $0["sec-websocket-key"] = key } == .accept(WebSocketHandshake.acceptance(of: key)))
        }
    }
}
