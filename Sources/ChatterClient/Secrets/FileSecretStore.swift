import Foundation

/// Secrets in one JSON file (0600) in a directory of its own (0700). Nothing is cached, so that a refresh by another
/// process is seen.
///
/// Linux's fallback; on Apple platforms the keychain takes its place.
actor FileSecretStore: SecretStore {
    nonisolated let name = "file"
    private let directory: URL
    private var path: String { directory.appendingPathComponent("secrets.json").path }

    /// Makes the directory when it is missing.
    init(directory: URL) throws(ClientError) {
        self.directory = directory
        try PrivateFiles.makeDirectory(directory)
    }

    func read(_ key: String) throws(ClientError) -> Data? { try load()[key] }

    func write(_ key: String, _ secret: Data) throws(ClientError) {
        var secrets = try load()
        secrets[key] = secret
        try save(secrets)
    }

    func remove(_ key: String) throws(ClientError) {
        var secrets = try load()
        guard secrets.removeValue(forKey: key) != nil else { return }
        try save(secrets)
    }

    private func load() throws(ClientError) -> [String: Data] {
        guard let data = try PrivateFiles.read(path) else { return [:] }
        do {
            return try JSONDecoder().decode([String: Data].self, from: data)
        } catch {
            throw ClientError(.storage(isTransient: false), "\(path) is damaged: remove it and sign in again")
        }
    }

    private func save(_ secrets: [String: Data]) throws(ClientError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(secrets)
        } catch {
            throw ClientError(.storage(isTransient: false), "the secrets cannot be encoded")
        }
        try PrivateFiles.replace(path, with: data)
    }
}
