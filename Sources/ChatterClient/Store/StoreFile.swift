import ChatterModel
import Foundation
import SQLite

/// The database file of one account: opened whatever state it is in, and removed without a trace.
package struct StoreFile: Sendable {
    let path: String

    package init(path: String) { self.path = path }

    /// What a person should know about how the database was opened.
    package enum Notice: Hashable, Sendable {
        /// It was damaged; nothing was lost.
        case repaired
        /// It was damaged; what could be read was saved, the rest comes from the server again.
        case salvaged
    }

    /// Opens the database, or makes it. A damaged one is repaired first: messages still to be sent and drafts are saved
    /// before anything else, the damaged file is kept beside. Throws `StoreError.otherAccount`, `MigrationError` for a
    /// newer schema, `SQLiteError`.
    ///
    /// - Parameter damaged: called when damage is found later, with the error that kept it from being marked for the next
    ///   `open`, if any.
    package func open(
        account: ID<User>, damaged: @escaping @Sendable ((any Error)?) -> Void = { _ in }
    ) async throws -> (store: Store, notice: Notice?) {
        var notice: Notice?
        if FileManager.default.fileExists(atPath: marker) { notice = try repair() }
        do {
            return (try await claimed(account, damaged), notice)
        } catch  where notice == nil && error.isDamage {
            try markDamaged()
            notice = try repair()
        }
        return (try await claimed(account, damaged), notice)
    }

    private func claimed(
        _ account: ID<User>, _ damaged: @escaping @Sendable ((any Error)?) -> Void
    ) async throws -> Store {
        let store = try Store(path: path, account: account) {
            do {
                try markDamaged()
                damaged(nil)
            } catch {
                damaged(error)
            }
        }
        do {
            try await store.claimAccount()
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// The next `open` repairs the file.
    package func markDamaged() throws {
        try Data().write(to: URL(fileURLWithPath: marker), options: .atomic)
    }

    /// Removes the database and everything that was ever kept beside it. Close the store first.
    package func remove() throws {
        for suffix in ["", "-wal", "-shm"] {
            for file in [path, salvaged, broken] { try Self.remove(file + suffix) }
        }
        try Self.remove(marker)
    }

    private var marker: String { path + ".damaged" }
    private var salvaged: String { path + ".salvaged" }
    /// The last damaged file.
    private var broken: String { path + ".broken" }

    private static func remove(_ file: String) throws {
        guard FileManager.default.fileExists(atPath: file) else { return }
        try FileManager.default.removeItem(atPath: file)
    }
}

// MARK: - Repair

extension StoreFile {
    /// Builds a sound file beside the damaged one and puts it in its place. Stopped at any moment, it starts over.
    private func repair() throws -> Notice {
        for suffix in ["", "-wal", "-shm"] { try Self.remove(salvaged + suffix) }
        let isWhole = try Salvage(from: path, to: salvaged).run()
        try Self.remove(broken)
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.moveItem(atPath: path, toPath: broken)
        }
        // They belong to the damaged file.
        for suffix in ["-wal", "-shm"] { try Self.remove(path + suffix) }
        try FileManager.default.moveItem(atPath: salvaged, toPath: path)
        try Self.remove(marker)
        return isWhole ? .repaired : .salvaged
    }
}

extension Store {
    /// What SQLite finds wrong with the file; empty when all is well. Reads everything: not for a launch.
    package func integrityProblems() async throws -> [String] {
        do {
            return try await pool.read { try $0.integrityCheck() }
        } catch  where error.isDamage {
            return ["\(error)"]
        }
    }
}

extension Error {
    /// The database file is damaged, or is none.
    var isDamage: Bool {
        switch self as any Error {
        case let error as SQLiteError: return error.isCorrupt
        case let error as MigrationError:
            if case .failed(_, let error) = error { return error.isCorrupt }
            return false
        case let error as StoreError:
            if case .unreadable = error { return true }
            return false
        default: return false
        }
    }
}
