import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

/// libsecret finds its bus by the environment of the whole process, so these tests run in a process of their own: the
/// test program itself, once more, in a session with a keyring. Beside all other tests that takes a minute on two cores.
@Suite("Secrets in a keyring", .timeLimit(.minutes(4)))
struct KeyringTests {
    private static let marker = "CHATTER_TEST_KEYRING"
    private static let directory = ProcessInfo.processInfo.environment[marker].map {
        URL(fileURLWithPath: $0)
    }

    private static let programs = ["/usr/bin/dbus-run-session", "/usr/bin/gnome-keyring-daemon"]
    private static let isPossible = programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
        "A session with an unlocked keyring keeps the secrets", .enabled(if: isPossible && directory == nil))
    func session() async throws {
        let home = try TemporaryDirectory()
        let script = """
            printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && \
            exec "$0" --testing-library swift-testing --filter KeyringTests
            """
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let child = try ChildProcess(
            Self.programs[0], ["--", "/bin/sh", "-c", script, program],
            environment: [
                "HOME": home.url.path, "XDG_RUNTIME_DIR": home.url.path,
                "XDG_DATA_HOME": home.file("data").path, Self.marker: home.url.path,
            ])
        #expect(await child.exit() == 0)
        #expect(FileManager.default.fileExists(atPath: home.file("passed").path))
    }

    @Test("In that session", .enabled(if: directory != nil))
    func inSession() async throws {
        let home = try #require(Self.directory)
        let profile = home.appendingPathComponent("profile")
        let store = try await SecretStoreChoice.open(in: profile)
        #expect(store.name == "libsecret")
        #expect(try await store.read("session") == nil)
        try await store.write("session", Data([0, 1, 255]))
        try await store.write("session", Data("token".utf8))
        // The next launch, and another profile of the same session.
        #expect(try await SecretStoreChoice.open(in: profile).read("session") == Data("token".utf8))
        let other = try await SecretStoreChoice.open(in: home.appendingPathComponent("other"))
        #expect(try await other.read("session") == nil)
        try await store.remove("session")
        try await store.remove("session")
        #expect(try await store.read("session") == nil)
        #expect(!FileManager.default.fileExists(atPath: profile.appendingPathComponent("secrets").path))
        try Data().write(to: home.appendingPathComponent("passed"))
    }
}
