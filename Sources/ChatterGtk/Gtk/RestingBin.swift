import CGtk

/// Holds a scroller at its lower edge, as tall as the rows of its list, for as long as there is room.
struct RestingBin: WidgetHandle {
    let ref: Ref

    init(ref: Ref) { self.ref = ref }
    init(_ scroller: Scroller) {
        self.init(adw_bin_new())
        adw_bin_set_child(c(), scroller.widget)
        gtk_widget_set_layout_manager(
            widget,
            gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_CONSTANT_SIZE },
                { bin, orientation, size, least, natural, _, _ in
                    gtk_widget_measure(
                        gtk_widget_get_first_child(bin), orientation, size, least, natural, nil, nil)
                },
                { bin, width, height, _ in Self.allocate(bin, width, height) }))
    }

    private static func allocate(_ bin: UnsafeMutablePointer<GtkWidget>?, _ width: Int32, _ height: Int32) {
        guard let scroller = gtk_widget_get_first_child(bin),
            let list = gtk_scrolled_window_get_child(Widget(scroller).c())
        else { return }
        // GTK warns of an allocation of what was not measured.
        var least: Int32 = 0
        gtk_widget_measure(scroller, GTK_ORIENTATION_VERTICAL, width, &least, nil, nil, nil)
        let tall = min(height, max(least, Self.height(of: list, width: width, upTo: height)))
        var place = GtkAllocation(x: 0, y: height - tall, width: width, height: tall)
        gtk_widget_size_allocate(scroller, &place, -1)
    }

    /// Of the rows themselves: a list tells its height for any width and not for the one it has. Rows that it has not
    /// made yet come after more than a page of those that it has.
    private static func height(
        of list: UnsafeMutablePointer<GtkWidget>, width: Int32, upTo limit: Int32
    ) -> Int32 {
        var padding = GtkBorder()
        gtk_style_context_get_padding(gtk_widget_get_style_context(list), &padding)
        let rowWidth = width - Int32(padding.left + padding.right)
        var height = Int32(padding.top + padding.bottom)
        var row = gtk_widget_get_first_child(list)
        while let current = row, height < limit {
            var natural: Int32 = 0
            gtk_widget_measure(current, GTK_ORIENTATION_VERTICAL, rowWidth, nil, &natural, nil, nil)
            height += natural
            row = gtk_widget_get_next_sibling(current)
        }
        return height
    }
}
