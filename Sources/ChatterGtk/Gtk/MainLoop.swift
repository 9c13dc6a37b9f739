import CGtk
import Foundation

/// Lets Swift's main actor run while GLib's main loop does: libdispatch signals its main queue through an eventfd, which
/// becomes one more source of the loop. Nothing polls; an idle loop sleeps.
enum MainLoop {
    private static var joined = false

    /// Call once, on the main thread, before the loop runs. The loop must not run inside a main-actor task (nor in an
    /// `async` main that has awaited): libdispatch does not drain its main queue recursively.
    static func joinMainActor() {
        guard !joined else { return }
        joined = true
        let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
        let drain: GUnixFDSourceFunc = { descriptor, _, _ in
            var count: UInt64 = 0
            // Only empties the eventfd; nothing to read means that there was nothing to do.
            _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
            _dispatch_main_queue_callback_4CF(nil)
            return sourceContinue
        }
        g_source_set_callback(source, unsafeBitCast(drain, to: GSourceFunc.self), nil, nil)
        g_source_attach(source, nil)
        g_source_unref(source)
    }

    /// Runs `body` once, after every main-actor job already waiting and before the next layout and paint.
    static func after(milliseconds: UInt32, _ body: @escaping () -> Void) {
        g_timeout_add_full(
            G_PRIORITY_HIGH_IDLE, milliseconds,
            { body in
                guard let body else { return sourceRemove }
                Unmanaged<Handler<() -> Void>>.fromOpaque(body).takeUnretainedValue().body()
                return sourceRemove
            }, Unmanaged.passRetained(Handler(body)).toOpaque(),
            { body in
                guard let body else { return }
                Unmanaged<AnyObject>.fromOpaque(body).release()
            })
    }

    /// From now on a mistake that the toolkit complains about ends the process.
    static func endAtCriticals() {
        g_log_set_always_fatal(GLogLevelFlags(G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue))
    }

    /// Runs `body` in the loop when the process is asked to end by `signal`.
    static func onUnixSignal(_ signal: Int32, _ body: @escaping () -> Void) {
        g_unix_signal_add_full(
            G_PRIORITY_DEFAULT, signal,
            { body in
                guard let body else { return sourceRemove }
                Unmanaged<Handler<() -> Void>>.fromOpaque(body).takeUnretainedValue().body()
                return sourceContinue
            }, Unmanaged.passRetained(Handler(body)).toOpaque(),
            { body in
                guard let body else { return }
                Unmanaged<AnyObject>.fromOpaque(body).release()
            })
    }
}

private let sourceRemove: gboolean = 0
private let sourceContinue: gboolean = 1
