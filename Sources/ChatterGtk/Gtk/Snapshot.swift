import CGtk

extension Window {
    /// Writes the window as it would be painted now. False when it is not on screen, or the file can't be written.
    func savePicture(path: String) -> Bool {
        guard isMapped, let renderer = gtk_native_get_renderer(c()) else { return false }
        let paintable = gtk_widget_paintable_new(widget)
        defer { g_object_unref(paintable.map { UnsafeMutableRawPointer($0) }) }
        let snapshot = gtk_snapshot_new()
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        let texture = gsk_renderer_render_texture(renderer, node, &bounds)
        defer { g_object_unref(texture.map { UnsafeMutableRawPointer($0) }) }
        return gdk_texture_save_to_png(texture, path) != 0
    }

    /// Runs `body` after each frame that was painted.
    func afterPaint(_ body: @escaping () -> Void) {
        AnyHandle(gtk_widget_get_frame_clock(widget)).on("after-paint", body)
    }
}
