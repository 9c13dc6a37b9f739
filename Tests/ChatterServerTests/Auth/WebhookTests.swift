import ChatterModel
import ChatterTestSupport
import Foundation
import Synchronization
import Testing
import WebSockets

@testable import ChatterServer

@Suite("Codes by webhook", .timeLimit(.minutes(5)))
struct WebhookTests {
    @Test("The operator's service gets phone, code and workspace as JSON")
    func delivery() async throws {
        let service = try Service(status: 204)
        try await WebhookCodeSender(url: service.url).send("123456", to: "+14155552671", workspace: "w")
        let request = try #require(service.requests.first)
        #expect(request.method == "POST" && request.path == "/codes" && service.requests.count == 1)
        #expect(request.headers["content-type"] == "application/json")
        let body = try JSONDecoder().decode([String: String].self, from: Data(request.body))
        #expect(body == ["phone": "+14155552671", "code": "123456", "workspace": "w"])
        await service.stop()
    }

    @Test("Anything but a 2xx is a failure with its status", arguments: [400, 404, 500, 503])
    func refused(_ status: Int) async throws {
        let service = try Service(status: status)
        await #expect(throws: WebhookCodeSender.Failure.refused(status: status)) {
            try await WebhookCodeSender(url: service.url).send("123456", to: "+14155552671", workspace: "w")
        }
        await service.stop()
    }

    @Test("A service that never answers, or is not there, fails rather than hang")
    func unreachable() async throws {
        let silent = try Service(status: nil)
        await #expect(throws: URLError.self) {
            try await WebhookCodeSender(url: silent.url, timeout: 1).send("1", to: "+1", workspace: "w")
        }
        await silent.stop()
        await #expect(throws: URLError.self) {
            try await WebhookCodeSender(url: silent.url, timeout: 1).send("1", to: "+1", workspace: "w")
        }
    }
}

/// A web server that takes codes; without a status it never answers.
private final class Service: Sendable {
    private let handler: Handler
    private let listener: Listener

    init(status: Int?) throws {
        handler = Handler(status: status)
        listener = try Listener(
            ListenerConfiguration(host: "127.0.0.1", port: 0, webSocketPath: "/none"), handler: handler)
        listener.start()
    }

    // `!`: made of valid parts.
    var url: URL { URL(string: "http://127.0.0.1:\(listener.port)/codes")! }
    var requests: [HTTPRequest] { handler.requests.values }
    func stop() async { await listener.stop(within: .milliseconds(100), reason: "") }

    private final class Handler: ListenerHandler {
        let requests = Recorder<HTTPRequest>()
        private let status: Int?
        private let unanswered = Recorder<@Sendable (HTTPResponse) -> Void>()

        init(status: Int?) { self.status = status }

        func respond(to request: HTTPRequest, _ reply: @escaping @Sendable (HTTPResponse) -> Void) {
            requests.add(request)
            // Dropped, it would be answered with 500.
            if let status { reply(HTTPResponse(status: status)) } else { unanswered.add(reply) }
        }

        func upgrade(_ request: HTTPRequest) -> UpgradeVerdict { .reject(HTTPResponse(status: 404)) }
        func opened(_ connection: WebSocketConnection, request: HTTPRequest) {}
        func received(_ message: [UInt8], isText: Bool, on connection: WebSocketConnection) {}
        func closed(_ connection: WebSocketConnection, code: UInt16, reason: String) {}
    }
}
