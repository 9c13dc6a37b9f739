import ChatterModel
import Foundation

/// Reads frames and counts those that cannot be read. Shared by all connections of a client.
final class FrameDecoder: @unchecked Sendable {  // `malformed` is guarded by `lock`
    private let lock = NSLock()
    private var malformed = 0

    var malformedCount: Int { lock.withLock { malformed } }

    /// nil for an event that this build does not know, and for what is no frame: dropped, since a message that was in
    /// it leaves a gap that the sync repairs, while closing would loop.
    func decode(_ text: [UInt8]) -> ServerFrame? {
        do {
            let frame = try Wire.decode(ServerFrame.self, from: text)
            if case .unknown = frame.event { return nil }
            return frame
        } catch {
            // The error's text quotes the frame, so only the number is kept.
            lock.withLock { malformed += 1 }
            return nil
        }
    }
}
