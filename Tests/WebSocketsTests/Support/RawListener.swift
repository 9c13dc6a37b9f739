import CWebSockets
import Foundation

/// A server without a protocol: it accepts one connection and does what a test wants with it.
final class RawListener: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw RawSocket.Failure(code: errno) }
        port = UInt16(bigEndian: address.sin_port)
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
                + "Sec-WebSocket-Accept: \(acceptance(of: String(key)))\r\n\r\n")
        return socket
    }
}

/// RFC 6455 section 4.2.2.
private func acceptance(of key: String) -> String {
    let text = bytes(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
    var digest = [UInt8](repeating: 0, count: 20)
    lws_SHA1(text, text.count, &digest)
    return Data(digest).base64EncodedString()
}
