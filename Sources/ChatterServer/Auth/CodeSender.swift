/// Brings a one-time code to a person's phone. Throwing tells the caller to try again later.
public protocol CodeSender: Sendable {
    /// - Parameters:
    ///   - phone: E.164.
    ///   - workspace: the id of the app that the person signs in to.
    func send(_ code: String, to phone: String, workspace: String) async throws
}

/// Prints codes instead of sending them: the operator reads them out. Not for production.
public struct LogCodeSender: CodeSender {
    private let write: @Sendable (_ code: String, _ phone: String, _ workspace: String) -> Void

    public init(write: @escaping @Sendable (_ code: String, _ phone: String, _ workspace: String) -> Void) {
        self.write = write
    }

    public func send(_ code: String, to phone: String, workspace: String) async throws {
        write(code, phone, workspace)
    }
}
