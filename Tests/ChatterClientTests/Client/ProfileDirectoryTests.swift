import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("A profile's directory", .timeLimit(.minutes(5)))
struct ProfileDirectoryTests {
    private static let marker = "CHATTER_TEST_PROFILE"
    private static let held = ProcessInfo.processInfo.environment[marker]

    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func profile() throws -> ProfileDirectory { try ProfileDirectory(home.file("profile")) }

    private let user = ID<User>("01990000-0000-7000-8000-000000000001")
    private let other = ID<User>("01990000-0000-7000-8000-000000000002")

    private func fill(_ profile: ProfileDirectory, _ user: ID<User>) throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: try profile.database(of: user)))
    }

    private func accounts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.file("profile/accounts").path).sorted()
    }

    @Test("It is for its owner alone")
    func permissions() throws {
        let profile = try profile()
        try fill(profile, user)
        for path in ["profile", "profile/accounts", "profile/accounts/\(user)"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: home.file(path).path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
    }

    @Test("A wipe takes one account, another all but one, and what a crash left goes too")
    func wiping() throws {
        let profile = try profile()
        try profile.wipe(user)
        try profile.wipeAll(but: user)
        for account in [user, other] { try fill(profile, account) }
        try profile.wipe(other)
        #expect(try accounts() == [user.rawValue])
        try fill(profile, other)
        try profile.wipeAll(but: other)
        #expect(try accounts() == [other.rawValue])
        let leftover = home.file("profile/accounts/discarded-1")
        try FileManager.default.createDirectory(at: leftover, withIntermediateDirectories: true)
        try profile.removeDiscarded()
        #expect(try accounts() == [other.rawValue])
    }

    @Test(
        "A user id that is no plain name touches no file",
        arguments: ["", ".", "..", "../x", "a/b", "ä", "a\0b"])
    func hostileID(id: String) throws {
        let profile = try profile()
        #expect(throws: ClientError.self) { _ = try profile.database(of: ID(id)) }
        #expect(throws: ClientError.self) { try profile.wipe(ID(id)) }
    }

    @Test("How a session ends is kept until it has ended")
    func ending() throws {
        let profile = try profile()
        #expect(try profile.ending() == nil)
        for ending in [ProfileDirectory.Ending.wiping(user), .refused(user), .deletionAsked(user)] {
            try profile.write(ending)
            #expect(try ProfileDirectory(home.file("profile")).ending() == ending)
        }
        try profile.write(nil)
        try profile.write(nil)
        #expect(try profile.ending() == nil)
    }

    @Test("A second client of the same profile is told who has it, and gets it once that one is closed")
    func secondClient() async throws {
        let secrets = FakeSecrets()
        let first = try await open(secrets)
        let error = await clientError { () throws(ClientError) in try await open(secrets) }
        #expect(error?.kind == .profileInUse(processID: getpid()))
        #expect(error?.isTransient == false)
        await first.close()
        let second = try await open(secrets)
        let closed = await clientError { () throws(ClientError) in try await first.devices.list() }
        #expect(closed?.kind == .closed)
        await second.close()
        await second.close()
    }

    @Test("A second process of the same profile is told who has it", .enabled(if: held == nil))
    func secondProcess() async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let child = try ChildProcess(
            program, ["--testing-library", "swift-testing", "--filter", "ProfileDirectoryTests"],
            // Its temporary directories outlive it when it is killed, but not this one.
            environment: [Self.marker: home.url.path, "TMPDIR": home.url.path])
        for await line in child.lines where line.contains("it is open") { break }
        let error = await clientError { () throws(ClientError) in try await open(FakeSecrets()) }
        #expect(error?.kind == .profileInUse(processID: child.pid))
        // The lock goes with the process, however that ends.
        child.kill()
        _ = await child.exit()
        let client = try await open(FakeSecrets())
        await client.close()
    }

    @Test("In that process", .enabled(if: held != nil))
    func inProcess() async throws {
        let directory = URL(fileURLWithPath: try #require(Self.held)).appendingPathComponent("profile")
        let client = try await open(FakeSecrets(), in: directory)
        print("it is open")
        fflush(nil)
        // Until it is killed.
        _ = readLine()
        await client.close()
    }

    private func open(
        _ secrets: FakeSecrets, in directory: URL? = nil
    ) async throws(ClientError) -> ChatterClient {
        let configuration = ClientConfiguration(
            serverURL: NetworkRig.url, clientKey: "key", directory: directory ?? home.file("profile"),
            device: DeviceDescription(name: "test", platform: "test"))
        return try await ChatterClient.open(
            configuration,
            seams: ClientSeams(
                http: { _ throws(ClientError) in FakeHTTP() },
                sockets: { _ throws(ClientError) in FakeSockets() },
                secrets: { _ throws(ClientError) in secrets },
                reachability: FakeReachability(), clock: ManualClock(), random: .seeded(1)))
    }
}
