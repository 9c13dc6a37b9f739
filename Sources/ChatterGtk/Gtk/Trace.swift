import CGtk

/// For who measures. Lines are written to standard output where G_MESSAGES_DEBUG names `chatter`.
enum Trace {
    static func line(_ text: String) { chatter_debug(text) }

    /// Bytes that were allocated and not freed. Unlike the resident memory it does not count what the allocator keeps.
    static var heapInUse: Int { Int(chatter_heap_in_use()) }
}

extension WidgetHandle {
    /// Runs `body` once, after the next frame with this widget in it was painted.
    func afterNextPaint(_ body: @escaping () -> Void) {
        guard isMapped else {
            var isFirst = true
            on("map") {
                guard isFirst else { return }
                isFirst = false
                nextFrame { afterNextPaint(body) }
            }
            return
        }
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        var handler: UInt = 0
        handler = AnyHandle(clock).connect("after-paint") { _ in
            g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
            body()
            return false
        }
        gtk_widget_queue_draw(widget)
    }
}
