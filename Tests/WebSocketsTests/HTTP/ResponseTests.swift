import Testing

@testable import WebSockets

@Suite("What an answer looks like", .timeLimit(.minutes(5)))
struct ResponseTests {
    /// Head and body as they arrive.
    private func answer(
        _ response: HTTPResponse, method: String = "GET", connection: String = "close"
    ) async throws -> (head: [String], body: String) {
        let scene = try Scene(RecordingHandler(onRequest: { _, reply in reply(response) }))
        let socket = try scene.raw()
        socket.send("\(method) / HTTP/1.1\r\nHost: x\r\nConnection: \(connection)\r\n\r\n")
        let answer =
            connection == "close" ? text(await socket.read()) : await socket.read(through: "\r\n\r\n")
        await scene.stop()
        let parts = answer.components(separatedBy: "\r\n\r\n")
        return (parts[0].components(separatedBy: "\r\n"), parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    @Test("It has its status, date, length and headers")
    func plain() async throws {
        let response = HTTPResponse(status: 200, headers: [("Content-Type", "a/b")], body: bytes("hey"))
        let (head, body) = try await answer(response)
        #expect(head[0] == "HTTP/1.1 200 OK")
        #expect(head[1].hasPrefix("Date: "))
        #expect(head[2...] == ["Content-Type: a/b", "Connection: close", "content-length: 3"])
        #expect(body == "hey")
        #expect(try await answer(response, connection: "keep-alive").head.count == 4)
    }

    @Test("A value cannot end its line, and a name that is no token is left out")
    func injection() async throws {
        let response = HTTPResponse(
            status: 200,
            headers: [("A", "x\r\nSet-Cookie: y"), ("B\r\nC", "d"), ("", "e"), ("F", "g\u{0}\u{7f}\u{85}ü")])
        let (head, _) = try await answer(response)
        #expect(
            head[2...] == ["A: x  Set-Cookie: y", "F: g  \u{85}ü", "Connection: close", "content-length: 0"])
    }

    @Test("The framing is the listener's, whatever the handler says")
    func framing() async throws {
        let response = HTTPResponse(
            status: 200,
            headers: [("content-LENGTH", "99"), ("Transfer-Encoding", "chunked"), ("Connection", "close")])
        #expect(try await answer(response).head[2...] == ["Connection: close", "content-length: 0"])
    }

    @Test("204 and 304 announce no body and have none", arguments: [204, 304])
    func bodiless(status: Int) async throws {
        let (head, body) = try await answer(HTTPResponse(status: status, body: bytes("x")))
        #expect(head[0].hasPrefix("HTTP/1.1 \(status) "))
        #expect(head.count == 3)
        #expect(body.isEmpty)
    }

    @Test("426 says what to upgrade to")
    func upgradeRequired() async throws {
        let (head, _) = try await answer(HTTPResponse(status: 426), connection: "keep-alive")
        #expect(head[2...] == ["Upgrade: websocket", "Connection: Upgrade", "content-length: 0"])
    }

    @Test("A header is added only where there is none of its name")
    func addHeader() {
        var response = HTTPResponse(status: 503, headers: [("retry-after", "1")])
        response.addHeader("Retry-After", "5")
        response.addHeader("Allow", "GET")
        #expect(response.headers.map { "\($0): \($1)" } == ["retry-after: 1", "Allow: GET"])
    }

    @Test("The date is in the form that RFC 9110 wants")
    func date() {
        var date = HTTPDate()
        let form = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/
        #expect(date.now().wholeMatch(of: form) != nil)
    }
}
