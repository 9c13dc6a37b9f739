import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let login = ChatterCommand(
        "login", "Sign up or sign in with a phone number.",
        description: """
            Asks for what is missing. The server sends a one-time code to the phone; in challenge mode (the default \
            of a local chatter-server) it is always 000000.
            """,
        group: CommandGroup.account,
        parameters: [LoginCommand.phone, LoginCommand.code, LoginCommand.name, LoginCommand.username],
        examples: [
            Example("Answer questions", "chatter login"),
            Example(
                "Without questions",
                "chatter login --phone +6591234567 --code 000000 --name Bo --username bo"),
        ],
        action: LoginCommand.run)
}

enum LoginCommand {
    static let phone = Option<String?>("phone", "NUMBER", "With country code: +6591234567.")
    static let code = Option<String?>("code", "CODE", "The one-time code.")
    static let name = Option<String?>("name", "NAME", "Your display name, for a new account.")
    static let username = Option<String?>("username", "NAME", "Your username, for a new account.")

    static func run(_ context: CommandContext) async throws {
        try await context.withProfile { profile, client in
            await client.start()
            let signIn = SignIn(
                profile: profile, client: client, interview: Interview(console: context.console))
            let me = try await signIn.run(
                phone: context[phone], code: context[code], name: context[name], username: context[username])
            try context.console.result(MeShape(me), "Signed in as \(ProfileText.name(of: me)).")
        }
    }
}
