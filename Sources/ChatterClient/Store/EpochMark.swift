import ChatterModel
import Foundation

/// The epoch that this device's numbers are of: named in each call, so that a server which was set back to a backup
/// does nothing for numbers that it does not know.
final class EpochMark: @unchecked Sendable {  // both variables are guarded by `lock`
    private let lock = NSLock()
    private var epoch: ID<Epoch>?
    private var refusal: (@Sendable () -> Void)?

    /// nil until a session named one.
    var current: ID<Epoch>? {
        get { lock.withLock { epoch } }
        set { lock.withLock { epoch = newValue } }
    }

    /// Set once, by who starts over then.
    func whenRefused(_ handler: @escaping @Sendable () -> Void) {
        lock.withLock { refusal = handler }
    }

    /// The server refused a call that named `epoch`. One that was left meanwhile is no news.
    func refused(_ epoch: ID<Epoch>?) {
        let handler = lock.withLock { epoch == self.epoch ? refusal : nil }
        handler?()
    }
}
