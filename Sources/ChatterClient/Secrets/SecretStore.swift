import Foundation

/// Keeps small secrets of one profile under names.
///
/// Linux: libsecret where a session has it, else a file that only its owner can read. Apple: the keychain
/// (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`, shared with the extension through an access group).
public protocol SecretStore: Sendable {
    /// What it is, for a status line: `file`, `libsecret`, `keychain`.
    var name: String { get }
    /// nil when there is none. An error is not "none".
    func read(_ key: String) async throws(ClientError) -> Data?
    /// Durable when it returns.
    func write(_ key: String, _ secret: Data) async throws(ClientError)
    /// Harmless when there is none.
    func remove(_ key: String) async throws(ClientError)
}
