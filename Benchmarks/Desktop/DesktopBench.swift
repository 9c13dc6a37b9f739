import ChatterGtk
import ChatterTestSupport
import Foundation

/// The desktop app with a chat of many messages: first the program as people start it, then its window in this process.
struct DesktopBench {
    var messages = 100_000
    var starts = 5
    private let exhibition: Exhibition
    private let folder: URL

    init(_ exhibition: Exhibition, folder: URL) {
        self.exhibition = exhibition
        self.folder = folder
    }

    func run() async throws -> Table {
        let table = Table()
        let chat = try await LongChat(folder: folder, messages: messages)
        table.say("desktop: a chat of \(messages.formatted()) messages, drawn by software")
        do {
            try await program(chat, table)
            try await WindowBench(exhibition, chat, table).run()
        } catch {
            // What is thrown ends the process, and nothing may outlive it.
            await chat.stop()
            throw error
        }
        await chat.stop()
        return table
    }

    private func program(_ chat: LongChat, _ table: Table) async throws {
        var frames: [Duration] = []
        for _ in 1..<starts { frames.append(try await start(chat) { _ in }) }
        frames.append(
            try await start(chat) { pid in
                // The caret stops blinking by itself, and what a start leaves to do is done.
                try await pause(.seconds(15))
                let before = ProcessUse.now(pid)
                try await pause(.seconds(10))
                let after = ProcessUse.now(pid)
                table.line("idle CPU", (after.cpu - before.cpu) / .seconds(10) * 100, "%", below: 0.2)
                table.line("memory", Double(after.residentBytes) / 1_048_576, "MB", below: 160)
            })
        table.line("start to the painted chats, median of \(starts)", frames.median, "ms", below: 700)
    }

    /// How long the program takes from its start to its first frame with the chats.
    private func start(_ chat: LongChat, _ body: (pid_t) async throws -> Void) async throws -> Duration {
        let started = ContinuousClock.now
        let app = try ChildProcess(
            "chatter-gtk",
            [
                "--home", chat.home.path, "--profile", LongChat.profile, "--server", chat.server.url,
                "--client-key", LongChat.clientKey,
            ],
            environment: ["G_MESSAGES_DEBUG": "chatter"], log: folder.appendingPathComponent("app.log"))
        defer { app.kill() }
        for await line in app.lines where line.contains("main page painted") {
            let took = started.duration(to: .now)
            try await body(app.pid)
            app.kill(SIGTERM)
            _ = await app.exit()
            return took
        }
        throw LoadFailure("chatter-gtk ended with \(await app.exit()) before it showed the chats")
    }
}
