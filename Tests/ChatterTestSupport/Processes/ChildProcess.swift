import Foundation
import Synchronization

/// A program of this package, run as a process of its own: its lines read, its end awaited, killed at will.
public final class ChildProcess: Sendable {
    public let pid: pid_t
    /// Standard output, line by line; ends with the process.
    public let lines: AsyncStream<String>
    /// nil once closed.
    private let input: Mutex<Int32?>
    private let end = Mutex<End>(.running([]))

    private enum End {
        case running([CheckedContinuation<Int32, Never>])
        case ended(Int32)
    }

    /// Starts `program` (a product of this package, or an absolute path) with `arguments`; `environment` comes on top
    /// of this process's.
    /// Standard error goes to `log`, or nowhere.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], log: URL? = nil
    ) throws {
        let inputEnds = try Socket.pipe()
        let outputEnds = try Socket.pipe()
        let pid: pid_t
        do {
            defer {
                close(inputEnds.read)
                close(outputEnds.write)
            }
            pid = try Self.spawn(
                program, arguments, environment: environment, input: inputEnds.read, output: outputEnds.write,
                log: log)
        } catch {
            close(inputEnds.write)
            close(outputEnds.read)
            throw error
        }
        self.pid = pid
        input = Mutex(inputEnds.write)
        let (stream, continuation) = AsyncStream<String>.makeStream()
        lines = stream
        let output = outputEnds.read
        Thread { [self] in
            Self.read(output, into: continuation)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            finish(status)
        }.start()
    }

    /// The new process reads `input` and writes `output`.
    private static func spawn(
        _ program: String, _ arguments: [String], environment: [String: String], input: Int32, output: Int32,
        log: URL?
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(
            &actions, 2, log?.path ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This thread may be one of libdispatch's, which block every signal; a child would never hear a SIGTERM.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let path = program.hasPrefix("/") ? program : productsDirectory.appendingPathComponent(program).path
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var started = pid_t()
        let result = posix_spawn(&started, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            errno = result
            throw POSIXFailure("starting \(path)")
        }
        return started
    }

    deinit { closeInput() }

    /// The process reads the end of its standard input.
    public func closeInput() {
        input.withLock { input in
            if let input { close(input) }
            input = nil
        }
    }

    /// Beside the test bundle, or where CHATTER_PRODUCTS says.
    public static var productsDirectory: URL {
        if let path = ProcessInfo.processInfo.environment["CHATTER_PRODUCTS"] {
            return URL(fileURLWithPath: path)
        }
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// Writes a line to standard input; false when the process is gone or its input closed.
    @discardableResult
    public func write(line: String) -> Bool {
        signal(SIGPIPE, SIG_IGN)
        let bytes = Array((line + "\n").utf8)
        return input.withLock { input in
            guard let input else { return false }
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Foundation.write(input, $0.baseAddress, $0.count)
                }
                if count < 0 { return false }
                sent += count
            }
            return true
        }
    }

    public func kill(_ signal: Int32 = SIGKILL) { Foundation.kill(pid, signal) }

    /// The exit status once it has ended; 128 + signal when it was killed.
    public func exit() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status: Int32? = end.withLock { end in
                switch end {
                case .ended(let status): return status
                case .running(let waiting):
                    end = .running(waiting + [continuation])
                    return nil
                }
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    private func finish(_ status: Int32) {
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        let waiting: [CheckedContinuation<Int32, Never>] = end.withLock { end in
            defer { end = .ended(code) }
            if case .running(let waiting) = end { return waiting }
            return []
        }
        waiting.forEach { $0.resume(returning: code) }
    }

    private static func read(_ descriptor: Int32, into lines: AsyncStream<String>.Continuation) {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: 10) {
                lines.yield(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeFirst(end + 1)
            }
        }
        if !pending.isEmpty { lines.yield(String(decoding: pending, as: UTF8.self)) }
        close(descriptor)
        lines.finish()
    }
}
