import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import WebSockets

/// A server, and a profile that is signed in there with one long chat.
final class LongChat {
    static let profile = "bench"
    static let clientKey = "ck_demo"

    let server: ServerProcess
    /// The profiles' folder.
    let home: URL
    let chat: ID<Conversation>
    private let friend: WebSocketClient

    init(folder: URL, messages: Int) async throws {
        home = folder.appendingPathComponent("profiles")
        server = try ServerProcess(directory: folder)
        try await server.start()
        let load = LoadServer(port: server.port)
        let friend = try await LoadUser.signUp(on: load, number: 1)
        let person = try await LoadUser.signUp(on: load, number: 2)
        chat = try await friend.befriend(person)
        self.friend = try await friend.connect()

        // Known before it is long: what was missed is fetched, what was there before a sign-in is not.
        let client = try await open()
        _ = try await client.auth.requestCode(phone: "+14155550002")
        _ = try await client.auth.verify(phone: "+14155550002", code: "000000")
        let id = chat
        _ = try await client.conversations.chats().first("the chat") { $0.contains { $0.id == id } }
        await client.close()
        try await write(messages)
        try await fetch(messages)
    }

    /// The profile's client; not started.
    func open() async throws -> ChatterClient {
        let directory = home.appendingPathComponent(Self.profile)
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let url = URL(string: server.url) else { throw LoadFailure("bad URL") }
        let client = try await ChatterClient.open(
            ClientConfiguration(
                serverURL: url, clientKey: Self.clientKey, directory: directory,
                device: DeviceDescription(name: "bench", platform: "bench")))
        await client.start()
        return client
    }

    private func write(_ count: Int) async throws {
        let window = 64
        var sent = 0
        while sent < min(window, count) { try send(&sent) }
        var acked = 0
        for try await frame in friend.messages {
            guard String(decoding: frame, as: UTF8.self).contains(#""message.ack""#) else { continue }
            acked += 1
            if sent < count { try send(&sent) }
            if acked == count { return }
        }
        throw LoadFailure("the friend's connection ended")
    }

    private func send(_ sent: inout Int) throws {
        sent += 1
        try say("Message number \(sent), of about the length that people write.")
    }

    func say(_ body: String) throws {
        try send(
            .messageSend(
                SendMessage(clientMessageID: ClientMessageID(UUID()), conversationID: chat, body: body)))
    }

    func startTyping() throws { try send(.typingStart(TypingIn(conversationID: chat))) }

    private func send(_ action: ClientAction) throws {
        try friend.send(try Wire.encode(ClientFrame(action)))
    }

    /// Has the client fetch what it missed.
    private func fetch(_ count: Int) async throws {
        let client = try await open()
        _ = try await client.connection.first("a connection") { $0 == .online }
        guard try await client.settle(timeout: .seconds(300)) else {
            throw LoadFailure("the messages were not fetched")
        }
        _ = try await client.messages.conversation(chat).first("the newest message") {
            $0.holes.isEmpty && $0.items.last?.seq == Int64(count)
        }
        await client.close()
    }

    func stop() async {
        await friend.close(code: 1000, reason: "")
        await server.stop(SIGTERM)
    }
}
