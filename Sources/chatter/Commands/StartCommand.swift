import Arguments
import ChatterClient
import ChatterModel
import Profiles

extension ChatterCommand {
    static let start = ChatterCommand(
        "start", "Begin here: sign up in a few questions, then chat.",
        description: """
            Signs this profile up if nobody is signed in, makes friends with the echo bot of a server that has one, \
            and opens a chat. Later it opens your most recent chat.
            """,
        group: CommandGroup.account,
        examples: [Example("A second person on this machine", "chatter --profile bob start")],
        action: StartCommand.run)
}

enum StartCommand {
    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withProfile { profile, client in
            await client.start()
            let me = try await signedIn(profile, client, context.console)
            let account = Account(
                profile: profile, client: client, me: me, timeout: context.timeout, console: context.console)
            context.console.note("Signed in as \(ProfileText.name(of: me)).")
            try await ChatCommand.open(try await firstChat(account), account, linger: .seconds(2))
        }
    }

    private static func signedIn(_ profile: Profile, _ client: ChatterClient, _ console: Console) async throws
        -> Me
    {
        let interview = Interview(console: console)
        var signIn = SignIn(profile: profile, client: client, interview: interview)
        switch await client.session.first(where: { _ in true }) {
        case .signedIn(let me): return me
        case .profileIncomplete(let me): return try await signIn.complete(me, name: nil, username: nil)
        case .signedOut, nil: break
        }
        console.note("Welcome to Chatter. Enter takes what stands in [brackets].")
        if try profile.server.isLocal {
            // A server on this machine has no phones to send to: any number is as good as another.
            signIn.suggestedPhone = SuggestedPhone.random()
        }
        return try await signIn.run(phone: nil, code: nil, name: nil, username: nil)
    }

    /// The most recent chat, else one with the echo bot, else with a friend.
    private static func firstChat(_ account: Account) async throws -> ID<Conversation> {
        // What is stored is shown at once; the screen brings it up to date.
        if let recent = await recentChat(account) { return recent }
        account.console.note("Connecting to \(account.profile.settings.server)…")
        let isOnline = try await account.connect()
        if let recent = await recentChat(account) { return recent }
        guard isOnline else {
            throw Failure(
                .unreachable, "The server can't be reached, and there is no chat on this machine yet.")
        }
        guard let friend = try await firstFriend(account) else {
            throw Failure(
                .failure, code: "NO_FRIENDS",
                "You are signed in. Find somebody with: chatter find NAME, then: chatter friend add NAME")
        }
        return try await account.client.conversations.openDirect(with: friend.id)
    }

    private static func recentChat(_ account: Account) async -> ID<Conversation>? {
        let chats = await account.client.conversations.chats(archived: false).first { _ in true } ?? []
        return chats.max { $0.lastActivityAt < $1.lastActivityAt }?.id
    }

    private static func firstFriend(_ account: Account) async throws -> User? {
        if let bot = try await EchoFriend(account: account).befriend() { return bot }
        return await account.client.friends.friends().first { _ in true }?.first?.user
    }
}

/// A number that the suggestion of a local server offers: valid, and nobody else's on this machine by chance.
enum SuggestedPhone {
    static func random() -> String {
        // Singapore's mobile numbers begin with 90 to 98.
        "+659\(Int.random(in: 0...8))" + (0..<6).map { _ in String(Int.random(in: 0...9)) }.joined()
    }
}

/// The echo bot of a development server.
struct EchoFriend: Sendable {
    static let username = "echo"

    let account: Account

    /// Becomes friends with it; nil when this server has none.
    func befriend() async throws -> User? {
        let found = try await account.client.friends.search(Self.username)
        guard let bot = found.first(where: { $0.user.username == Self.username }) else { return nil }
        if bot.friendshipStatus != .friends {
            let user = bot.user
            try await account.perform { () throws(ClientError) in
                try await account.client.friends.sendRequest(to: user)
            }
        }
        let friends = await firstValue(of: account.client.friends.friends(), within: account.timeout) {
            friends in
            friends.contains { $0.id == bot.user.id }
        }
        return friends?.contains { $0.id == bot.user.id } == true ? bot.user : nil
    }
}
