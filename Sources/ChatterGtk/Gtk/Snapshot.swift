import CGtk

/// What a widget looks like.
package struct Picture: Equatable {
    private let pixels: [UInt32]
    package let width: Int
    package let height: Int

    /// Its own picture, not what other windows show over it; nil while it is not on screen.
    init?(_ shown: Widget, in renderer: OpaquePointer?) {
        guard shown.isMapped, let renderer else { return nil }
        let paintable = gtk_widget_paintable_new(shown.widget)
        defer { g_object_unref(paintable.map { UnsafeMutableRawPointer($0) }) }
        let snapshot = gtk_snapshot_new()
        (width, height) = (Int(gtk_widget_get_width(shown.widget)), Int(gtk_widget_get_height(shown.widget)))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        let texture = gsk_renderer_render_texture(renderer, node, &bounds)
        defer { g_object_unref(texture.map { UnsafeMutableRawPointer($0) }) }
        let (columns, rows) = (width, height)
        pixels = [UInt32](unsafeUninitializedCapacity: columns * rows) { buffer, count in
            buffer.withMemoryRebound(to: UInt8.self) {
                gdk_texture_download(texture, $0.baseAddress, gsize(columns * 4))
            }
            count = columns * rows
        }
    }

    /// One colour and nothing else.
    package var isBlank: Bool { pixels.allSatisfy { $0 == pixels.first } }

    /// Writes a PNG. False when the file can't be written.
    package func save(path: String) -> Bool {
        let bytes = pixels.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        let texture = gdk_memory_texture_new(
            Int32(width), Int32(height), CHATTER_MEMORY_DEFAULT, bytes, gsize(width * 4))
        defer { g_object_unref(texture.map { UnsafeMutableRawPointer($0) }) }
        return gdk_texture_save_to_png(texture, path) != 0
    }
}

extension WidgetHandle {
    /// As it would be painted now; nil while it is not on screen.
    func picture() -> Picture? {
        Picture(any, in: gtk_widget_get_native(widget).flatMap { gtk_native_get_renderer($0) })
    }
}

extension Window {
    /// Runs `body` after each frame that was painted.
    func afterPaint(_ body: @escaping () -> Void) {
        AnyHandle(gtk_widget_get_frame_clock(widget)).on("after-paint", body)
    }
}
