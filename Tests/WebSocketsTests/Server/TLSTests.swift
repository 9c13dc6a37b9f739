import Foundation
import Testing
import WebSockets

@Suite("TLS", .timeLimit(.minutes(5)))
struct TLSTests {
    private func failure(
        _ scene: Scene, _ change: (inout WebSocketClientConfiguration) -> Void = { _ in }
    ) async throws -> WebSocketError? {
        do throws(WebSocketError) {
            var configuration = WebSocketClientConfiguration(url: scene.url)
            change(&configuration)
            _ = try await WebSocketClient.connect(configuration)
            return nil
        } catch {
            return error
        }
    }

    @Test("Messages of any size go both ways encrypted", arguments: ["localhost", "127.0.0.1"])
    func echo(host: String) async throws {
        let scene = try Scene(.echo(), host: host, tls: identity("localhost")) {
            $0.limits.queueBytes = 64 << 20
        }
        let client = try await scene.connect {
            $0.trustedCertificatePath = fixture("authority.pem")
            $0.limits.queueBytes = 64 << 20
        }
        var random = Seeded(1)
        let messages = (0..<40).map { _ in
            [UInt8](
                repeating: UInt8.random(in: 0x20...0x7E, using: &random),
                count: .random(in: 0...100_000, using: &random))
        }
        for message in messages { try client.send(message) }
        #expect(try await client.next(messages.count) == messages)
        await client.close(code: 1000, reason: "")
        #expect(await scene.handler.closings.first().code == 1000)
        await scene.stop()
    }

    @Test("A certificate that nobody trusts is refused with a reason")
    func untrusted() async throws {
        let scene = try Scene(.echo(), host: "localhost", tls: identity("localhost"))
        guard case .tls(let why) = try await failure(scene) else {
            Issue.record("an unknown authority was trusted")
            return
        }
        #expect(why.contains("certificate"))
        await scene.stop()
    }

    @Test("A trusted certificate for another host is refused", arguments: ["localhost", "127.0.0.1"])
    func wrongHost(host: String) async throws {
        let scene = try Scene(.echo(), host: host, tls: identity("elsewhere"))
        let error = try await failure(scene) { $0.trustedCertificatePath = fixture("authority.pem") }
        guard case .tls(let why) = error else {
            Issue.record("a certificate for another host was accepted")
            return
        }
        #expect(why.lowercased().contains("mismatch"))
        await scene.stop()
    }

    @Test("An IPv6 address is never taken for a certificate's: libwebsockets cuts it at its first colon")
    func numericIPv6() async throws {
        guard speaksIPv6 else { return }
        let scene = try Scene(.echo(), host: "::1", tls: identity("localhost"))
        let error = try await failure(scene) { $0.trustedCertificatePath = fixture("authority.pem") }
        #expect(error == .tls("hostname mismatch"))
        await scene.stop()
    }

    @Test("A server without TLS is told from one with, either way round")
    func mixedUp() async throws {
        let plain = try Scene(.echo(), host: "localhost")
        var secured = WebSocketClientConfiguration(url: plain.url)
        secured.url = try #require(URL(string: "wss://localhost:\(plain.listener.port)/ws"))
        secured.connectTimeout = .seconds(5)
        await #expect(throws: WebSocketError.self) { try await WebSocketClient.connect(secured) }
        await plain.stop()
        let secure = try Scene(.echo(), host: "localhost", tls: identity("localhost"))
        let url = try #require(URL(string: "ws://localhost:\(secure.listener.port)/ws"))
        await #expect(throws: WebSocketError.self) {
            try await WebSocketClient.connect(WebSocketClientConfiguration(url: url))
        }
        await secure.stop()
    }

    @Test("A TLS handshake that does not go on is given up")
    func silentHandshake() async throws {
        let scene = try Scene(.echo(), tls: identity("localhost")) { $0.timeouts.request = .milliseconds(50) }
        let socket = try scene.raw()
        socket.send([0x16, 0x03])
        #expect(await socket.read().isEmpty)
        await scene.stop()
    }

    @Test("A missing authority file is told")
    func missingAuthority() async throws {
        let scene = try Scene(.echo(), host: "localhost", tls: identity("localhost"))
        let error = try await failure(scene) { $0.trustedCertificatePath = "/no/such/file" }
        guard case .tls(let why) = error else {
            Issue.record("connected")
            return
        }
        #expect(why.contains("/no/such/file"))
        await scene.stop()
    }
}
