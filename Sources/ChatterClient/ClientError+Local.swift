import SQLite

extension ClientError {
    /// Any error of the parts below.
    init(_ error: any Error) {
        switch error {
        case let error as ClientError: self = error
        case is CancellationError: self.init(.cancelled, "cancelled")
        case let error as SQLiteError where error.isClosed: self.init(.signedOut, "signed out meanwhile")
        case let error as SQLiteError:
            // Its text holds the statement but no value.
            self.init(.storage(isTransient: error.isTransient), error.description)
        case StoreError.noSuchConversation: self.init(.notFound, "there is no such conversation here")
        case StoreError.noSuchMessage: self.init(.notFound, "there is no such message here")
        case StoreError.noSuchEntry: self.init(.notFound, "there is no such entry in the outbox")
        case let error as StoreError: self.init(.storage(isTransient: false), "\(error)")
        default: self.init(.storage(isTransient: false), "\(type(of: error))")
        }
    }

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
