import ChatterGtk
import Foundation

/// The desktop app with a chat of many messages: first the program as people start it, then its window in this process.
struct DesktopBench {
    var messages = 100_000
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
            try await ProgramBench(chat, table, log: folder.appendingPathComponent("app.log")).run()
            try await WindowBench(exhibition, chat, table).run()
        } catch {
            // What is thrown ends the process, and nothing may outlive it.
            await chat.stop()
            throw error
        }
        await chat.stop()
        return table
    }
}
