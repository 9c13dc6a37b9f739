import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("Where a profile's secrets are", .timeLimit(.minutes(5)))
struct SecretStoreChoiceTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    @Test("Without a session bus it is the file, and that is written down")
    func withoutBus() async throws {
        #expect(try await SecretStoreChoice.open(in: home.url, environment: [:]).name == "file")
        let record = try Data(contentsOf: home.file("secret-store.json"))
        #expect(try JSONDecoder().decode(SecretStoreChoice.self, from: record) == .file)
    }

    @Test("A profile in the keyring does not fall back to the file when the keyring is away")
    func keyringAway() async throws {
        try record(.libsecret(profile: UUID()))
        let error = await clientError { () throws(ClientError) in
            try await SecretStoreChoice.open(in: home.url, environment: [:]).name
        }
        #expect(error?.kind == .storage(isTransient: true))
        #expect(!FileManager.default.fileExists(atPath: home.file("secrets").path))
    }

    @Test("A record that cannot be read is an error")
    func damagedRecord() async throws {
        let path = home.file("secret-store.json")
        try Data("{}".utf8).write(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
        let error = await clientError { () throws(ClientError) in
            try await SecretStoreChoice.open(in: home.url, environment: [:]).name
        }
        #expect(error?.kind == .storage(isTransient: false))
    }

    private func record(_ choice: SecretStoreChoice) throws {
        let path = home.file("secret-store.json")
        try JSONEncoder().encode(choice).write(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
    }
}
