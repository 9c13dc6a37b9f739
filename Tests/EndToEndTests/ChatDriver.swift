import ChatterTestSupport
import Foundation

/// Keeps `chatter chat PEER --json` running for one person, whatever kills it, and types a list of texts into it, each
/// once the one before stands in the chat. After a kill it looks what stands there and goes on behind that, as a
/// person would.
actor ChatDriver {
    private struct Event: Decodable {
        struct Message: Decodable {
            let body: String
            let isMine: Bool
        }

        let event: String
        let message: Message?
    }

    let user: CommandLineUser
    private let peer: String
    private let stored: StoredChat
    private var child: ChildProcess?
    private var untyped: ArraySlice<String>
    private var typed: CheckedContinuation<Void, Never>?
    private var isStopped = false

    init(user: CommandLineUser, peer: String, texts: [String]) {
        self.user = user
        self.peer = peer
        stored = StoredChat(home: user.profileDirectory)
        untyped = texts[...]
    }

    deinit { child?.kill() }

    func start() throws {
        let log = user.home.deletingLastPathComponent().appendingPathComponent("\(user.name).log")
        let child = try ChildProcess(
            "chatter", ["chat", peer, "--json", "--profile", user.name], environment: user.environment,
            log: log)
        self.child = child
        type()
        Task {
            for await line in child.lines { heard(line) }
            _ = await child.exit()
            try ended()
        }
    }

    func kill() { child?.kill(SIGKILL) }

    /// Returns once every text stands in the chat.
    func waitUntilTyped() async {
        guard !untyped.isEmpty else { return }
        await withCheckedContinuation { typed = $0 }
    }

    /// Ends the command's input, as a person does, and gives its exit status.
    func stop() async -> Int32? {
        isStopped = true
        child?.closeInput()
        return await child?.exit()
    }

    private func heard(_ line: String) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)),
            let message = event.message,
            message.isMine, message.body == untyped.first
        else { return }
        untyped.removeFirst()
        type()
    }

    private func type() {
        if let text = untyped.first {
            child?.write(line: text)
        } else {
            typed?.resume()
            typed = nil
        }
    }

    private func ended() throws {
        guard !isStopped else { return }
        let mine = Set(try stored.rows().filter(\.isMine).map(\.text))
        untyped = untyped.drop { mine.contains($0) }
        try start()
    }
}
