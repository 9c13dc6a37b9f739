import Foundation
import WebSockets

/// A listener on a free port with everything a test needs to talk to it.
struct Scene {
    let listener: Listener
    let handler: RecordingHandler
    let host: String
    let isSecure: Bool

    init(
        _ handler: RecordingHandler = .echo(), host: String = "127.0.0.1", tls: TLSIdentity? = nil,
        _ change: (inout ListenerConfiguration) -> Void = { _ in }
    ) throws {
        self.handler = handler
        self.host = host
        isSecure = tls != nil
        var configuration = ListenerConfiguration(host: host, port: 0, tls: tls, webSocketPath: "/ws")
        // Long, because tests share their machine with others.
        configuration.timeouts.request = .seconds(50)
        change(&configuration)
        listener = try Listener(configuration, handler: handler)
        listener.start()
    }

    var url: URL { url("/ws") }

    func url(_ target: String) -> URL {
        let name = host.contains(":") ? "[\(host)]" : host
        // `!`: made of valid parts.
        return URL(string: "\(isSecure ? "wss" : "ws")://\(name):\(listener.port)\(target)")!
    }

    func connect(
        _ change: (inout WebSocketClientConfiguration) -> Void = { _ in }
    ) async throws(WebSocketError) -> WebSocketClient {
        var configuration = WebSocketClientConfiguration(url: url, connectTimeout: .seconds(50))
        change(&configuration)
        return try await WebSocketClient.connect(configuration)
    }

    func raw() throws -> RawSocket { try RawSocket(port: listener.port) }

    func stop() async { await listener.stop(within: .seconds(2), reason: "test is over") }
}

/// Not every machine speaks IPv6.
let speaksIPv6: Bool = {
    let listener = try? Listener(
        ListenerConfiguration(host: "::1", port: 0, webSocketPath: "/"), handler: RecordingHandler())
    return listener != nil
}()

/// A committed file of this test target.
func fixture(_ name: String) -> String {
    Bundle.module.path(forResource: "Fixtures/" + name, ofType: nil) ?? "missing fixture \(name)"
}

/// The identity in two committed files.
func identity(_ name: String) -> TLSIdentity {
    TLSIdentity(certificatePath: fixture("\(name).pem"), privateKeyPath: fixture("\(name).key"))
}

extension WebSocketClient {
    /// Exactly `count` messages, or fewer when the connection ends before.
    func next(_ count: Int) async throws -> [[UInt8]] {
        var taken: [[UInt8]] = []
        for try await message in messages {
            taken.append(message)
            if taken.count == count { break }
        }
        return taken
    }

    /// Waits until the connection has ended, dropping what still arrives.
    func end() async throws -> UInt16? {
        for try await _ in messages {}
        return closeCode?.code
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
