import ChatterTestSupport
import Foundation

/// A server on loopback that reads a request's head and answers with bytes that a test wrote, then closes.
final class CannedServer: @unchecked Sendable {  // `requests` is guarded by `lock`; the rest does not change
    let url: URL
    private let listener: Int32
    private let answer: @Sendable (Int32) -> Void
    private let lock = NSLock()
    private var heads: [String] = []

    /// `answer` writes to the connection, on a thread of its own.
    init(_ answer: @escaping @Sendable (Int32) -> Void) throws {
        let (descriptor, port) = try Socket.listening()
        listener = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        url = URL(string: "http://127.0.0.1:\(port)/path")!  // digits
        self.answer = answer
        let accepting = Accepting(listener: descriptor)
        Thread { [weak self] in
            while let connection = accepting.next(), let self {
                Thread { self.serve(connection) }.start()
            }
        }.start()
    }

    convenience init(_ text: String) throws {
        try self.init { CannedServer.send(text, on: $0) }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The head of each request so far.
    var requests: [String] { lock.withLock { heads } }

    static func send(_ text: String, on connection: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    private func serve(_ connection: Int32) {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), recv(connection, &byte, 1, 0) == 1 {
            head.append(byte)
        }
        lock.withLock { heads.append(String(decoding: head, as: UTF8.self)) }
        answer(connection)
        close(connection)
    }

    private struct Accepting: Sendable {
        let listener: Int32

        func next() -> Int32? {
            let connection = accept(listener, nil, nil)
            return connection >= 0 ? connection : nil
        }
    }
}
