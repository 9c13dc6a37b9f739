import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let find = ChatterCommand(
        "find", "Find people by username or phone number.", group: CommandGroup.people,
        parameters: [FindCommand.query],
        examples: [
            Example("By the beginning of a username", "chatter find ali"),
            Example("By phone number", "chatter find +6591234567"),
        ],
        action: FindCommand.run)
}

enum FindCommand {
    static let query = Positional<String>(
        "QUERY", "At least two letters of a username, or a whole phone number with country code.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.server) { account in
            let found = try await account.client.friends.search(context[query])
            let rows = found.map { [Words.fullName(of: $0.user), status($0.friendshipStatus)] }
            try context.console.result(
                ListShape(items: found.map(FoundShape.init)),
                rows.isEmpty ? "Nobody found." : Table.rows(rows))
        }
    }

    private static func status(_ status: FriendshipStatus) -> String {
        switch status {
        case .none: "not a friend yet"
        case .requestSent: "request sent"
        case .requestReceived: "wants to be your friend"
        case .friends: "friend"
        }
    }
}
