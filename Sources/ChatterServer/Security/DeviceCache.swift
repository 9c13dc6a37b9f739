import ChatterModel
import SQLite
import Synchronization

/// What an access check needs to know of a device.
struct DeviceRecord: Sendable {
    let workspace: ID<Workspace>
    let user: ID<User>
    /// Of the newest pair of tokens.
    let generation: Int64
    /// The newest pair has been used: the one before is dead.
    var isPairUsed: Bool
    let rotatedAt: Timestamp
    let accessExpiresAt: Timestamp
    let isProfileComplete: Bool
}

/// The devices that called lately, in memory: a request costs no query.
final class DeviceCache: Sendable {
    private struct State {
        var records: [ID<Device>: DeviceRecord] = [:]
        /// Grows with every `forget`: what was read before must not be kept.
        var epoch = 0
    }

    private let state = Mutex(State())
    private let load: @Sendable (ID<Device>) throws -> DeviceRecord?
    private let capacity: Int

    convenience init(storage: Storage) {
        self.init { device in try storage.readNow { try DeviceQueries.record(of: device, in: $0) } }
    }

    /// - Parameter load: finds a device that is not known yet, on the calling thread.
    init(capacity: Int = 100_000, load: @escaping @Sendable (ID<Device>) throws -> DeviceRecord?) {
        self.load = load
        self.capacity = capacity
    }

    /// nil for a device that is not, or no longer, signed in.
    func record(of device: ID<Device>) throws -> DeviceRecord? {
        let (known, epoch) = state.withLock { ($0.records[device], $0.epoch) }
        if let known { return known }
        guard let record = try load(device) else { return nil }
        state.withLock { state in
            // A commit in between may have made it old.
            guard state.epoch == epoch else { return }
            if state.records.count >= capacity { state.records.removeAll() }
            state.records[device] = record
        }
        return record
    }

    /// Devices in memory.
    var count: Int { state.withLock { $0.records.count } }

    /// True for the one caller that found the pair unused.
    func markUsed(_ device: ID<Device>, generation: Int64) -> Bool {
        state.withLock { state in
            guard state.records[device]?.generation == generation, state.records[device]?.isPairUsed == false
            else { return false }
            state.records[device]?.isPairUsed = true
            return true
        }
    }

    func forget(device: ID<Device>) {
        state.withLock { state in
            state.epoch += 1
            state.records[device] = nil
        }
    }

    func forget(user: ID<User>) {
        state.withLock { state in
            state.epoch += 1
            state.records = state.records.filter { $0.value.user != user }
        }
    }
}
