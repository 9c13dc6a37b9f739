import ChatterModel
import ChatterServer
import Foundation
import Synchronization
import WebSockets

/// The real server in this process, without a port: real storage in a temporary file, a clock that the test moves.
public final class TestServer: Sendable {
    public let server: ChatterServer
    public let clock: ServerTestClock
    /// Of the workspace that the people here belong to.
    public let clientKey: String
    private let lastNumber: Atomic<Int>
    /// Gone with this object, whether the test stops the server or not.
    private let directory: TemporaryDirectory

    /// - Parameter change: adapts the configuration: challenge mode, no echo bot and no rate limits unless told.
    public init(
        clock: ServerTestClock = ServerTestClock(), codeSender: any CodeSender = LogCodeSender { _, _, _ in },
        log: Log = .off, _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        directory = try TemporaryDirectory()
        var configuration = ServerConfiguration(databasePath: directory.file("chatter.db").path)
        configuration.hasEchoBot = false
        configuration.limitsRates = false
        change(&configuration)
        self.clock = clock
        lastNumber = Atomic(0)
        server = try await ChatterServer(configuration, clock: clock, codeSender: codeSender, log: log)
        clientKey = try await server.createWorkspace(named: "test").clientKey
    }

    private init(restoring original: TestServer, from backup: URL) async throws {
        let directory = try TemporaryDirectory()
        let copy = directory.file("chatter.db")
        try FileManager.default.copyItem(at: backup, to: copy)
        var configuration = ServerConfiguration(databasePath: copy.path)
        configuration.hasEchoBot = false
        configuration.limitsRates = false
        (clock, clientKey) = (original.clock, original.clientKey)
        lastNumber = Atomic(original.lastNumber.load(ordering: .relaxed))
        self.directory = directory
        server = try await ChatterServer(configuration, clock: clock)
    }

    public var databaseFile: URL { directory.file("chatter.db") }

    /// What an operator gets who starts from `backup`; this server is to be stopped.
    public func restored(from backup: URL) async throws -> TestServer {
        try await TestServer(restoring: self, from: backup)
    }

    /// A phone number that nobody here has yet.
    public func newPhone() -> String {
        let digits = String(lastNumber.add(1, ordering: .relaxed).newValue)
        return "+6590" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Signs a new account in, with a display name and this username set.
    public func signUp(_ username: String, displayName: String? = nil) async throws -> TestDevice {
        let device = try await signIn(phone: newPhone())
        let profile = EditProfile(displayName: displayName ?? username, username: username)
        _ = try await device.call(Routes.editProfile, body: profile)
        return device
    }

    /// Signs in, with the code of challenge mode unless told. A new account's profile is still empty.
    public func signIn(
        phone: String, code: String = "000000", name: String = "test device", clientKey: String? = nil
    ) async throws -> TestDevice {
        let caller = TestCaller(server: server, clientKey: clientKey ?? self.clientKey)
        _ = try await caller.call(Routes.requestCode, body: RequestCode(phone: phone))
        let verify = VerifyCode(
            phone: phone, code: code, device: DeviceDescription(name: name, platform: "test"))
        let signedIn = try await caller.call(Routes.verifyCode, body: verify)
        return TestDevice(
            server: self, phone: signedIn.user.phone, user: signedIn.user.id, device: signedIn.deviceID,
            clientKey: caller.clientKey, accessToken: signedIn.accessToken,
            refreshToken: signedIn.refreshToken)
    }

    /// An app that has not signed in.
    public var anonymous: TestCaller { TestCaller(server: server, clientKey: clientKey) }

    /// Waits until every frame received so far is committed and its events are delivered.
    public func settle() async { await server.settle() }

    public func stop() async { await server.stop() }
}
