import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("Secrets in a file")
struct FileSecretStoreTests {
    private let home: TemporaryDirectory
    private var directory: URL { home.file("secrets") }
    private var file: URL { directory.appendingPathComponent("secrets.json") }

    init() throws { home = try TemporaryDirectory() }

    @Test("What is written is read by the next launch, what is removed is gone")
    func roundTrip() async throws {
        let store = try FileSecretStore(directory: directory)
        #expect(try await store.read("a") == nil)
        try await store.write("a", Data("one".utf8))
        try await store.write("b", Data([0, 255, 10]))
        try await store.write("a", Data("two".utf8))
        let next = try FileSecretStore(directory: directory)
        #expect(try await next.read("a") == Data("two".utf8))
        #expect(try await next.read("b") == Data([0, 255, 10]))
        try await next.remove("a")
        try await next.remove("a")
        #expect(try await store.read("a") == nil)
        #expect(try await store.read("b") == Data([0, 255, 10]))
    }

    @Test("File and directory are for their owner alone, whatever the umask")
    func permissions() async throws {
        let store = try FileSecretStore(directory: directory)
        try await store.write("a", Data("one".utf8))
        #expect(try mode(of: directory) == 0o700)
        #expect(try mode(of: file) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["secrets.json"])
    }

    @Test("A directory that is open to others is closed")
    func openDirectory() async throws {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        _ = try FileSecretStore(directory: directory)
        #expect(try mode(of: directory) == 0o700)
    }

    @Test(
        "A file that others can read is refused, for reading and for writing",
        arguments: [0o640, 0o604, 0o660])
    func openFile(mode: Int) async throws {
        let store = try FileSecretStore(directory: directory)
        try await store.write("a", Data("one".utf8))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let reading = await clientError { () throws(ClientError) in try await store.read("a") }
        #expect(reading?.kind == .storage(isTransient: false))
        let writing = await clientError { () throws(ClientError) in try await store.write("a", Data()) }
        #expect(writing?.kind == .storage(isTransient: false))
    }

    @Test("A link in the place of the file is not followed")
    func link() async throws {
        let store = try FileSecretStore(directory: directory)
        let elsewhere = home.file("elsewhere")
        try Data("{}".utf8).write(to: elsewhere)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        #expect(await clientError { () throws(ClientError) in try await store.read("a") } != nil)
    }

    @Test("A draft that a crash left behind is replaced, the old secrets are whole")
    func leftover() async throws {
        let store = try FileSecretStore(directory: directory)
        try await store.write("a", Data("one".utf8))
        try Data("half".utf8).write(to: URL(fileURLWithPath: file.path + ".new"))
        #expect(try await store.read("a") == Data("one".utf8))
        try await store.write("a", Data("two".utf8))
        #expect(try await store.read("a") == Data("two".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["secrets.json"])
    }

    @Test("A damaged file is an error and never an empty store")
    func damaged() async throws {
        let store = try FileSecretStore(directory: directory)
        try await store.write("a", Data("one".utf8))
        try FileHandle(forWritingTo: file).truncate(atOffset: 5)
        let error = await clientError { () throws(ClientError) in try await store.read("a") }
        #expect(error?.kind == .storage(isTransient: false))
        #expect(error?.message.contains("one") == false)
    }

    private func mode(of url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }
}
