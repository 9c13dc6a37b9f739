import Synchronization
import Testing
import WebSockets

/// Answers with what it was asked.
private func mirror() -> RecordingHandler {
    RecordingHandler(onRequest: { request, reply in
        guard request.path != "/missing" else { return reply(HTTPResponse(status: 404, body: bytes("no"))) }
        reply(
            HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain")],
                body: bytes("\(request.method) \(request.path)?\(request.query) ") + request.body))
    })
}

private let host = "Host: x\r\n"

@Suite("Plain HTTP", .timeLimit(.minutes(5)))
struct HTTPTests {
    @Test("A request reaches the handler as it was sent, and the answer goes back")
    func exchange() async throws {
        let scene = try Scene(mirror()) { $0.customHeaders = ["x-key"] }
        let socket = try scene.raw()
        socket.send("POST /a%20b?q=%20 HTTP/1.1\r\n\(host)X-KEY: k \r\nContent-Length: 4\r\n\r\nbody")
        let answer = await socket.read(through: "body")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\ncontent-length: 22\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nPOST /a%20b?q=%20 body"))
        let request = await scene.handler.requests.first()
        #expect(request.headers["x-key"] == "k")
        #expect(request.remoteAddress == "127.0.0.1")
        await scene.stop()
    }

    @Test("Pipelined requests are answered in order on one connection, even when answers come late")
    func pipeline() async throws {
        let replies = Events<RecordingHandler.Reply>()
        let scene = try Scene(RecordingHandler(onRequest: { _, reply in replies.add(reply) }))
        let socket = try scene.raw()
        socket.send((1...3).map { "GET /\($0) HTTP/1.1\r\n\(host)\r\n" }.joined())
        for number in 1...3 {
            let reply = await replies.wait(for: number)[number - 1]
            #expect(scene.handler.requests.all.count == number)
            reply(HTTPResponse(status: 200, body: bytes("answer \(number)")))
            #expect(await socket.read(through: "answer \(number)").hasPrefix("HTTP/1.1 200 OK"))
        }
        await scene.stop()
    }

    @Test("HEAD is answered with the length and without the body")
    func head() async throws {
        let scene = try Scene(mirror())
        let socket = try scene.raw()
        socket.send("HEAD /x HTTP/1.1\r\n\(host)\r\nGET /y HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        let answers = text(await socket.read())
        #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        #expect(answers.contains("content-length: 9\r\n"))
        #expect(!answers.contains("HEAD /x"))
        #expect(answers.hasSuffix("GET /y? "))
        await scene.stop()
    }

    @Test("A connection closes after the answer when the client or the handler asks for it")
    func close() async throws {
        let scene = try Scene(
            RecordingHandler(onRequest: { request, reply in
                reply(
                    HTTPResponse(
                        status: 200, headers: request.path == "/end" ? [("Connection", "close")] : []))
            }))
        for head in [
            "GET / HTTP/1.1\r\n\(host)Connection: x, CLOSE\r\n",
            "GET / HTTP/1.1\r\n\(host)Connection: close\r\n", "GET / HTTP/1.0\r\n",
            "GET /end HTTP/1.1\r\n\(host)",
        ] {
            let socket = try scene.raw()
            socket.send(head + "\r\n")
            let answer = text(await socket.read())
            #expect(answer.contains("\r\nConnection: close\r\n"), "\(head)")
        }
        await scene.stop()
    }

    @Test("A large answer arrives whole")
    func large() async throws {
        let body = [UInt8](repeating: UInt8(ascii: "L"), count: 20 * 1024 * 1024)
        let scene = try Scene(
            RecordingHandler(onRequest: { _, reply in reply(HTTPResponse(status: 200, body: body)) }))
        let socket = try scene.raw()
        socket.send("GET / HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        let answer = await socket.read()
        #expect(Array(answer.suffix(body.count)) == body)
        #expect(text(Array(answer.prefix(300))).contains("content-length: \(body.count)\r\n"))
        await scene.stop()
    }

    @Test("A waiting body is called for with 100 Continue")
    func expectation() async throws {
        let scene = try Scene(mirror())
        let socket = try scene.raw()
        socket.send("POST / HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        #expect(await socket.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        socket.send("late")
        #expect(await socket.read(through: "late").hasPrefix("HTTP/1.1 200 OK"))
        await scene.stop()
    }

    @Test("What the listener refuses itself carries the handler's wording and ends the connection")
    func refusals() async throws {
        let scene = try Scene(mirror()) {
            $0.limits.bodyBytes = 1000
        }
        let long = String(repeating: "x", count: 2000)
        for (request, status) in [
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 1001\r\n\r\n\(long)", 413),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/3\r\n\r\n", 505),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999\r\n\r\n", 413),
            ("GET / HTTP/1.1\r\n\(host)Content-Length: 1, 2\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 411),
            ("GET /a%01b HTTP/1.1\r\n\(host)\r\n", 400),
        ] {
            let socket = try scene.raw()
            socket.send(request)
            let answer = text(await socket.read())
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.contains("\r\nContent-Type: text/x-refusal\r\n"))
            #expect(answer.contains("\r\n\r\nrefused: "))
        }
        #expect(scene.handler.requests.all.isEmpty)
        await scene.stop()
    }

    @Test("A handler that forgets to answer is answered for")
    func forgotten() async throws {
        let scene = try Scene(RecordingHandler(onRequest: { _, _ in }))
        let socket = try scene.raw()
        socket.send("GET / HTTP/1.1\r\n\(host)\r\n")
        #expect(text(await socket.read()).hasPrefix("HTTP/1.1 500 "))
        await scene.stop()
    }

    @Test("A second answer and an answer to a gone client are ignored")
    func lateAnswers() async throws {
        let replies = Events<RecordingHandler.Reply>()
        let scene = try Scene(
            RecordingHandler(onRequest: { request, reply in
                if request.path == "/late" { return replies.add(reply) }
                reply(HTTPResponse(status: 200, body: bytes("first")))
                reply(HTTPResponse(status: 500, body: bytes("second")))
            }))
        var socket = try scene.raw()
        socket.send("GET /late HTTP/1.1\r\n\(host)\r\n")
        let reply = await replies.first()
        socket = try scene.raw()
        socket.send("GET / HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(text(await socket.read()).hasSuffix("first"))
        reply(HTTPResponse(status: 200))
        socket = try scene.raw()
        socket.send("GET / HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(text(await socket.read()).hasSuffix("first"))
        await scene.stop()
    }

    @Test("A request that takes too long is answered 408, a silent connection is closed")
    func slow() async throws {
        let scene = try Scene(mirror()) {
            $0.timeouts.request = .milliseconds(50)
            $0.timeouts.idleClose = .milliseconds(50)
        }
        let half = try scene.raw()
        half.send("GET / HTTP/1.1\r\nHo")
        #expect(text(await half.read()).hasPrefix("HTTP/1.1 408 "))
        let silent = try scene.raw()
        #expect(await silent.read().isEmpty)
        let idle = try scene.raw()
        idle.send("GET / HTTP/1.1\r\n\(host)\r\n")
        #expect(text(await idle.read()).hasPrefix("HTTP/1.1 200 "))
        await scene.stop()
    }

    // Field case 54
    @Test("More connections than allowed are answered 503 with a time to come back")
    func full() async throws {
        let scene = try Scene { $0.limits.connections = 2 }
        let first = try await scene.connect()
        let second = try await scene.connect()
        let third = try scene.raw()
        third.send("GET / HTTP/1.1\r\n\(host)\r\n")
        let answer = text(await third.read())
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains("\r\nRetry-After: "))
        do throws(WebSocketError) {
            _ = try await scene.connect()
            Issue.record("a third WebSocket was opened")
        } catch {
            guard case .refused(503, let headers, _) = error else { throw error }
            #expect(headers["retry-after"] != nil)
        }
        await first.close(code: 1000, reason: "")
        await scene.handler.closings.wait(for: 1)
        let fourth = try await scene.connect()
        await fourth.close(code: 1000, reason: "")
        await second.close(code: 1000, reason: "")
        await scene.stop()
    }
}
