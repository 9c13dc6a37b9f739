import CGtk

/// A weak reference to a GObject, cleared when the object is disposed. An object has one that all its handles share and
/// that it keeps itself: one for each handle would have to be taken back while the object is telling them that it goes.
final class Ref {
    private(set) var object: UnsafeMutableRawPointer?

    /// To nothing.
    static let none = Ref(nil)

    private static let key = g_quark_from_string("chatter-ref")

    static func to(_ object: UnsafeMutableRawPointer?) -> Ref {
        guard let object else { return none }
        let typed = object.assumingMemoryBound(to: GObject.self)
        if let known = g_object_get_qdata(typed, key) {
            return Unmanaged<Ref>.fromOpaque(known).takeUnretainedValue()
        }
        let ref = Ref(object)
        let kept = Unmanaged.passRetained(ref).toOpaque()
        g_object_set_qdata(typed, key, kept)
        g_object_weak_ref(
            typed,
            { kept, object in
                guard let kept else { return }
                g_object_set_qdata(object, Ref.key, nil)
                Unmanaged<Ref>.fromOpaque(kept).takeRetainedValue().object = nil
            }, kept)
        return ref
    }

    private init(_ object: UnsafeMutableRawPointer?) { self.object = object }
}

/// A handle to a GObject. The widget tree owns its widgets; a handle never keeps one alive, so closures may capture
/// handles freely. Used after its object has gone it passes NULL, which GTK reports and ignores.
protocol Handle {
    var ref: Ref { get }
    init(ref: Ref)
}

extension Handle {
    init(pointer: UnsafeMutableRawPointer?) { self.init(ref: .to(pointer)) }
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
