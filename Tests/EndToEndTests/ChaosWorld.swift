import ChatterTestSupport
import Foundation
import Testing

/// One server, two people on a device or two each, every device behind a network of its own, and a seeded source of
/// trouble.
final class ChaosWorld: Sendable {
    private let seed: UInt64
    let directory: URL
    let server: ServerProcess
    let devices: [Device]

    /// - Parameter devices: Names of each person's; a single one is named as the person.
    init(seed: UInt64, devices names: [String] = [""]) async throws {
        self.seed = seed
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chatter-chaos-\(seed)-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        server = try ServerProcess(directory: directory)
        try await server.start()
        var devices: [Device] = []
        for (person, peer) in [(Person.alice, Person.bob), (Person.bob, Person.alice)] {
            for name in names {
                devices.append(
                    try Device(
                        person.name + name, of: person, peer: peer.name, directory: directory, server: server,
                        seed: seed &* 8 &+ UInt64(devices.count)))
            }
        }
        self.devices = devices
        for device in devices { try await device.user.signUp() }
        try await self["alice" + names[0]].user.run(["friend", "add", "bob"])
        try await self["bob" + names[0]].user.run(["friend", "accept", "alice"])
    }

    /// A device by its name.
    subscript(name: String) -> Device {
        guard let device = devices.first(where: { $0.user.profile == name }) else {
            preconditionFailure("no device \(name)")
        }
        return device
    }

    // MARK: - Trouble

    /// Trouble of every kind while the work lasts; then the server is up and the networks hold, and nobody presses a
    /// button.
    func storm(_ number: UInt64, during work: @Sendable () async throws -> Void) async throws {
        let trouble = Task { try await makeTrouble(SeededRandom(seed: seed &+ number &* 1_000_000)) }
        let result: Result<Void, any Error>
        do {
            try await work()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        trouble.cancel()
        do { try await trouble.value } catch is CancellationError {}
        try result.get()
        await server.stop()
        try await server.start()
        for device in devices {
            device.network.set(.clear)
            device.network.resetAll()
        }
    }

    private func makeTrouble(_ seeded: SeededRandom) async throws {
        var random = seeded
        while true {
            // Not a wait for something: the pause is part of the trouble.
            try await pause(.milliseconds(Int.random(in: 20...250, using: &random)))
            let device = devices[Int.random(in: devices.indices, using: &random)]
            let network = device.network
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                await server.stop()
                try await pause(.milliseconds(Int.random(in: 0...200, using: &random)))
                try await server.start()
            case 1, 2: await device.kill()
            case 3: network.set(.cut)
            case 4: network.set(.slow(.milliseconds(Int.random(in: 1...200, using: &random))))
            case 5, 6: network.set(.fragile(bytes: Int.random(in: 1...8000, using: &random)))
            case 7: network.set(.stalled)
            case 8: network.resetAll()
            default: network.set(.clear)
            }
        }
    }

    // MARK: - Calm

    /// Until every device is as `isSettled` wants it; the time limit ends a wait in vain. It looks again and again
    /// because another process's database tells nobody when it changes.
    func wait(until isSettled: @Sendable (StoredChat) throws -> Bool) async throws {
        for device in devices {
            while try !isSettled(device.stored) { try await pause(.milliseconds(50)) }
        }
    }

    func open(_ program: Device.Program) async throws {
        for device in devices { try await device.open(program) }
    }

    /// Ends what stays open; a chat must end cleanly.
    func leave(_ program: Device.Program) async {
        for device in devices {
            let status = await device.leave()
            if program == .chat { #expect(status == 0, "\(device.user.profile), seed \(seed)") }
        }
    }

    /// Holds every copy to the server's, and that to what was typed.
    @discardableResult
    func check(typed: [[String]], deleted: Set<String> = []) async throws -> [DeviceCopy] {
        var copies: [DeviceCopy] = []
        for device in devices {
            copies.append(
                try await DeviceCopy(device, peer: device.user.name == "alice" ? "bob" : "alice"))
        }
        let served = try ServedChat(path: server.data.appendingPathComponent("chatter.db").path)
        let check = EndCheck(served: served)
        #expect(check.problems(with: copies) == [], "seed \(seed), in \(directory.path)")
        #expect(check.problems(typed: typed, deleted: deleted) == [], "seed \(seed), in \(directory.path)")
        return copies
    }

    /// The end, which is clean; what lies on the disk stays for a look when something was wrong before.
    func stop() async throws {
        #expect(await server.stop(SIGTERM) == 0, "the server stops cleanly, seed \(seed)")
        for device in devices { device.network.stop() }
        try FileManager.default.removeItem(at: directory)
    }
}
