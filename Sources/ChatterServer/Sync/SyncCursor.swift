import ChatterModel

/// A place in the order of positions, opaque to clients.
struct SyncCursor: Sendable, Equatable {
    var position: Int64

    static let start = SyncCursor(position: 0)

    init(position: Int64) { self.position = position }

    /// Throws VALIDATION_FAILED naming `parameter` for text that no server gave out.
    init(_ text: String?, parameter: String) throws(APIError) {
        guard let text else {
            self = .start
            return
        }
        guard text.hasPrefix("p"), let position = Int64(text.dropFirst(), radix: 36), position >= 0 else {
            throw .invalid(parameter, "is not a cursor of this list")
        }
        self.position = position
    }

    var text: String { "p" + String(position, radix: 36) }
}
