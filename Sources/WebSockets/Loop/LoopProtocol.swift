import CWebSockets
import Foundation

/// What libwebsockets is told about itself: one raw protocol, no listening, no TLS, no HTTP of its own.
///
/// libwebsockets 4.1.6 is used for what it does well: waiting on sockets, reading them, timers and wake-ups.
/// HTTP and WebSocket are spoken here, because its own roles rewrite close codes 1012–1014 to 1002, keep the
/// body of a refused upgrade to themselves, answer an oversized head by hanging up, decode request paths, know
/// no chunked request body, resolve names on the loop's thread and read freed memory on an unknown `Upgrade`
/// header.
enum LoopProtocol {
    /// Libwebsockets keeps the pointer. Unsafe: it points at immortal constant memory.
    nonisolated(unsafe) static let name = UnsafeRawPointer(("raw" as StaticString).utf8Start)
        .assumingMemoryBound(to: CChar.self)

    /// Contexts are created one at a time: libwebsockets sets process-wide state meanwhile.
    private static let creation = NSLock()

    static func make() -> UnsafeMutablePointer<lws_protocols> {
        let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
        protocols.initialize(repeating: lws_protocols(), count: 2)
        protocols[0].name = name
        protocols[0].callback = loopCallback
        return protocols
    }

    static func free(_ protocols: UnsafeMutablePointer<lws_protocols>) { protocols.deallocate() }

    static func makeContext(
        _ protocols: UnsafeMutablePointer<lws_protocols>
    ) -> (context: OpaquePointer, vhost: OpaquePointer)? {
        creation.lock()
        defer { creation.unlock() }
        cws_silence()
        var info = lws_context_creation_info()
        info.port = -1  // CONTEXT_PORT_NO_LISTEN
        info.protocols = UnsafePointer(protocols)
        info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
        info.pt_serv_buf_size = 32 * 1024
        guard let context = lws_create_context(&info) else { return nil }
        guard let vhost = lws_create_vhost(context, &info) else {
            lws_context_destroy(context)
            return nil
        }
        return (context, vhost)
    }
}

/// Every event of every socket of every loop. Returning non-zero would close the socket; `Socket` closes itself.
private let loopCallback:
    @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32 = { wsi, reason, _, bytes, count in
        switch reason {
        case LWS_CALLBACK_RAW_RX, LWS_CALLBACK_RAW_RX_FILE, LWS_CALLBACK_RAW_WRITEABLE,
            LWS_CALLBACK_RAW_CLOSE,
            LWS_CALLBACK_RAW_CLOSE_FILE, LWS_CALLBACK_WSI_DESTROY:
            break
        default:
            return 0
        }
        guard let wsi, let pointer = lws_get_opaque_user_data(wsi) else { return 0 }
        let reference = Unmanaged<Socket>.fromOpaque(pointer)
        let socket = reference.takeUnretainedValue()
        switch reason {
        case LWS_CALLBACK_RAW_RX:
            socket.received(UnsafeMutableRawBufferPointer(start: bytes, count: count))
        case LWS_CALLBACK_RAW_RX_FILE:
            socket.acceptReady()
        case LWS_CALLBACK_RAW_WRITEABLE:
            socket.writable()
        case LWS_CALLBACK_RAW_CLOSE, LWS_CALLBACK_RAW_CLOSE_FILE:
            socket.closed()
        default:  // LWS_CALLBACK_WSI_DESTROY, the last word: gives back what `EventLoop.adopt` retained
            socket.closed()
            socket.isReleased = true
            reference.release()
        }
        return 0
    }
