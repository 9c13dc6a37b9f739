#if canImport(Security)
    import Foundation
    import Security

    /// Secrets in the keychain of this device.
    ///
    /// `AfterFirstUnlockThisDeviceOnly`: a push may wake the app while the phone is locked, and a backup must not carry a
    /// session to another phone. An app shares the entries with its extension by the first access group of its
    /// entitlements. Since the keychain outlives an uninstalled app, the profile's random name lies with its database.
    final class KeychainStore: SecretStore {
        let name = "keychain"
        private let profile: String

        init(profile: String) { self.profile = profile }

        func read(_ key: String) async throws(ClientError) -> Data? {
            var query = entry(key)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var result: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &result) {
            case errSecSuccess: return result as? Data
            case errSecItemNotFound: return nil
            case let status: throw Self.failure(status)
            }
        }

        func write(_ key: String, _ secret: Data) async throws(ClientError) {
            let values: [CFString: Any] = [
                kSecValueData: secret, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(entry(key) as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(entry(key).merging(values) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        func remove(_ key: String) async throws(ClientError) {
            let status = SecItemDelete(entry(key) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.failure(status) }
        }

        private func entry(_ key: String) -> [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "chatter.\(profile)",
                kSecAttrAccount: key,
                kSecUseDataProtectionKeychain: true,
            ]
        }

        /// A locked device passes; the rest wants a person.
        private static func failure(_ status: OSStatus) -> ClientError {
            ClientError(
                .storage(isTransient: status == errSecInteractionNotAllowed),
                "the keychain answered \(status)")
        }
    }
#endif
