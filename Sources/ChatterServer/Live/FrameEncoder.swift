import ChatterModel

/// Server frames as the bytes of a text frame.
enum FrameEncoder {
    static func encode(_ frame: ServerFrame) -> [UInt8] {
        do {
            return try Wire.encode(frame)
        } catch {
            // Only numbers that JSON lacks can fail, and no frame has a floating-point number.
            preconditionFailure("a frame has no JSON: \(frame.event.type)")
        }
    }
}
