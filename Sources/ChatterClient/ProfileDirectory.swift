import ChatterModel
import Foundation
import SQLite

/// A profile's files:
///
///     lock                         held while a client has the profile open
///     secret-store.json, secrets/  see SecretStoreChoice, FileSecretStore
///     refresh.lock                 held around a token refresh, between processes
///     ending.json                  how a session ends, while it does: what a crash must not leave half done
///     accounts/<user id>/          one account's database
///
/// iOS: not in the container that the app shares with its extension. `lock` and the database's own locks are held for
/// long, and an app that is suspended with a lock there is killed; what an extension needs goes through a spool file.
struct ProfileDirectory: Sendable {
    let url: URL

    /// How a session ends. Written before its first step, removed after its last.
    enum Ending: Codable, Hashable, Sendable {
        /// Everything of the account goes.
        case wiping(ID<User>)
        /// The server refused the refresh: only the tokens go, the rest waits for the next sign-in.
        case refused(ID<User>)
        /// The server was asked to delete the account, and whether it did is not known. The session goes on; when its
        /// refresh is refused, it did.
        case deletionAsked(ID<User>)
    }

    init(_ url: URL) throws(ClientError) {
        self.url = url
        try PrivateFiles.makeDirectory(url)
    }

    func lock() throws(ClientError) -> FileLock {
        do {
            return try FileLock(path: path("lock"))
        } catch {
            switch error {
            case .heldByAnother(let processID):
                throw ClientError(.profileInUse(processID: processID), "the profile is \(error)")
            case .diskFull: throw .diskFull
            case .failed: throw ClientError(.storage(isTransient: false), "\(error)")
            }
        }
    }

    var refreshLock: FileRefreshLock { FileRefreshLock(path: path("refresh.lock")) }

    // MARK: - The ending

    func ending() throws(ClientError) -> Ending? {
        guard let data = try PrivateFiles.read(path("ending.json")) else { return nil }
        do {
            return try JSONDecoder().decode(Ending.self, from: data)
        } catch {
            throw ClientError(.storage(isTransient: false), "\(path("ending.json")) is damaged")
        }
    }

    func write(_ ending: Ending?) throws(ClientError) {
        guard let ending else { return try PrivateFiles.remove(path("ending.json")) }
        let data: Data
        do {
            data = try JSONEncoder().encode(ending)
        } catch {
            throw ClientError(.storage(isTransient: false), "\(error)")
        }
        try PrivateFiles.replace(path("ending.json"), with: data)
    }

    // MARK: - Accounts

    /// The database's path; its directory is made.
    func database(of user: ID<User>) throws(ClientError) -> String {
        let directory = try directory(of: user)
        try PrivateFiles.makeDirectory(directory)
        return directory.appendingPathComponent("messages.db").path
    }

    func wipe(_ user: ID<User>) throws(ClientError) {
        try discard(try directory(of: user).lastPathComponent)
        try removeDiscarded()
    }

    /// Wipes whatever other accounts left.
    func wipeAll(but user: ID<User>) throws(ClientError) {
        let kept = try directory(of: user).lastPathComponent
        for name in try accountNames() where name != kept { try discard(name) }
        try removeDiscarded()
    }

    /// Removes what a crash left of a wipe.
    func removeDiscarded() throws(ClientError) {
        for name in try accountNames() where name.hasPrefix(Self.discarded) {
            do {
                try FileManager.default.removeItem(at: accounts.appendingPathComponent(name))
            } catch {
                throw ClientError(.storage(isTransient: false), "cannot remove the account \(name): \(error)")
            }
        }
    }

    /// At once and whole: half a database, its journal without it, must never be opened.
    private func discard(_ name: String) throws(ClientError) {
        guard !name.hasPrefix(Self.discarded) else { return }
        let target = Self.discarded + UUID().uuidString
        try PrivateFiles.rename(
            accounts.appendingPathComponent(name).path, to: accounts.appendingPathComponent(target).path)
    }

    private static let discarded = "discarded-"

    private func accountNames() throws(ClientError) -> [String] {
        guard FileManager.default.fileExists(atPath: accounts.path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: accounts.path)
        } catch {
            throw ClientError(.storage(isTransient: false), "cannot list \(accounts.path): \(error)")
        }
    }

    private var accounts: URL { url.appendingPathComponent("accounts") }

    /// The id comes from the server: it must be one plain name.
    private func directory(of user: ID<User>) throws(ClientError) -> URL {
        let name = user.rawValue
        let isPlain =
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard isPlain else { throw ClientError(.fault, "the server gave a user id that is none") }
        return accounts.appendingPathComponent(name)
    }

    private func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
