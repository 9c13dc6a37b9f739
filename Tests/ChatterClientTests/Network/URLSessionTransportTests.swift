import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("HTTP over a real network", .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    @Test("A request and its answer arrive whole")
    func exchange() async throws {
        let server = try CannedServer(
            "HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nX-One: 1\r\nContent-Length: 2\r\n\r\n{}")
        let request = HTTPRequest(
            method: .post, url: server.url, headers: ["X-Client-Key": "k"], body: Array("{}".utf8))
        let response = try await transport.perform(request)
        #expect(response.status == 429)
        #expect(response[header: "retry-after"] == "7")
        #expect(response[header: "X-ONE"] == "1")
        #expect(response.body == Array("{}".utf8))
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("POST /path HTTP/1.1\r\n"))
        #expect(head.lowercased().contains("x-client-key: k\r\n"))
    }

    @Test("Every method keeps its name", arguments: HTTPMethod.allCases)
    func methods(method: HTTPMethod) async throws {
        let server = try CannedServer("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try await transport.perform(HTTPRequest(method: method, url: server.url)).status == 204)
        #expect(server.requests.first?.hasPrefix("\(method.rawValue) /path ") == true)
    }

    @Test("A redirect is not followed: it could carry the token away")
    func redirect() async throws {
        let elsewhere = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try CannedServer(
            "HTTP/1.1 302 Found\r\nLocation: \(elsewhere.url)\r\nContent-Length: 0\r\n\r\n")
        let response = try await transport.perform(
            HTTPRequest(method: .get, url: server.url, headers: ["Authorization": "Bearer t"]))
        #expect(response.status == 302)
        #expect(elsewhere.requests.isEmpty)
    }

    @Test("An answer above the limit is refused, announced or not")
    func tooLarge() async throws {
        let body = String(repeating: "x", count: 1001)
        let announced = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n\(body)")
        let endless = try CannedServer("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(body)")
        for server in [announced, endless] {
            #expect(await failure(server.url, limit: 1000) == .answerTooLarge)
        }
        let fitting = try CannedServer(
            "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n\(body.dropLast())")
        #expect(await failure(fitting.url, limit: 1000) == nil)
    }

    @Test("Nobody there, a broken connection and half an answer are no connection")
    func noConnection() async throws {
        let nobody = URL(string: "http://127.0.0.1:\(try Socket.freePort())/")!  // digits
        let silent = try CannedServer("")
        let half = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        let noise = try CannedServer("\u{1}\u{2}\u{3} nonsense\r\n\r\n")
        for (name, url) in ["nobody": nobody, "silent": silent.url, "half": half.url, "noise": noise.url] {
            #expect(await failure(url) == .noConnection, "\(name)")
        }
    }

    @Test("An answer that does not end in time is given up")
    func timeout() async throws {
        let release = DispatchSemaphore(value: 0)
        defer { release.signal() }
        let server = try CannedServer { connection in
            CannedServer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", on: connection)
            release.wait()
        }
        #expect(await failure(server.url, timeout: .milliseconds(200)) == .timedOut)
    }

    @Test("A cancelled call ends at once, also when it was cancelled before it began")
    func cancellation() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        defer { release.signal() }
        let server = try CannedServer { _ in
            arrival.yield()
            release.wait()
        }
        let call = Task { await failure(server.url) }
        for await _ in arrived { break }
        call.cancel()
        #expect(await call.value == .cancelled)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(server.url)
        }
        #expect(await early.value == .cancelled)
    }

    private func failure(
        _ url: URL, limit: Int = 1 << 20, timeout: Duration = .seconds(30)
    ) async -> TransportError.Kind? {
        do {
            _ = try await transport.perform(
                HTTPRequest(method: .get, url: url, timeout: timeout, answerLimit: limit))
            return nil
        } catch {
            return error.kind
        }
    }
}
