import CGtk

/// A Swift value that a GObject property can hold.
protocol PropertyValue {
    func store(in value: inout GValue)
}

extension String: PropertyValue {
    func store(in value: inout GValue) { g_value_set_string(&value, self) }
}

extension Bool: PropertyValue {
    func store(in value: inout GValue) { g_value_set_boolean(&value, gboolean) }
}

extension Int: PropertyValue {
    func store(in value: inout GValue) {
        switch g_type_fundamental(value.g_type) {
        case CHATTER_TYPE_UINT: g_value_set_uint(&value, UInt32(self))
        case CHATTER_TYPE_ENUM: g_value_set_enum(&value, Int32(self))
        case CHATTER_TYPE_FLAGS: g_value_set_flags(&value, UInt32(self))
        default: g_value_set_int(&value, Int32(self))
        }
    }
}

extension Double: PropertyValue {
    func store(in value: inout GValue) {
        if g_type_fundamental(value.g_type) == CHATTER_TYPE_FLOAT {
            g_value_set_float(&value, Float(self))
        } else {
            g_value_set_double(&value, self)
        }
    }
}

extension AnyHandle: PropertyValue {
    func store(in value: inout GValue) { g_value_set_object(&value, ref.object) }
}

extension Handle {
    /// Sets any property by name, in the property's own type. A name that is no property is a mistake in our code.
    @discardableResult
    func set(_ property: String, _ new: some PropertyValue) -> Self {
        guard let object = ref.object else { return self }
        guard let spec = chatter_find_property(object, property) else {
            preconditionFailure("no property named \(property)")
        }
        var value = GValue()
        g_value_init(&value, spec.pointee.value_type)
        new.store(in: &value)
        g_object_set_property(c(), property, &value)
        g_value_unset(&value)
        return self
    }
}
