import CGtk

/// A weak reference to a GObject, cleared when the object is disposed.
final class Ref {
    private(set) var object: UnsafeMutableRawPointer?

    private static let clear: GWeakNotify = { ref, _ in
        guard let ref else { return }
        Unmanaged<Ref>.fromOpaque(ref).takeUnretainedValue().object = nil
    }

    init(_ object: UnsafeMutableRawPointer?) {
        self.object = object
        guard let object else { return }
        g_object_weak_ref(
            object.assumingMemoryBound(to: GObject.self), Self.clear,
            Unmanaged.passUnretained(self).toOpaque())
    }

    isolated deinit {
        guard let object else { return }
        g_object_weak_unref(
            object.assumingMemoryBound(to: GObject.self), Self.clear,
            Unmanaged.passUnretained(self).toOpaque())
    }
}

/// A handle to a GObject. The widget tree owns its widgets; a handle never keeps one alive, so closures may capture
/// handles freely. Used after its object has gone it passes NULL, which GTK reports and ignores.
protocol Handle {
    var ref: Ref { get }
    init(ref: Ref)
}

extension Handle {
    init(pointer: UnsafeMutableRawPointer?) { self.init(ref: Ref(pointer)) }
    init(_ opaque: OpaquePointer?) { self.init(pointer: opaque.map { UnsafeMutableRawPointer($0) }) }
    init<T>(_ typed: UnsafeMutablePointer<T>?) {
        self.init(pointer: typed.map { UnsafeMutableRawPointer($0) })
    }

    /// The object in whichever form the called C function takes.
    func c<T>() -> UnsafeMutablePointer<T>? { ref.object?.assumingMemoryBound(to: T.self) }
    func c() -> OpaquePointer? { ref.object.map { OpaquePointer($0) } }

    var exists: Bool { ref.object != nil }

    func isSame(as other: some Handle) -> Bool { ref.object == other.ref.object }
}

/// A handle to an object of no particular class.
struct AnyHandle: Handle {
    let ref: Ref
}

extension String {
    /// A C string that somebody else owns; "" for NULL.
    init(borrowed text: UnsafePointer<CChar>?) { self = text.map { String(cString: $0) } ?? "" }

    /// A C string that is ours to free.
    init(owned text: UnsafeMutablePointer<CChar>?) {
        self.init(borrowed: text)
        g_free(text)
    }
}

extension Bool {
    var gboolean: gboolean { self ? 1 : 0 }
}
