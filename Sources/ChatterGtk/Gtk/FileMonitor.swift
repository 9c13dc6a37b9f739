import CGtk

/// Tells of changes to one file, also when it is replaced, for as long as this object is kept.
final class FileMonitor {
    private let monitor: AnyHandle

    init(path: String, changed: @escaping () -> Void) {
        let file = g_file_new_for_path(path)
        // Without a monitor (no inotify left) nothing is told; who asks lives without.
        monitor = AnyHandle(g_file_monitor_file(file, G_FILE_MONITOR_WATCH_MOVES, nil, nil))
        g_object_unref(file.map { UnsafeMutableRawPointer($0) })
        monitor.on("changed", changed)
    }

    isolated deinit { if let object = monitor.ref.object { g_object_unref(object) } }
}
