import Foundation
import Synchronization

/// `chatter-server` as people run it, on a port that it comes back to after each kill.
public final class ServerProcess: Sendable {
    public let port: UInt16
    public let data: URL
    private let host: String
    private let extra: [String]
    private let process = Mutex<ChildProcess?>(nil)

    /// - Parameter host: As in a URL: an IPv6 address stands in brackets.
    public init(
        directory: URL, host: String = "127.0.0.1",
        arguments: [String] = ["--rate-limits", "off", "--no-echo-bot"]
    ) throws {
        self.host = host
        data = directory.appendingPathComponent("server")
        port = try Socket.freePort()
        extra = arguments
    }

    public var url: String { "http://\(host):\(port)" }

    /// nil while it does not run.
    public var pid: pid_t? { process.withLock { $0?.pid } }

    deinit { process.withLock { $0?.kill() } }

    /// Returns once the server listens.
    public func start() async throws {
        let child = try ChildProcess(
            "chatter-server",
            ["serve", "--data", data.path, "--listen", "\(host):\(port)", "--log-level", "error"] + extra,
            log: data.deletingLastPathComponent().appendingPathComponent("server.log"))
        process.withLock { $0 = child }
        // In a task of its own: a caller that is cancelled would stop reading, and wait for the end of a sound server.
        try await Task {
            for await line in child.lines where line.contains("listening on") { return }
            throw ProcessFailure("the server ended with \(await child.exit()) before it listened")
        }.value
    }

    /// Ends it as a power cut would, or gently; returns once it is gone.
    @discardableResult
    public func stop(_ signal: Int32 = SIGKILL) async -> Int32? {
        guard
            let child = process.withLock({ process in
                defer { process = nil }
                return process
            })
        else { return nil }
        child.kill(signal)
        return await child.exit()
    }
}

public struct ProcessFailure: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
