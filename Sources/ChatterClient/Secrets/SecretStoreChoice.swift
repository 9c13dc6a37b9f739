import Foundation

/// Where a profile's secrets are. Decided once and written down, so that tokens are never looked for in the wrong
/// place: a keyring that is away for a day must not look like a sign-out.
enum SecretStoreChoice: Hashable, Codable, Sendable {
    case file
    /// The keyring is shared by all profiles of the session; `profile` is random and tells them apart, also when a
    /// directory is moved.
    case libsecret(profile: UUID)
    case keychain(profile: UUID)

    /// The profile's store; the first call decides.
    static func open(
        in directory: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(ClientError) -> any SecretStore {
        try PrivateFiles.makeDirectory(directory)
        let record = directory.appendingPathComponent("secret-store.json").path
        if let data = try PrivateFiles.read(record) {
            do {
                return try JSONDecoder().decode(SecretStoreChoice.self, from: data).store(
                    directory, environment)
            } catch let error as ClientError {
                throw error
            } catch {
                throw ClientError(
                    .storage(isTransient: false),
                    "\(record) is damaged, or names a secret store that this version does not know")
            }
        }
        let choice = await preferred(environment)
        let store = try choice.store(directory, environment)
        do {
            try PrivateFiles.replace(record, with: try JSONEncoder().encode(choice))
        } catch {
            throw error as? ClientError ?? ClientError(.storage(isTransient: false), "\(error)")
        }
        return store
    }

    #if os(Linux)
        private func store(
            _ directory: URL, _ environment: [String: String]
        ) throws(ClientError) -> any SecretStore {
            switch self {
            case .file: return try FileSecretStore(directory: directory.appendingPathComponent("secrets"))
            case .libsecret(let profile):
                guard Self.hasSessionBus(environment) else {
                    throw ClientError(
                        .storage(isTransient: true),
                        "this profile's tokens are in the desktop session's keyring, which is not reachable from here"
                    )
                }
                return LibsecretStore(profile: profile.uuidString)
            case .keychain: throw ClientError(.storage(isTransient: false), "there is no keychain here")
            }
        }

        private static func preferred(_ environment: [String: String]) async -> SecretStoreChoice {
            guard hasSessionBus(environment) else { return .file }
            let profile = UUID()
            let probe = LibsecretStore(profile: profile.uuidString, timeLimit: .seconds(5))
            return await probe.works() ? .libsecret(profile: profile) : .file
        }

        /// Without a bus libsecret would try to start one, which is slow and leaves a process behind.
        private static func hasSessionBus(_ environment: [String: String]) -> Bool {
            if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
            guard let runtime = environment["XDG_RUNTIME_DIR"] else { return false }
            return FileManager.default.fileExists(atPath: runtime + "/bus")
        }
    #else
        private func store(
            _ directory: URL, _ environment: [String: String]
        ) throws(ClientError) -> any SecretStore {
            switch self {
            case .keychain(let profile): return KeychainStore(profile: profile.uuidString)
            case .file: return try FileSecretStore(directory: directory.appendingPathComponent("secrets"))
            case .libsecret: throw ClientError(.storage(isTransient: false), "there is no libsecret here")
            }
        }

        private static func preferred(_ environment: [String: String]) async -> SecretStoreChoice {
            .keychain(profile: UUID())
        }
    #endif
}
