import CGtk

/// A signal's arguments, counted from the one after the emitting object.
struct SignalArguments {
    let values: UnsafePointer<GValue>

    func double(_ index: Int) -> Double { g_value_get_double(values + index + 1) }
    func uint(_ index: Int) -> UInt32 { g_value_get_uint(values + index + 1) }
    func int(_ index: Int) -> Int32 { g_value_get_int(values + index + 1) }
    func flags(_ index: Int) -> UInt32 { g_value_get_flags(values + index + 1) }
    func string(_ index: Int) -> String { String(borrowed: g_value_get_string(values + index + 1)) }
    func pointer(_ index: Int) -> OpaquePointer? {
        g_value_get_object(values + index + 1).map { OpaquePointer($0) }
    }
    /// Of a signal that carries a GVariant of type string.
    func variantString(_ index: Int) -> String {
        guard let variant = g_value_get_variant(values + index + 1) else { return "" }
        return String(borrowed: g_variant_get_string(variant, nil))
    }
}

/// A closure that C can hold.
final class Handler<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }
}

private typealias SignalHandler = Handler<(SignalArguments) -> Bool>
private typealias DisposeHandler = Handler<() -> Void>

extension Handle {
    /// Runs `body` at each emission; its result is the signal's, where the signal has one.
    @discardableResult
    func onSignal(_ signal: String, _ body: @escaping (SignalArguments) -> Bool) -> Self {
        connect(signal, body)
        return self
    }

    /// The connection's number, to end it with; 0 where the object has gone.
    @discardableResult
    func connect(_ signal: String, _ body: @escaping (SignalArguments) -> Bool) -> UInt {
        guard let object = ref.object else { return 0 }
        let handler = Unmanaged.passRetained(SignalHandler(body)).toOpaque()
        let closure = g_closure_new_simple(UInt32(MemoryLayout<GClosure>.size), handler)
        g_closure_add_finalize_notifier(closure, handler) { handler, _ in
            guard let handler else { return }
            Unmanaged<SignalHandler>.fromOpaque(handler).release()
        }
        g_closure_set_marshal(closure) { closure, result, _, values, _, _ in
            guard let closure, let values, let data = closure.pointee.data else { return }
            let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
            let returned = handler.body(SignalArguments(values: values))
            if let result, result.pointee.g_type == CHATTER_TYPE_BOOLEAN {
                g_value_set_boolean(result, returned.gboolean)
            }
        }
        return UInt(g_signal_connect_closure(object, signal, closure, 0))
    }

    /// Ends a connection; one that has ended with its object is none.
    func disconnect(_ connection: UInt) {
        guard let object = ref.object, g_signal_handler_is_connected(object, gulong(connection)) != 0 else {
            return
        }
        g_signal_handler_disconnect(object, gulong(connection))
    }

    @discardableResult
    func on(_ signal: String, _ body: @escaping () -> Void) -> Self {
        onSignal(signal) { _ in
            body()
            return false
        }
    }

    /// Runs `body` when the object is disposed; what `body` captures lives until then.
    @discardableResult
    func onDispose(_ body: @escaping () -> Void) -> Self {
        guard exists else {
            body()
            return self
        }
        g_object_weak_ref(
            c(),
            { handler, _ in
                guard let handler else { return }
                Unmanaged<DisposeHandler>.fromOpaque(handler).takeRetainedValue().body()
            }, Unmanaged.passRetained(DisposeHandler(body)).toOpaque())
        return self
    }
}
