import ChatterTestSupport
import Foundation

/// The program as people start it, with keys as they press them.
struct ProgramBench {
    private let chat: LongChat
    private let table: Table
    private let log: URL
    private let starts = 5

    init(_ chat: LongChat, _ table: Table, log: URL) {
        (self.chat, self.table, self.log) = (chat, table, log)
    }

    func run() async throws {
        var (chats, written): ([Duration], [Duration]) = ([], [])
        for number in 1...starts {
            let program = try Program(chat, log: log)
            chats.append(try await program.reaches("main page painted"))
            if number == starts { try await rest(program.pid, "idle CPU, the chats") }
            let opened = ContinuousClock.now
            try await program.press("alt+Down")
            let painted = try await program.reaches("chat painted")
            try await program.press("a")
            _ = try await program.reaches("draft painted")
            // From the start to the chats, and from there to the letter.
            written.append((chats.last ?? painted) + opened.duration(to: .now))
            if number == starts {
                try await rest(program.pid, "idle CPU, a chat open")
                table.line(
                    "memory, a chat open", Double(ProcessUse.now(program.pid).residentBytes) / 1_048_576,
                    "MB", below: 160)
            }
            await program.end()
        }
        table.line("start to the painted chats, median of \(starts)", chats.median, "ms", below: 700)
        table.line("start to a letter in the chat, median of \(starts)", written.median, "ms", below: 700)
    }

    private func rest(_ pid: pid_t, _ what: String) async throws {
        // The caret stops blinking by itself, and what a start leaves to do is done.
        try await pause(.seconds(15))
        let before = ProcessUse.now(pid)
        try await pause(.seconds(10))
        let after = ProcessUse.now(pid)
        table.line(what, (after.cpu - before.cpu) / .seconds(10) * 100, "%", below: 0.2)
    }
}

/// The app as a process of its own.
private final class Program {
    private let started = ContinuousClock.now
    private let app: ChildProcess
    private let log: URL

    var pid: pid_t { app.pid }

    init(_ chat: LongChat, log: URL) throws {
        self.log = log
        app = try ChildProcess(
            "chatter-gtk",
            [
                "--home", chat.home.path, "--profile", LongChat.profile, "--server", chat.server.url,
                "--client-key", LongChat.clientKey,
            ],
            environment: ["G_MESSAGES_DEBUG": "chatter"], log: log)
    }

    isolated deinit { app.kill() }

    /// How long after its start it says so.
    func reaches(_ moment: String) async throws -> Duration {
        for await line in app.lines where line.contains(moment) {
            return started.duration(to: .now)
        }
        throw LoadFailure("chatter-gtk ended with \(await app.exit()) before “\(moment)”")
    }

    /// On a display without a window manager a window gets the keyboard only when it is told to.
    func press(_ key: String) async throws {
        let keyboard = try ChildProcess(
            "/usr/bin/xdotool",
            [
                "search", "--sync", "--onlyvisible", "--pid", "\(pid)", "windowfocus", "key",
                "--clearmodifiers", key,
            ], log: log)
        let code = await keyboard.exit()
        guard code == 0 else { throw LoadFailure("xdotool could not press \(key): \(code)") }
    }

    func end() async {
        app.kill(SIGTERM)
        _ = await app.exit()
    }
}
