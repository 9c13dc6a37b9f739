import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let friend = ChatterCommand(
        "friend", "Add and remove friends; answer requests.", group: CommandGroup.people,
        subcommands: [
            ChatterCommand(
                "add", "Ask somebody to be your friend.", parameters: [FriendCommand.somebody],
                examples: [Example("Ask Bob", "chatter friend add bob")], action: FriendCommand.add),
            ChatterCommand(
                "accept", "Accept a request.", parameters: [Positional.person], action: FriendCommand.accept),
            ChatterCommand(
                "decline", "Decline a request.", parameters: [Positional.person],
                action: FriendCommand.decline),
            ChatterCommand(
                "cancel", "Take your own request back.", parameters: [Positional.person],
                action: FriendCommand.cancel),
            ChatterCommand(
                "remove", "End a friendship. The chat stays readable.", parameters: [Positional.person],
                action: FriendCommand.remove),
            ChatterCommand("list", "List your friends.", action: FriendCommand.list),
            ChatterCommand("requests", "List open requests.", action: FriendCommand.requests),
        ])
}

enum FriendCommand {
    static let somebody = Positional<String>("NAME", "A whole username, or a phone number with country code.")

    @Sendable static func add(_ context: CommandContext) async throws {
        try await context.withAccount(.known) { account in
            let user = try await account.anybody(context[somebody])
            try await account.perform { () throws(ClientError) in
                try await account.client.friends.sendRequest(to: user)
            }
            let friends = await account.client.friends.friends().first { _ in true } ?? []
            let name = Words.fullName(of: user)
            if friends.contains(where: { $0.id == user.id }) {
                try context.console.result(
                    DoneShape(done: "friends", user: PersonShape(user)), "You and \(name) are friends.")
            } else {
                try context.console.result(
                    DoneShape(done: "requested", user: PersonShape(user)), "Request sent to \(name).")
            }
        }
    }

    @Sendable static func accept(_ context: CommandContext) async throws {
        try await answer(context, .incoming, "accepted", "You and %@ are friends.") {
            account, id throws(ClientError) in try await account.client.friends.accept(from: id)
        }
    }

    @Sendable static func decline(_ context: CommandContext) async throws {
        try await answer(context, .incoming, "declined", "Declined %@.") {
            account, id throws(ClientError) in try await account.client.friends.decline(from: id)
        }
    }

    @Sendable static func cancel(_ context: CommandContext) async throws {
        try await answer(context, .outgoing, "cancelled", "Took back the request to %@.") {
            account, id throws(ClientError) in try await account.client.friends.cancel(to: id)
        }
    }

    @Sendable static func remove(_ context: CommandContext) async throws {
        try await context.withAccount(.known) { account in
            let user = try await account.person(context[Positional.person])
            try await account.perform { () throws(ClientError) in
                try await account.client.friends.remove(user.id)
            }
            try context.console.result(
                DoneShape(done: "removed", user: PersonShape(user)),
                "\(Words.fullName(of: user)) is no longer your friend.")
        }
    }

    @Sendable static func list(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            let friends = await account.client.friends.friends().first { _ in true } ?? []
            let time = TimeText.current
            let rows = friends.map { [Words.fullName(of: $0.user), time.presence($0.presence) ?? ""] }
            try context.console.result(
                account.list(friends.map(FriendShape.init)),
                rows.isEmpty ? "No friends yet. Find some with: chatter find" : Table.rows(rows))
        }
    }

    @Sendable static func requests(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            let requests = await account.client.friends.requests().first { _ in true } ?? []
            let rows = requests.map { request in
                [
                    request.direction == .incoming ? "from" : "to", Words.fullName(of: request.user),
                    request.isQueued ? "not sent yet" : TimeText.current.short(request.createdAt),
                ]
            }
            try context.console.result(
                account.list(requests.map(RequestShape.init)),
                rows.isEmpty ? "No open requests." : Table.rows(rows))
        }
    }

    private static func answer(
        _ context: CommandContext, _ direction: FriendRequest.Direction, _ done: String, _ text: String,
        _ action: @Sendable (Account, ID<User>) async throws(ClientError) -> Void
    ) async throws {
        try await context.withAccount(.known) { account in
            let name = context[Positional.person]
            let requests = await account.client.friends.requests().first { _ in true } ?? []
            let people = requests.filter { $0.direction == direction }.map(\.user)
            let user = try account.one(
                of: Names.match(name, among: people), name,
                missing:
                    "There is no open request \(direction == .incoming ? "from" : "to") “\(Printable.line(name))”."
            )
            try await account.perform { () throws(ClientError) in try await action(account, user.id) }
            try context.console.result(
                DoneShape(done: done, user: PersonShape(user)),
                text.replacing("%@", with: Words.fullName(of: user)))
        }
    }
}
