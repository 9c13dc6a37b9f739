import CWebSockets

/// A text message ready to be sent by a server to many connections: copied once, shared by all their queues.
public final class SharedBytes: @unchecked Sendable {
    // Unchecked: the text does not change. The room in front of it is written on by a server's loop, always with
    // the same frame header; a client's loop, which also masks the text, has its messages to itself.

    /// Bytes of text.
    let count: Int
    private let memory: UnsafeMutableRawPointer

    public init(_ text: [UInt8]) {
        count = text.count
        memory = .allocate(byteCount: Int(cws_headroom) + text.count, alignment: 16)
        text.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            (memory + Int(cws_headroom)).copyMemory(from: start, byteCount: bytes.count)
        }
    }

    deinit { memory.deallocate() }

    /// Sends it as one frame. False means that the connection is broken.
    func write(to wire: Wire) -> Bool {
        let text = (memory + Int(cws_headroom)).assumingMemoryBound(to: UInt8.self)
        return lws_write(wire.wsi, text, count, LWS_WRITE_TEXT) >= 0
    }
}
