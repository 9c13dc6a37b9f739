import CWebSockets
import Foundation

/// A TCP connection without a protocol, to send what no library would. Blocking calls run on threads of their own.
final class RawSocket: Sendable {
    let descriptor: Int32

    struct Failure: Error { let code: Int32 }

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    /// Takes over a connected descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { Foundation.close(descriptor) }

    func send(_ text: String) { send(bytes(text)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// What arrives until `isEnough` or the end of the connection.
    func read(until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }) async -> [UInt8] {
        await onThread { descriptor in
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65536)
            while !isEnough(all) {
                let count = recv(descriptor, &piece, piece.count, 0)
                guard count > 0 else { break }
                all.append(contentsOf: piece[..<count])
            }
            return all
        }
    }

    /// What arrives until it contains `mark`.
    func read(through mark: String) async -> String {
        let wanted = bytes(mark)
        return text(await read { contains($0, wanted) })
    }

    /// Ends the connection; the descriptor goes with the last reference.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the sending direction only.
    func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Opens a WebSocket by hand.
    func upgrade(path: String = "/ws") async -> String {
        send(
            "GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        return await read(through: "\r\n\r\n")
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable (Int32) -> Value) async -> Value {
        let descriptor = descriptor
        let value = await withCheckedContinuation { done in
            Thread { done.resume(returning: body(descriptor)) }.start()
        }
        return withExtendedLifetime(self) { value }
    }
}

private func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains {
        bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
}

/// A frame as a client sends it, masked unless told otherwise.
func clientFrame(_ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, isMasked: Bool = true)
    -> [UInt8]
{
    var frame: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
    let bit: UInt8 = isMasked ? 0x80 : 0
    switch payload.count {
    case ..<126: frame.append(bit | UInt8(payload.count))
    case ..<65536:
        frame += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
        frame.append(bit | 127)
        frame += (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 0xFF) }
    }
    guard isMasked else { return frame + payload }
    let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

/// The frames, unmasked and unfragmented, that a server sent; nil when the bytes do not end with a frame.
func serverFrames(_ stream: [UInt8]) -> [(opcode: UInt8, payload: [UInt8])]? {
    var frames: [(opcode: UInt8, payload: [UInt8])] = []
    var rest = stream[...]
    while rest.count >= 2 {
        let first = rest.removeFirst()
        var length = Int(rest.removeFirst())
        let extended = length == 126 ? 2 : length == 127 ? 8 : 0
        guard rest.count >= extended else { return nil }
        if extended > 0 { length = rest.prefix(extended).reduce(0) { $0 << 8 | Int($1) } }
        rest = rest.dropFirst(extended)
        guard rest.count >= length else { return nil }
        frames.append((first & 0x0F, Array(rest.prefix(length))))
        rest = rest.dropFirst(length)
    }
    return rest.isEmpty ? frames : nil
}
