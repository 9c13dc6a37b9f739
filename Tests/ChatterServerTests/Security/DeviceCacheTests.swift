import ChatterModel
import ChatterTestSupport
import Synchronization
import Testing

@testable import ChatterServer

@Suite("Devices in memory")
struct DeviceCacheTests {
    private func record(generation: Int64) -> DeviceRecord {
        DeviceRecord(
            workspace: ID("w"), user: ID("u"), generation: generation, isPairUsed: false,
            rotatedAt: Timestamp(milliseconds: 0), accessExpiresAt: Timestamp(milliseconds: 0),
            isProfileComplete: true)
    }

    @Test("A device is looked up once, and again after it, or its user, was changed")
    func lookups() throws {
        let loads = Recorder<ID<Device>>()
        let cache = DeviceCache { device in
            loads.add(device)
            return record(generation: 1)
        }
        for _ in 0..<5 { _ = try cache.record(of: ID("d")) }
        #expect(loads.values.count == 1)
        cache.forget(device: ID("other"))
        cache.forget(user: ID("somebody else"))
        _ = try cache.record(of: ID("d"))
        #expect(loads.values.count == 1)
        cache.forget(device: ID("d"))
        _ = try cache.record(of: ID("d"))
        cache.forget(user: ID("u"))
        _ = try cache.record(of: ID("d"))
        #expect(loads.values.count == 3)
    }

    @Test("A row read before a change is not kept after it")
    func staleRead() throws {
        let generation = Atomic<Int64>(1)
        let cache = Mutex<DeviceCache?>(nil)
        let devices = DeviceCache { device in
            let old = record(generation: generation.load(ordering: .relaxed))
            // The change is committed and announced between the read and the keeping.
            generation.store(2, ordering: .relaxed)
            cache.withLock { $0 }?.forget(device: device)
            return old
        }
        cache.withLock { $0 = devices }
        #expect(try devices.record(of: ID("d"))?.generation == 1)
        #expect(try devices.record(of: ID("d"))?.generation == 2)
    }

    @Test("Only the first use of a pair is the first, and only of the pair that is known")
    func firstUse() throws {
        let cache = DeviceCache { _ in record(generation: 3) }
        #expect(!cache.markUsed(ID("d"), generation: 3))
        _ = try cache.record(of: ID("d"))
        #expect(!cache.markUsed(ID("d"), generation: 2))
        #expect(cache.markUsed(ID("d"), generation: 3))
        #expect(!cache.markUsed(ID("d"), generation: 3))
    }

    @Test("Devices that do not exist are not remembered, and the memory is bounded")
    func bounded() throws {
        let loads = Recorder<ID<Device>>()
        let cache = DeviceCache(capacity: 10) { device in
            loads.add(device)
            return device == ID("nobody") ? nil : record(generation: 1)
        }
        #expect(try cache.record(of: ID("nobody")) == nil)
        #expect(try cache.record(of: ID("nobody")) == nil)
        #expect(loads.values.count == 2)
        for number in 0..<100 { _ = try cache.record(of: ID("\(number)")) }
        #expect(cache.count <= 10)
    }
}
