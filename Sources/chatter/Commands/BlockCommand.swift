import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let block = ChatterCommand(
        "block", "Block somebody.",
        description: "Nothing of theirs reaches you, and they can't find you. They are not told.",
        group: CommandGroup.people, parameters: [Positional.person], action: BlockCommand.block)
    static let unblock = ChatterCommand(
        "unblock", "Let somebody reach you again.",
        description: "What they sent while they were blocked never arrives.",
        group: CommandGroup.people, parameters: [Positional.person], action: BlockCommand.unblock)
    static let blocked = ChatterCommand(
        "blocked", "List whom you have blocked.", group: CommandGroup.people, action: BlockCommand.list)
}

enum BlockCommand {
    @Sendable static func block(_ context: CommandContext) async throws {
        try await context.withAccount(.known) { account in
            let user = try await account.anybody(context[Positional.person])
            try await account.perform { () throws(ClientError) in
                try await account.client.friends.block(user.id)
            }
            try context.console.result(
                DoneShape(done: "blocked", user: PersonShape(user)), "\(Words.fullName(of: user)) is blocked."
            )
        }
    }

    @Sendable static func unblock(_ context: CommandContext) async throws {
        try await context.withAccount(.known) { account in
            let name = context[Positional.person]
            let blocked = await account.client.friends.blocked().first { _ in true } ?? []
            let user = try account.one(
                of: Names.match(name, among: blocked.map(\.user)), name,
                missing: "You have not blocked “\(Printable.line(name))”.")
            try await account.perform { () throws(ClientError) in
                try await account.client.friends.unblock(user.id)
            }
            try context.console.result(
                DoneShape(done: "unblocked", user: PersonShape(user)),
                "\(Words.fullName(of: user)) can reach you again.")
        }
    }

    @Sendable static func list(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            let blocked = await account.client.friends.blocked().first { _ in true } ?? []
            let rows = blocked.map { [Words.fullName(of: $0.user), TimeText.current.short($0.createdAt)] }
            try context.console.result(
                account.list(blocked.map(BlockShape.init)),
                rows.isEmpty ? "You have blocked nobody." : Table.rows(rows))
        }
    }
}
