import Foundation

/// Follows how one account's database does, and publishes it.
final class StorageHealth: @unchecked Sendable {  // `opened` and `isDamaged` are guarded by `lock`
    private let state: Broadcast<StorageState>
    private let lock = NSLock()
    private var opened = StorageState.sound
    private var isDamaged = false

    init(_ state: Broadcast<StorageState>) { self.state = state }

    func opened(_ notice: StoreFile.Notice?) {
        let opened: StorageState =
            switch notice {
            case nil: .sound
            case .repaired: .repaired
            case .salvaged: .salvaged
            }
        lock.withLock {
            self.opened = opened
            state.send(opened)
        }
    }

    /// Until it is opened again nothing else is said.
    func damaged() {
        lock.withLock {
            isDamaged = true
            state.send(.damaged)
        }
    }

    /// What may pass by itself is said when it happens for the second time, but a full disk at once.
    func failed(_ error: ClientError, inARow count: Int) {
        guard case .storage = error.kind, !error.isTransient || error == .diskFull || count > 1 else {
            return
        }
        lock.withLock { if !isDamaged { state.send(.failing(error)) } }
    }

    func recovered() {
        lock.withLock {
            if case .failing = state.value { state.send(opened) }
        }
    }
}
