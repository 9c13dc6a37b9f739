import ChatterTestSupport
import Foundation
import Testing

/// Real programs, real sockets, real kills: the promise under the worst network that a seed can make.
@Suite("Two people chat while everything around them breaks", .serialized, .timeLimit(.minutes(4)))
struct ChaosTests {
    /// As many as CI has time for; `CHATTER_SEEDS=100-200` runs others. A seed belongs to one scenario: of twenty,
    /// twelve to the first and four to each of the others.
    private static let seeds: [UInt64] = {
        let wish = ProcessInfo.processInfo.environment["CHATTER_SEEDS"] ?? "1-20"
        let ends = wish.split(separator: "-").compactMap { UInt64($0) }
        guard let first = ends.first, let last = ends.last, first <= last else { return [] }
        return Array(first...last)
    }()

    static let open = seeds.filter { (1...12).contains(place($0)) }
    static let closed = seeds.filter { (13...16).contains(place($0)) }
    static let twoDevices = seeds.filter { (17...20).contains(place($0)) }

    private static func place(_ seed: UInt64) -> UInt64 { (seed &+ 19) % 20 + 1 }

    private func texts(_ name: String, _ count: Int) -> [String] { (1...count).map { "\(name) \($0)" } }

    // Field cases 1, 4, 7, 18, 27, 33, 56
    @Test("500 messages arrive once each, in one order, with the right ticks", arguments: open)
    func nothingIsLostDoubledOrOutOfOrder(seed: UInt64) async throws {
        let world = try await ChaosWorld(seed: seed)
        let typed = [texts("alice", 250), texts("bob", 250)]
        try await world.open(.chat)
        try await world.storm(1) {
            async let alice: Void = world["alice"].type(typed[0])
            async let bob: Void = world["bob"].type(typed[1])
            _ = await (alice, bob)
        }
        try await world.wait { try $0.isComplete(500) && $0.unread() == 0 }
        await world.leave(.chat)
        let copies = try await world.check(typed: typed)
        for copy in copies {
            #expect(copy.ticks == ["read": 250], "\(copy.device), seed \(seed)")
            #expect(copy.unreadCount == 0, "\(copy.device)")
        }
        try await world.stop()
    }

    // Field cases 38, 39
    @Test(
        "What comes while the chats are closed is delivered, and read only once they are opened",
        arguments: closed)
    func closedChats(seed: UInt64) async throws {
        let world = try await ChaosWorld(seed: seed)
        let first = [texts("alice", 120), texts("bob", 120)]
        let later = [texts("alice later", 130), texts("bob later", 130)]
        try await world.open(.chat)
        try await world.storm(1) {
            async let alice: Void = world["alice"].type(first[0])
            async let bob: Void = world["bob"].type(first[1])
            _ = await (alice, bob)
        }
        try await world.wait { try $0.isComplete(240) && $0.unread() == 0 }
        await world.leave(.chat)

        try await world.storm(2) {
            async let alice: Void = Self.write(later[0], on: world["alice"])
            async let bob: Void = Self.write(later[1], on: world["bob"])
            _ = try await (alice, bob)
        }
        try await world.open(.watch)
        try await world.wait { try $0.isComplete(500) && $0.undelivered() == 0 }
        await world.leave(.watch)
        let typed = zip(first, later).map { $0 + $1 }
        for copy in try await world.check(typed: typed) {
            #expect(copy.ticks == ["read": 120, "delivered": 130], "\(copy.device), seed \(seed)")
            #expect(copy.unreadCount == 130, "\(copy.device)")
        }

        try await world.open(.chat)
        try await world.wait { try $0.waiting() == 0 && $0.unread() == 0 }
        await world.leave(.chat)
        for copy in try await world.check(typed: typed) { #expect(copy.unreadCount == 0, "\(copy.device)") }
        try await world.stop()
    }

    /// In pieces, with the chat never opened: between them the device watches.
    private static func write(_ texts: [String], on device: Device) async throws {
        var rest = texts[...]
        while !rest.isEmpty {
            try await device.write(Array(rest.prefix(26)))
            rest = rest.dropFirst(26)
            try await device.open(.watch)
            try await pause(.milliseconds(400))
            _ = await device.leave()
        }
    }

    // Field cases 30, 42
    @Test(
        "Two devices each: sends, reads and deletions are the same on both and on the server",
        arguments: twoDevices)
    func twoDevicesEach(seed: UInt64) async throws {
        let world = try await ChaosWorld(seed: seed, devices: ["-phone", "-tablet"])
        let names = world.devices.map(\.user.profile)
        let typed = names.map { texts($0, $0.hasSuffix("phone") ? 180 : 70) }
        let phones = [world["alice-phone"], world["bob-phone"]]
        let tablets = [world["alice-tablet"], world["bob-tablet"]]
        for phone in phones { try await phone.open(.chat) }
        try await world.storm(1) {
            async let first: Void = phones[0].type(typed[0])
            async let second: Void = Self.write(typed[1], on: tablets[0])
            async let third: Void = phones[1].type(typed[2])
            async let fourth: Void = Self.write(typed[3], on: tablets[1])
            _ = try await (first, second, third, fourth)
        }
        for tablet in tablets { try await tablet.open(.watch) }
        try await world.wait { try $0.isComplete(500) && $0.unread() == 0 }
        for device in phones + tablets { _ = await device.leave() }

        // Each device deletes what it or the other one sent, while the other one watches, is cut off or killed.
        var forEveryone: Set<String> = []
        for (round, deleting) in [phones, tablets].enumerated() {
            let watching = round == 0 ? tablets : phones
            let numbers = (1...2).map { $0 * 30 + round }
            for device in watching { try await device.open(.watch) }
            try await world.storm(UInt64(2 + round)) {
                async let first: Void = Self.delete(numbers, typed[0], typed[3], on: deleting[0])
                async let second: Void = Self.delete(numbers, typed[2], typed[1], on: deleting[1])
                _ = try await (first, second)
            }
            for device in watching { _ = await device.leave() }
            forEveryone.formUnion(numbers.flatMap { [typed[0][$0], typed[2][$0]] })
        }
        try await world.open(.watch)
        let deleted = forEveryone
        try await world.wait { stored in
            let rows = try stored.rows()
            return try stored.isComplete(500) && rows.count(where: \.isDeleted) == deleted.count
                && rows.count(where: \.isHidden) == 4
        }
        await world.leave(.watch)
        for copy in try await world.check(typed: typed, deleted: deleted) {
            // Of 250, four are gone for everyone; what is hidden is the other person's.
            #expect(copy.ticks == ["read": 246], "\(copy.device), seed \(seed)")
            #expect(copy.unreadCount == 0, "\(copy.device)")
        }
        try await world.stop()
    }

    /// One's own for everyone, the other's for oneself.
    private static func delete(
        _ numbers: [Int], _ own: [String], _ others: [String], on device: Device
    ) async throws {
        for number in numbers {
            try await device.delete(own[number], everyone: true)
            try await device.delete(others[number], everyone: false)
        }
    }
}
