import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("Live connections", .timeLimit(.minutes(5)))
struct SocketClientTests {
    private let rig = NetworkRig()
    private let sockets = FakeSockets()
    private let decoder = FrameDecoder()

    private func client(_ tokens: TokenRefresher) -> SocketClient {
        SocketClient(
            serverURL: NetworkRig.url, clientKey: "key-1", transport: sockets, tokens: tokens,
            serverTime: rig.serverTime, decoder: decoder)
    }

    /// Connected, with the test's end.
    private func connected() async throws -> (any LiveLink, FakeSocket, TokenRefresher) {
        let socket = FakeSocket()
        sockets.onConnect { _ in socket }
        let tokens = try await rig.tokens()
        return (try await client(tokens).connect(), socket, tokens)
    }

    // Field case 60
    @Test("A handshake carries the client key and the token, and the size limit is set")
    func handshake() async throws {
        _ = try await connected()
        let request = try #require(sockets.requests.first)
        #expect(request.url.absoluteString == "wss://chat.example/v1/ws")
        #expect(request.headers == ["X-Client-Key": "key-1", "Authorization": "Bearer access-1"])
        #expect(request.messageLimit > Limits.frameBytes)
    }

    @Test(
        "The socket's URL is the server's, encrypted like it",
        arguments: [
            ("https://chat.example:8443/a/", "wss://chat.example:8443/a/v1/ws"),
            ("http://localhost:8080", "ws://localhost:8080/v1/ws"),
            ("HTTP://127.0.0.1", "ws://127.0.0.1/v1/ws"),
            ("HTTPS://chat.example", "wss://chat.example/v1/ws"),
        ])
    func urls(server: String, expected: String) async throws {
        let socket = FakeSocket()
        sockets.onConnect { _ in socket }
        let client = SocketClient(
            serverURL: try #require(URL(string: server)), clientKey: "key-1", transport: sockets,
            tokens: try await rig.tokens(), serverTime: rig.serverTime, decoder: decoder)
        _ = try await client.connect()
        #expect(sockets.requests.first?.url.absoluteString == expected)
    }

    @Test("Frames come in order; unknown events are left out, malformed ones are counted and dropped")
    func frames() async throws {
        let (live, socket, _) = try await connected()
        socket.receive(#"{"type":"pong","data":{}}"#)
        socket.receive(#"{"type":"something.new","data":{"a":1}}"#)
        for text in ["", "{", "[]", "7", #"{"type":"typing","data":{}}"#, #"{"data":{}}"#] {
            socket.receive(text)
        }
        try socket.receive(.syncChanged, id: "7")
        socket.end(.lost("reset"))
        var inputs: [LiveInput] = []
        for await input in live.inputs { inputs.append(input) }
        #expect(
            inputs == [
                .frame(ServerFrame(.pong)), .frame(ServerFrame(.syncChanged, id: "7")),
                .closed(code: nil, reason: "reset"),
            ])
        #expect(decoder.malformedCount == 6)
    }

    @Test("What is sent are frames, in order")
    func sending() async throws {
        let (live, socket, _) = try await connected()
        try await live.send(ClientFrame(.ping, id: "1"))
        try await live.send(ClientFrame(.typingStart(TypingIn(conversationID: ID("c")))))
        live.close()
        var sent: [ClientFrame] = []
        for await text in socket.sent { sent.append(try Wire.decode(ClientFrame.self, from: text)) }
        #expect(
            sent == [
                ClientFrame(.ping, id: "1"), ClientFrame(.typingStart(TypingIn(conversationID: ID("c")))),
            ])
        let error = await clientError { () throws(ClientError) in try await live.send(ClientFrame(.ping)) }
        #expect(error?.kind == .outage)
    }

    // Field case 51
    @Test("A handshake answered 401 makes the next attempt refresh first, once")
    func refusedHandshake() async throws {
        rig.serveRefresh()
        sockets.onConnect { request throws(SocketError) in
            if request.headers["Authorization"] == "Bearer access-1" {
                throw SocketError.refused(status: 401, retryAfter: nil)
            }
            return FakeSocket()
        }
        let client = client(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in try await client.connect() }
        #expect(error?.kind == .unauthorised)
        _ = try await client.connect()
        #expect(sockets.requests.count == 2)
        #expect(rig.http.requests(to: Routes.refresh).count == 1)
    }

    // Field case 51
    @Test("A close that speaks about the token makes the next token a new one", arguments: CloseCode.allCases)
    func closeCodes(code: CloseCode) async throws {
        rig.serveRefresh()
        let (live, socket, tokens) = try await connected()
        socket.end(.byServer(code: code.rawValue))
        var inputs: [LiveInput] = []
        for await input in live.inputs { inputs.append(input) }
        #expect(
            inputs == [.closed(code: code.rawValue, reason: "closed by the server with \(code.rawValue)")])
        let isAboutTheToken = code == .tokenExpired || code == .signedOut
        #expect(try await tokens.accessToken() == (isAboutTheToken ? "access-2" : "access-1"))
    }

    // Field case 60
    @Test("A message above the limit is told apart from a lost connection")
    func tooLarge() async throws {
        let (live, socket, _) = try await connected()
        socket.end(.messageTooLarge)
        for await input in live.inputs {
            #expect(input == .closed(code: 1009, reason: "a message was too large"))
        }
    }
}
