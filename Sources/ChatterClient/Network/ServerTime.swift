import ChatterModel
import Foundation

/// The server's clock as far as its answers tell, carried forward by the monotonic clock: a person who sets the
/// device's clock moves neither a mute's end nor an edit window.
final class ServerTime: @unchecked Sendable {  // `anchor` is guarded by `lock`
    private struct Anchor {
        var server: Timestamp
        var monotonic: Duration
        var isExact: Bool
    }

    private let clock: any ChatterClock
    private let lock = NSLock()
    private var anchor: Anchor?

    init(clock: any ChatterClock) { self.clock = clock }

    /// The server's time now; the device's own before the first answer.
    var now: Timestamp {
        let (anchor, monotonic) = (lock.withLock { self.anchor }, clock.monotonic)
        guard let anchor else { return clock.now }
        return anchor.server.advanced(by: monotonic - anchor.monotonic)
    }

    /// The server's clock minus this device's; nil before the first answer.
    var skew: Duration? {
        lock.withLock { anchor } == nil ? nil : clock.now.duration(to: now)
    }

    /// A time with milliseconds, from a body.
    func observe(_ server: Timestamp) {
        let monotonic = clock.monotonic
        lock.withLock { anchor = Anchor(server: server, monotonic: monotonic, isExact: true) }
    }

    /// The `Date` header: whole seconds, so it only stands in for an exact time or corrects one that is far off.
    func observe(dateHeader: String) {
        guard let date = HTTPDate.parse(dateHeader) else { return }
        let halfway = date.advanced(by: .milliseconds(500))
        let monotonic = clock.monotonic
        lock.withLock {
            if let anchor, anchor.isExact {
                let expected = anchor.server.advanced(by: monotonic - anchor.monotonic)
                guard abs(expected.milliseconds - halfway.milliseconds) > 5000 else { return }
            }
            anchor = Anchor(server: halfway, monotonic: monotonic, isExact: false)
        }
    }
}
