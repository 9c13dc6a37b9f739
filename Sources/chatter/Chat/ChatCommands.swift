import ChatterClient
import ChatterModel

/// Carries out what was typed in a chat, for the screen and for lines alike.
struct ChatCommands: Sendable {
    /// What the one who asked shows or does next.
    enum Outcome: Sendable {
        case nothing
        case notice(String)
        case panel(String)
        case open(ID<Conversation>)
        case quit
    }

    let account: Account
    let chat: ID<Conversation>
    /// Its messages are written where the chat's draft was.
    let clearsDraft: Bool

    func run(_ command: SlashCommand) async throws -> Outcome {
        switch command {
        case .send(let text):
            try await account.client.messages.send(text, in: chat, clearsDraft: clearsDraft)
            return .nothing
        case .quit: return .quit
        case .help: return .panel(SlashCommand.helpText)
        case .chats: return .panel(await chatsPanel())
        case .open(let name): return .open(try await account.openChat(with: name).id)
        case .add(let name): return .notice(try await add(name))
        case .accept(let name):
            let user = try await requester(name)
            try await account.client.friends.accept(from: user.id)
            return .notice("You and \(Words.name(of: user)) are friends: /chat \(user.username ?? name)")
        case .decline(let name):
            let user = try await requester(name)
            try await account.client.friends.decline(from: user.id)
            return .notice("Declined \(Words.name(of: user)).")
        case .retry: return .notice(try await retry())
        case .discard: return .notice(try await discard())
        case .delete(let everyone): return .notice(try await delete(everyone ? .everyone : .me))
        // The screen does not let them through; in lines they are lines that were not sent.
        case .unknown(let name):
            throw Failure(
                .refused, code: "UNKNOWN_COMMAND",
                "There is no \(Printable.line(name)); /help lists what there is, // sends a text with a slash."
            )
        case .nameless(let name):
            throw Failure(.refused, code: "UNKNOWN_COMMAND", "Say whom: \(name) NAME")
        }
    }

    private func chatsPanel() async -> String {
        let chats = await account.client.conversations.chats(archived: false).first { _ in true } ?? []
        return ChatsCommand.table(chats) + "\n\nOpen one with /chat NAME"
    }

    private func add(_ name: String) async throws -> String {
        let user = try await account.anybody(name)
        try await account.client.friends.sendRequest(to: user)
        return "Asked \(Words.fullName(of: user)) to be friends."
    }

    private func requester(_ name: String) async throws -> User {
        let requests = await account.client.friends.requests().first { _ in true } ?? []
        let people = requests.filter { $0.direction == .incoming }.map(\.user)
        return try account.one(
            of: Names.match(name, among: people), name,
            missing: "There is no open request from “\(Printable.line(name))”.")
    }

    private func items() async -> [MessageItem] {
        await account.client.messages.conversation(chat).first { _ in true }?.items ?? []
    }

    private func failed() async -> [MessageItem] {
        await items().filter { if case .failed = $0.status { true } else { false } }
    }

    private func retry() async throws -> String {
        let failed = await failed()
        for item in failed { try await account.client.messages.retry(item.id.clientMessageID) }
        return failed.isEmpty
            ? "Nothing failed here." : "Trying \(Words.count(failed.count, "message")) again."
    }

    private func discard() async throws -> String {
        let failed = await failed()
        for item in failed { try await account.client.messages.discard(item.id.clientMessageID) }
        return failed.isEmpty ? "Nothing failed here." : "Gave \(Words.count(failed.count, "message")) up."
    }

    private func delete(_ scope: DeletionScope) async throws -> String {
        guard let newest = await items().last(where: { $0.isMine && !$0.isDeleted }) else {
            return "You have written nothing here."
        }
        try await account.client.messages.delete(newest.id, scope: scope)
        return scope == .everyone ? "Deleted for everyone." : "Deleted for you."
    }
}
