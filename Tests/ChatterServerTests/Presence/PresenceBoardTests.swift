import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("The presence board", .timeLimit(.minutes(5)))
struct PresenceBoardTests {
    private struct DeafSink: ConnectionSink {
        var queuedBytes: Int { 0 }
        func send(_ frame: [UInt8]) -> Bool { true }
        func close(code: UInt16, reason: String) {}
    }

    private struct Scene {
        private let directory: TemporaryDirectory
        let services: Services
        let clock: ServerTestClock
        let board: PresenceBoard
        let user = ID<User>("user")

        init() async throws {
            directory = try TemporaryDirectory()
            services = try await .forTests(in: directory)
            clock = try #require(services.clock as? ServerTestClock)
            board = PresenceBoard(
                storage: services.storage, hub: services.hub, clock: clock, log: services.log)
        }

        func open() -> LiveConnection {
            let session = Session(
                workspace: ID("workspace"), user: user, device: ID("device"), expiresAt: .distantFuture,
                isProfileComplete: true)
            return services.hub.open(session, sink: DeafSink())
        }
    }

    @Test("A notice of leaving that is overtaken by a new connection's does not take its person offline")
    func overtaken() async throws {
        let scene = try await Scene()
        let first = scene.open()
        scene.board.came(scene.user)
        scene.services.hub.closed(first)
        // The new connection's notice comes before the old one's.
        let second = scene.open()
        scene.board.came(scene.user)
        scene.board.left(scene.user)
        scene.clock.advance(by: .seconds(60))
        #expect(scene.board.isOnline(scene.user))
        scene.services.hub.closed(second)
        scene.board.left(scene.user)
        scene.clock.advance(by: .seconds(5))
        #expect(!scene.board.isOnline(scene.user))
        await scene.services.storage.close()
    }

    @Test("Leaving twice within the grace counts from the last time")
    func twice() async throws {
        let scene = try await Scene()
        scene.board.came(scene.user)
        scene.board.left(scene.user)
        scene.clock.advance(by: .seconds(4))
        scene.board.came(scene.user)
        scene.board.left(scene.user)
        scene.clock.advance(by: .seconds(4))
        #expect(scene.board.isOnline(scene.user))
        scene.clock.advance(by: .seconds(1))
        #expect(!scene.board.isOnline(scene.user))
        await scene.services.storage.close()
    }
}
