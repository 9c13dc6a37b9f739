/// Typed fields. A key that stands twice is unusual.
extension JSONReader {
    mutating func read(into field: inout String?) throws(Unusual) {
        try once(field)
        field = try string()
    }

    mutating func read(into field: inout Int64?) throws(Unusual) {
        try once(field)
        field = try integer()
    }

    mutating func read<Entity>(into field: inout ID<Entity>?) throws(Unusual) {
        try once(field)
        field = ID(try string())
    }

    mutating func read(into field: inout ClientMessageID?) throws(Unusual) {
        try once(field)
        guard let id = ClientMessageID(try string()) else { throw Unusual() }
        field = id
    }

    mutating func read(into field: inout Timestamp?) throws(Unusual) {
        try once(field)
        guard let time = Timestamp(try string()) else { throw Unusual() }
        field = time
    }

    mutating func read(into field: inout MessageType?) throws(Unusual) {
        try once(field)
        field = MessageType(rawValue: try string())
    }

    mutating func read(into field: inout Bool?) throws(Unusual) {
        try once(field)
        field = try boolean()
    }

    private func once<Value>(_ field: Value?) throws(Unusual) {
        if field != nil { throw Unusual() }
    }
}

/// What a shape cannot do without.
func required<Value>(_ field: Value?) throws(Unusual) -> Value {
    guard let field else { throw Unusual() }
    return field
}
