import SQLite

extension ClientError {
    /// Any error of the parts below.
    init(_ error: any Error) {
        switch error {
        case let error as ClientError: self = error
        case is CancellationError: self.init(.cancelled, "cancelled")
        case let error as SQLiteError where error.isClosed: self.init(.signedOut, "signed out meanwhile")
        case let error as SQLiteError where error.isFull: self = .diskFull
        case MigrationError.failed(_, let error): self.init(error)
        case let error as SQLiteError:
            // Its text holds the statement but no value.
            self.init(.storage(isTransient: error.isTransient), error.description)
        case StoreError.noSuchConversation: self.init(.notFound, "there is no such conversation here")
        case StoreError.noSuchMessage: self.init(.notFound, "there is no such message here")
        case StoreError.noSuchEntry: self.init(.notFound, "there is no such entry in the outbox")
        case let error as MigrationError: self.init(.storage(isTransient: false), error.description)
        case let error as StoreError: self.init(.storage(isTransient: false), "\(error)")
        default: self.init(.storage(isTransient: false), "\(type(of: error))")
        }
    }

    /// For a person to read. Nothing that was stored or queued is lost by it, and it goes on when there is space again.
    static let diskFull = ClientError(
        .storage(isTransient: true),
        "the disk is full: free some space, then try again; nothing that is stored or queued here is lost")

    /// Whether it is that this device has no space left.
    public var isDiskFull: Bool { self == .diskFull }

    /// Whether a system call's errno says so.
    static func isDiskFull(_ error: Int32) -> Bool { DiskSpace.isExhausted(error) }

    /// Whether the disk that holds `path`, or will hold it, has no room: for errors that do not say why.
    static func isDiskFull(holding path: String) -> Bool { DiskSpace.isExhausted(holding: path) }

    /// Runs `body` and turns whatever it throws into a client's error.
    static func wrapping<T: Sendable>(
        _ body: () async throws -> T
    ) async throws(ClientError) -> T {
        do {
            return try await body()
        } catch {
            throw ClientError(error)
        }
    }
}
