import ChatterModel
import ChatterServer
import Synchronization
import Testing

/// Expects `body` to be refused with this code.
func refused(
    _ code: ErrorCode, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Sendable
) async {
    let error = await #expect(throws: APIError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

/// Keeps the codes that it was given.
final class RecordingSender: CodeSender {
    struct Sent: Sendable {
        let code: String
        let phone: String
        let workspace: String
    }

    private let state = Mutex<[Sent]>([])
    var sent: [Sent] { state.withLock { $0 } }

    func send(_ code: String, to phone: String, workspace: String) async throws {
        state.withLock { $0.append(Sent(code: code, phone: phone, workspace: workspace)) }
    }
}

struct FailingSender: CodeSender {
    struct Failure: Error {}
    func send(_ code: String, to phone: String, workspace: String) async throws { throw Failure() }
}
