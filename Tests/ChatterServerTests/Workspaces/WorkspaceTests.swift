import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterServer

@Suite("Workspaces", .timeLimit(.minutes(5)))
struct WorkspaceTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("chatter.db").path
    }

    @Test("A workspace is made beside a running server, which knows its key at once")
    func createBesideServer() async throws {
        let server = try await TestServer { $0.databasePath = path }
        let keys = try WorkspaceRegister(databasePath: path).create(name: "  acme ")
        #expect(keys.name == "acme" && keys.clientKey.hasPrefix("ck_") && keys.clientSecret.hasPrefix("cs_"))
        let device = try await server.signIn(phone: "+14155552671", clientKey: keys.clientKey)
        #expect(device.phone == "+14155552671")
        await server.stop()
    }

    @Test("After a rotation the new key opens at once and the old one not later than in five seconds")
    func rotation() async throws {
        let server = try await TestServer { $0.databasePath = path }
        let register = try WorkspaceRegister(databasePath: path)
        let old = try register.create(name: "acme")
        var device = try await server.signIn(phone: "+14155552671", clientKey: old.clientKey)
        let new = try register.rotate(id: old.id)
        #expect(new.name == "acme" && new.clientKey != old.clientKey && new.clientSecret != old.clientSecret)
        let caller = TestCaller(
            server: server.server, clientKey: new.clientKey, accessToken: device.accessToken)
        _ = try await caller.call(Routes.devices)
        server.clock.advance(by: .seconds(5))
        await refused(.clientKeyInvalid) { try await device.call(Routes.devices) }
        device.accessToken = ""
        let secret = await caller.send(
            "GET", "/v1/admin/reports", headers: ["x-client-secret": old.clientSecret])
        #expect(secret.status == 401)
        await server.stop()
    }

    @Test("The list has every workspace, oldest first, and no secret")
    func list() throws {
        let register = try WorkspaceRegister(databasePath: path)
        let made = try ["one", "two", "three"].map { try register.create(name: $0) }
        let listed = try register.list()
        #expect(listed.map(\.name) == ["one", "two", "three"])
        #expect(listed.map(\.clientKey) == made.map(\.clientKey))
        let text = String(decoding: try Wire.encode(listed), as: UTF8.self)
        #expect(made.allSatisfy { !text.contains($0.clientSecret) })
    }

    @Test("The file holds no client secret")
    func secretIsHashed() async throws {
        let register = try WorkspaceRegister(databasePath: path)
        let keys = try register.create(name: "acme")
        for file in [path, path + "-wal"] {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
            #expect(!bytes.contains(subsequence: Array(keys.clientSecret.utf8)))
        }
        let wal = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
        #expect(wal.contains(subsequence: Array(keys.clientKey.utf8)))
    }

    @Test("Without a name, or with an id that is nobody's, it is refused")
    func refusals() throws {
        let register = try WorkspaceRegister(databasePath: path)
        #expect(throws: WorkspaceRegister.Failure.nameMissing) { try register.create(name: " \n") }
        #expect(throws: WorkspaceRegister.Failure.noSuchWorkspace) { try register.rotate(id: "nobody") }
    }

    @Test("The same phone number in two workspaces is two people who know nothing of each other")
    func isolation() async throws {
        let server = try await TestServer()
        let other = try await server.server.createWorkspace(named: "other")
        let here = try await server.signIn(phone: "+14155552671")
        let there = try await server.signIn(phone: "+14155552671", clientKey: other.clientKey)
        #expect(here.user != there.user)
        await refused(.notFound) { try await here.call(Routes.signOutDevice, ["id": there.device.rawValue]) }
        await refused(.refreshRejected) {
            try await here.caller.call(Routes.refresh, body: RefreshTokens(refreshToken: there.refreshToken))
        }
        #expect(try await here.call(Routes.devices).items.map(\.id) == [here.device])
        // A code asked for in one does not open the other.
        _ = try await here.caller.call(Routes.requestCode, body: RequestCode(phone: "+14155552672"))
        await refused(.codeExpired) {
            try await there.caller.call(
                Routes.verifyCode,
                body: VerifyCode(
                    phone: "+14155552672", code: "000000", device: DeviceDescription(name: "x", platform: "x")
                ))
        }
        await server.stop()
    }
}

extension Array where Element == UInt8 {
    func contains(subsequence: [UInt8]) -> Bool {
        guard count >= subsequence.count, !subsequence.isEmpty else { return false }
        return (0...(count - subsequence.count)).contains { start in
            self[start] == subsequence[0]
                && self[start..<(start + subsequence.count)].elementsEqual(subsequence)
        }
    }
}
