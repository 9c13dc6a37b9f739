import ChatterTestSupport
import Foundation
import Testing

/// One installation of the command line, behind a network of its own, and the person in front of it: keeps a program
/// running, types, writes and deletes. Any of its processes may be killed at any moment; the person looks what is
/// there and goes on behind that.
actor Device {
    /// What stays open until it is left, and is opened again after a kill.
    enum Program: Sendable {
        /// The chat is on screen: what comes is read.
        case chat
        /// The chat is closed: what comes is delivered.
        case watch
    }

    private struct Event: Decodable {
        struct Message: Decodable {
            let body: String
            let isMine: Bool
        }

        let event: String
        let message: Message?
    }

    nonisolated let user: CommandLineUser
    nonisolated let network: FaultProxy
    nonisolated let stored: StoredChat
    private let peer: String
    private var program: Program?
    private var child: ChildProcess?
    private var untyped: ArraySlice<String> = []
    private var typed: CheckedContinuation<Void, Never>?

    init(
        _ name: String, of person: Person, peer: String, directory: URL, server: ServerProcess, seed: UInt64
    ) throws {
        network = try FaultProxy(upstreamPort: server.port, seed: seed)
        user = CommandLineUser(
            name: person.name, profile: name, phone: person.phone, directory: directory,
            server: "http://127.0.0.1:\(network.port)")
        stored = StoredChat(home: user.profileDirectory)
        self.peer = peer
    }

    deinit { child?.kill() }

    func kill() { child?.kill(SIGKILL) }

    // MARK: - What stays open

    func open(_ program: Program) throws {
        self.program = program
        let arguments: [String] =
            switch program {
            case .chat: ["chat", peer, "--json"]
            case .watch: ["watch", "--json"]
            }
        let child = try start(arguments)
        typeNext()
        Task {
            for await line in child.lines { heard(line) }
            _ = await child.exit()
            ended(child)
        }
    }

    /// Ends it as a person does, and gives its exit status.
    func leave() async -> Int32? {
        switch program {
        case .chat: child?.closeInput()
        case .watch: child?.kill(SIGTERM)
        case nil: return nil
        }
        program = nil
        return await child?.exit()
    }

    /// In the open chat, each once the one before stands there. Returns once every text does.
    func type(_ texts: [String]) async {
        untyped = texts[...]
        typeNext()
        guard !untyped.isEmpty else { return }
        await withCheckedContinuation { typed = $0 }
    }

    private func heard(_ line: String) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)),
            let message = event.message,
            message.isMine, message.body == untyped.first
        else { return }
        untyped.removeFirst()
        typeNext()
    }

    private func typeNext() {
        if let text = untyped.first {
            child?.write(line: text)
        } else {
            typed?.resume()
            typed = nil
        }
    }

    private func ended(_ ended: ChildProcess) {
        // After it was left, the device may have something else running already.
        guard let program, child === ended else { return }
        do {
            untyped = try untyped.drop { try isStored($0) }
            try open(program)
        } catch {
            Issue.record(error, "\(user.profile) cannot be opened again")
        }
    }

    // MARK: - What is done without opening the chat

    /// Sends a few texts at a time until all of them are stored here.
    func write(_ texts: [String]) async throws {
        var left = texts[...]
        while !left.isEmpty {
            let child = try start(["send", peer, "--stdin", "--timeout", "500ms"])
            for text in left.prefix(15) { child.write(line: text) }
            child.closeInput()
            try await finish(child)
            left = try left.drop { try isStored($0) }
        }
    }

    /// Deletes the message with this text, until the wish is stored here.
    func delete(_ text: String, everyone: Bool) async throws {
        guard let row = try stored.rows().first(where: { $0.text == text }), let seq = row.seq else {
            throw ProcessFailure("\(user.profile) has no “\(text)” to delete")
        }
        let scope = everyone ? ["--everyone"] : []
        while try stored.rows().contains(where: { $0.seq == seq && $0.text != "" && !$0.isDeletionWanted }) {
            try await finish(try start(["delete", peer, "\(seq)", "--timeout", "500ms"] + scope))
        }
    }

    /// Done, queued for later, not done for want of the server, or killed; nothing else may come out.
    private func finish(_ child: ChildProcess) async throws {
        let status = await child.exit()
        guard [0, 3, 69, 128 + SIGKILL].contains(status) else {
            throw ProcessFailure("\(user.profile): exit status \(status)")
        }
    }

    private func isStored(_ text: String) throws -> Bool {
        try stored.rows().contains { $0.isMine && $0.text == text }
    }

    private func start(_ arguments: [String]) throws -> ChildProcess {
        let child = try user.start(arguments)
        self.child = child
        return child
    }
}

/// Somebody with one device or several.
struct Person: Sendable {
    let name: String
    let phone: String

    static let alice = Person(name: "alice", phone: "+14155550101")
    static let bob = Person(name: "bob", phone: "+14155550102")
}
