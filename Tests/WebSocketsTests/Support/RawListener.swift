import Foundation

@testable import WebSockets

/// A server without a protocol: it accepts one connection and does what a test wants with it.
final class RawListener: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        let (descriptors, port) = try ListeningSockets.open(host: "127.0.0.1", port: 0)
        descriptor = descriptors[0]
        self.port = port
    }

    deinit { close(descriptor) }

    // `!`: made of valid parts.
    var url: URL { URL(string: "ws://127.0.0.1:\(port)/")! }

    func accept() async -> RawSocket {
        let descriptor = descriptor
        return await withCheckedContinuation { done in
            Thread {
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&polled, 1, -1)
                done.resume(returning: RawSocket(descriptor: Foundation.accept(descriptor, nil, nil)))
            }.start()
        }
    }

    /// Accepts a connection and answers its handshake.
    func acceptWebSocket() async -> RawSocket {
        let socket = await accept()
        let head = await socket.read(through: "\r\n\r\n")
        let key = head.firstMatch(of: /Sec-WebSocket-Key: ([^\r]+)/)?.1 ?? ""
        socket.send(
            "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketHandshake.acceptance(of: String(key)))\r\n\r\n")
        return socket
    }
}
