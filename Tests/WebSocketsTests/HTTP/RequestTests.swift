import Testing
import WebSockets

/// What the handler was asked by the one request of a connection, or else the status line that came back.
private func ask(
    _ request: String, _ change: (inout ListenerConfiguration) -> Void = { _ in }
) async throws -> String {
    let handler = RecordingHandler(onRequest: { request, reply in
        let question = "\(request.method) \(request.path)?\(request.query) [\(text(request.body))]"
        reply(HTTPResponse(status: 200, headers: [("Connection", "close")], body: bytes(question)))
    })
    let scene = try Scene(handler, host: "127.0.0.1", change)
    let socket = try scene.raw()
    socket.send(request)
    let answer = text(await socket.read())
    await scene.stop()
    guard answer.hasPrefix("HTTP/1.1 200 ") else { return answer.components(separatedBy: "\r\n")[0] }
    return answer.components(separatedBy: "\r\n\r\n").last ?? ""
}

private let host = "Host: x\r\n"

@Suite("What becomes of a request", .timeLimit(.minutes(5)))
struct RequestTests {
    @Test(
        "Every method reaches the handler, with a body or without",
        arguments: [
            ("GET / HTTP/1.1\r\n\(host)\r\n", "GET /? []"),
            ("OPTIONS /o HTTP/1.1\r\n\(host)\r\n", "OPTIONS /o? []"),
            ("DELETE /d HTTP/1.1\r\n\(host)\r\n", "DELETE /d? []"),
            ("DELETE /d HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab", "DELETE /d? [ab]"),
            ("POST /p HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab", "POST /p? [ab]"),
            ("POST /p HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", "POST /p? []"),
            ("POST /p HTTP/1.1\r\n\(host)\r\n", "POST /p? []"),
            ("PUT /p HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab", "PUT /p? [ab]"),
            ("PUT /p HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", "PUT /p? []"),
            ("PATCH /p HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\na", "PATCH /p? [a]"),
        ])
    func methods(request: String, question: String) async throws {
        #expect(try await ask(request) == question)
    }

    @Test(
        "Paths arrive normalised and encoded again, arguments one by one",
        arguments: [
            ("/a%20b", "/a%20b?"), ("/%F0%9F%91%8D", "/%F0%9F%91%8D?"), ("/a//b/./c/../d", "/a/b/d?"),
            ("/a%2Fb", "/a/b?"), ("/%2541", "/%2541?"), ("/a?x=1&y=2", "/a?x=1&y=2"),
            ("/a?q=%2B49+1", "/a?q=%2B49%201"), ("/a?q=%26x%3Dy&z", "/a?q=%26x%3Dy&z"),
            ("/a?q=100%25", "/a?q=100%25"), ("/a?q=a=b", "/a?q=a%3Db"), ("/a?q=", "/a?q="),
            ("/a?q=%C3%BC", "/a?q=%C3%BC"), ("/a?x=1;y=2", "/a?x=1&y=2"),
        ])
    func targets(target: String, question: String) async throws {
        #expect(try await ask("GET \(target) HTTP/1.1\r\n\(host)\r\n") == "GET \(question) []")
    }

    @Test(
        "What libwebsockets refuses by itself, it refuses with 403 or without a word",
        arguments: [
            ("BREW / HTTP/1.1\r\n\(host)\r\n", "HTTP/1.0 403 Forbidden"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.0 403 Forbidden"),
            ("GET http://x/abs HTTP/1.1\r\n\(host)\r\n", "HTTP/1.0 403 Forbidden"),
            ("GET /%zz HTTP/1.1\r\n\(host)\r\n", "HTTP/1.0 403 Forbidden"),
            ("GET /a%0Ab HTTP/1.1\r\n\(host)\r\n", "HTTP/1.1 400 Bad Request"),
            ("GET /?a=%0D%0A HTTP/1.1\r\n\(host)\r\n", "HTTP/1.1 400 Bad Request"),
            ("CONNECT x:1 HTTP/1.1\r\n\(host)\r\n", ""), ("GET /a%00b HTTP/1.1\r\n\(host)\r\n", ""),
        ])
    func refusedBelow(request: String, line: String) async throws {
        #expect(try await ask(request) == line)
    }

    @Test("A head at the limit passes, a byte more is 431, four times as much ends the connection")
    func headLimit() async throws {
        func head(_ name: String, _ count: Int) -> String {
            "GET / HTTP/1.1\r\n\(host)\(name): \(String(repeating: "a", count: count))\r\n\r\n"
        }
        func ask(_ request: String) async throws -> String {
            try await WebSocketsTests.ask(request) { $0.limits.headerBytes = 1000 }
        }
        // Path and host are a byte each.
        #expect(try await ask(head("User-Agent", 998)) == "GET /? []")
        #expect(try await ask(head("User-Agent", 999)).hasPrefix("HTTP/1.1 431 "))
        #expect(try await ask(head("User-Agent", 4000)) == "")
        // What no handler sees counts only for the last.
        #expect(try await ask(head("X-Other", 3000)) == "GET /? []")
        #expect(try await ask(head("X-Other", 4000)) == "")
    }

    @Test(
        "A name that begins one libwebsockets knows hides the line behind it: why no proxy may share connections"
    )
    func hiddenLine() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        socket.send(
            "GET / HTTP/1.1\r\n\(host)A: b\r\nUser-Agent: c\r\nAccept: d\r\nConnection: close\r\n\r\n")
        #expect(text(await socket.read()).hasPrefix("HTTP/1.1 404 "))
        // A libwebsockets that reads `User-Agent` here no longer needs the word on proxies in operations.md.
        #expect(
            await scene.handler.requests.first().headers == [
                "host": "x", "accept": "d", "connection": "close",
            ])
        await scene.stop()
    }

    @Test("A body as large as the limit passes, one byte more is 413 before it arrives")
    func bodyLimit() async throws {
        func post(_ count: Int) -> String { "POST / HTTP/1.1\r\n\(host)Content-Length: \(count)\r\n\r\n" }
        let body = String(repeating: "b", count: 100_000)
        #expect(try await ask(post(100_000) + body) { $0.limits.bodyBytes = 100_000 } == "POST /? [\(body)]")
        let refused = try await ask(post(100_001)) { $0.limits.bodyBytes = 100_000 }
        #expect(refused.hasPrefix("HTTP/1.1 413 "))
    }

    @Test("A refused body that keeps coming does not cost its sender the answer")
    func refusedBody() async throws {
        let scene = try Scene { $0.limits.bodyBytes = 1000 }
        let socket = try scene.raw()
        socket.send("POST / HTTP/1.1\r\n\(host)Content-Length: 5000000\r\n\r\n")
        for _ in 0..<50 { socket.send([UInt8](repeating: 0x62, count: 100_000)) }
        #expect(text(await socket.read()).hasPrefix("HTTP/1.1 413 "))
        await scene.stop()
    }

    /// What is answered to requests that are sent together.
    private func answers(to requests: String) async throws -> [String] {
        let scene = try Scene(
            RecordingHandler(onRequest: { request, reply in
                reply(
                    HTTPResponse(
                        status: 200, body: bytes("<\(request.method)\(request.path) \(text(request.body))>")))
            }))
        let socket = try scene.raw()
        socket.send(requests)
        let answers = text(await socket.read()).matches(of: /<.*?>/)
        await scene.stop()
        return answers.map { String($0.output) }
    }

    @Test("Requests sent ahead are answered in order, also behind a body")
    func pipeline() async throws {
        let post = "POST /p HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc"
        let get = "GET /g HTTP/1.1\r\n\(host)\r\n"
        let end = "GET /end HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
        let answers = try await answers(to: post + String(repeating: get, count: 20) + end)
        #expect(answers == ["<POST/p abc>"] + [String](repeating: "<GET/g >", count: 20) + ["<GET/end >"])
    }

    @Test(
        "A body sent ahead ends the connection, which libwebsockets would not survive",
        arguments: ["", "abc"])
    func bodyAhead(rest: String) async throws {
        let get = "GET /g HTTP/1.1\r\n\(host)\r\n"
        let post = "POST /p HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\n\(rest)"
        #expect(try await answers(to: get + post + (rest.isEmpty ? "" : get + get)) == ["<GET/g >"])
    }

    @Test("Bodies one after the other on one connection")
    func bodiesInTurn() async throws {
        let scene = try Scene(
            RecordingHandler(onRequest: { request, reply in
                reply(HTTPResponse(status: 200, body: request.body))
            }))
        let socket = try scene.raw()
        for number in 0..<20 {
            socket.send("POST /p HTTP/1.1\r\n\(host)Content-Length: 9\r\n\r\n")
            socket.send("<body \(number % 10)>!")
            #expect(await socket.read(through: "<body \(number % 10)>!").hasPrefix("HTTP/1.1 200 "))
        }
        await scene.stop()
    }
}

@Suite("Upgrades", .timeLimit(.minutes(5)))
struct UpgradeTests {
    private func upgrade(_ change: (inout [String: String]) -> Void) async throws -> String {
        let scene = try Scene()
        let socket = try scene.raw()
        var headers = [
            "Host": "x", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        change(&headers)
        socket.send("GET /ws HTTP/1.1\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n")
        let answer = await socket.read(through: "\r\n\r\n")
        await scene.stop()
        return answer
    }

    @Test("The example of RFC 6455 is accepted with its answer")
    func example() async throws {
        let answer = try await upgrade { _ in }
        #expect(answer.hasPrefix("HTTP/1.1 101 "))
        #expect(answer.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    }

    @Test(
        "A missing or malformed part is refused in words",
        arguments: [
            ("Connection", nil, 400), ("Connection", "close", 400), ("Sec-WebSocket-Key", nil, 400),
            ("Sec-WebSocket-Key", "short==", 400), ("Sec-WebSocket-Version", "8", 426),
            ("Sec-WebSocket-Version", nil, 426), ("Sec-WebSocket-Protocol", "chat", 400), ("Host", nil, 400),
            ("Upgrade", "h2c", 505),
        ] as [(String, String?, Int)])
    func malformed(name: String, value: String?, status: Int) async throws {
        let answer = try await upgrade { $0[name] = value }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("\r\nConnection: \(status == 426 ? "Upgrade, close" : "close")\r\n"))
        #expect((status == 426) == answer.contains("\r\nUpgrade: websocket\r\n"))
        #expect((status == 426) == answer.contains("\r\nSec-WebSocket-Version: 13\r\n"))
    }

    @Test(
        "An upgrade to something else ends the connection, also behind other requests", arguments: [0, 1, 3])
    func unknown(before: Int) async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        for _ in 0..<before {
            socket.send("GET / HTTP/1.1\r\n\(host)\r\n")
            _ = await socket.read(through: "\r\n\r\n")
        }
        // CVE-2025-11677: on a kept connection, libwebsockets 4.1.6 would go on with memory that it has freed.
        let teapot = "GET / HTTP/1.1\r\n\(host)Upgrade: teapot\r\nConnection: Upgrade\r\n\r\n"
        socket.send(teapot + "GET /next HTTP/1.1\r\n\(host)\r\n")
        #expect(text(await socket.read()).contains(" 403 Forbidden"))
        #expect(scene.handler.requests.all.count == before)
        await scene.stop()
    }

    @Test("A WebSocket elsewhere than on its path is not found")
    func elsewhere() async throws {
        let scene = try Scene()
        let socket = try scene.raw()
        #expect(await socket.upgrade(path: "/other").hasPrefix("HTTP/1.1 404 "))
        #expect(scene.handler.openings.all.isEmpty)
        await scene.stop()
    }
}
