import ChatterTestSupport
import Foundation
import Synchronization

/// `chatter` on a terminal of its own: what it draws is read, keys are pressed, the window is resized.
final class PseudoTerminal: Sendable {
    private let pid: pid_t
    private let master: Int32
    /// What the program wrote, escape sequences and all.
    private let output: AsyncStream<String>
    private let hasEnded = Mutex(false)

    struct NoTerminal: Error {}

    /// Constants of Linux that its headers show only under feature macros.
    private enum Kernel {
        /// TIOCSPTLCK
        static let setLock: UInt = 0x4004_5431
        /// TIOCGPTN
        static let getNumber: UInt = 0x8004_5430
        /// POSIX_SPAWN_SETSID
        static let newSession: Int16 = 0x80
    }

    init(_ arguments: [String], environment: [String: String], columns: UInt16, rows: UInt16) throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (number, unlocked): (UInt32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, Kernel.setLock, &unlocked) == 0,
            ioctl(master, Kernel.getNumber, &number) == 0
        else { throw NoTerminal() }
        self.master = master
        pid = try Self.spawn(arguments, environment, terminal: "/dev/pts/\(number)")
        let (stream, continuation) = AsyncStream<String>.makeStream()
        output = stream
        resize(columns: columns, rows: rows)
        Thread {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            // An error is the end: the program has closed its side.
            while case let count = read(master, &buffer, buffer.count), count > 0 {
                continuation.yield(String(decoding: buffer[..<count], as: UTF8.self))
            }
            continuation.finish()
        }.start()
    }

    deinit {
        if !hasEnded.withLock({ $0 }) {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        close(master)
    }

    func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master, bytes, bytes.count)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func terminate() { kill(pid, SIGTERM) }

    /// Reads on until `text` was drawn; false when the program ended without.
    func shows(_ text: String) async -> Bool {
        var seen = ""
        for await chunk in output {
            seen += chunk
            if seen.contains(text) { return true }
        }
        return false
    }

    /// The exit code, after everything it drew at the end.
    func end() async -> (status: Int32, drawn: String) {
        var drawn = ""
        for await chunk in output { drawn += chunk }
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        hasEnded.withLock { $0 = true }
        return (status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F), drawn)
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], terminal: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Opened by the leader of a new session, it becomes the session's terminal.
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Kernel.newSession)
        let program = ChildProcess.productsDirectory.appendingPathComponent("chatter").path
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid = pid_t()
        guard posix_spawn(&pid, program, &actions, &attributes, &argv, &envp) == 0 else { throw NoTerminal() }
        return pid
    }
}
