import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let profile = ChatterCommand(
        "profile", "Show or change your profile.", group: CommandGroup.account,
        subcommands: [
            ChatterCommand("show", "Show your profile.", action: ProfileCommand.show),
            ChatterCommand(
                "edit", "Change what is given, leave the rest.",
                parameters: [
                    ProfileCommand.name, ProfileCommand.username, ProfileCommand.about,
                    ProfileCommand.lastSeen,
                ],
                examples: [
                    Example("Say what you are up to", "chatter profile edit --about \"At sea until May\""),
                    Example("Hide when you were last online", "chatter profile edit --last-seen nobody"),
                ],
                action: ProfileCommand.edit),
        ],
        action: ProfileCommand.show)
}

enum ProfileCommand {
    static let name = Option<String?>("name", "NAME", "Your display name.")
    static let username = Option<String?>("username", "NAME", "3 to 32 of a-z, 0-9, '_' and '.'.")
    static let about = Option<String?>("about", "TEXT", "A line about you; empty removes it.")
    static let lastSeen = Option<LastSeen?>(
        "last-seen", "WHO", "Who sees when you were last online: friends or nobody.")

    enum LastSeen: String, ArgumentValue, CaseIterable {
        case friends, nobody

        var visibility: LastSeenVisibility { self == .friends ? .friends : .nobody }
    }

    @Sendable static func show(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            let me = await account.client.profile.me().first { _ in true } ?? account.me
            try context.console.result(MeShape(me), ProfileText.page(me))
        }
    }

    @Sendable static func edit(_ context: CommandContext) async throws {
        let edit = EditProfile(
            displayName: context[name], username: context[username], about: context[about],
            lastSeenVisibility: context[lastSeen]?.visibility)
        guard edit != EditProfile() else {
            throw UsageError(
                command: context.values.command,
                message: "say what to change: --name, --username, --about or --last-seen.")
        }
        try await context.withProfile { _, client in
            // An incomplete profile may be edited too: that is how it becomes complete.
            let old = try await context.me(client)
            await client.start()
            if old.profileComplete {
                _ = await firstValue(of: client.connection, within: context.timeout) { $0 == .online }
            }
            switch try await client.profile.edit(edit) {
            case .saved(let me): try context.console.result(MeShape(me), ProfileText.page(me))
            case .queued:
                throw Failure(.offline, "The server can't be reached; the change is queued.")
            }
        }
    }
}

enum ProfileText {
    static func name(of me: Me) -> String {
        let name = Printable.line(me.displayName ?? me.phone)
        return me.username.map { "\(name) (@\($0))" } ?? name
    }

    static func page(_ me: Me) -> String {
        Table.fields([
            ("Name", Printable.line(me.displayName ?? "–")),
            ("Username", me.username.map { "@\($0)" } ?? "–"),
            ("Phone", me.phone),
            ("About", me.about.isEmpty ? "–" : Printable.line(me.about)),
            ("Last seen", me.lastSeenVisibility == .friends ? "shown to friends" : "hidden"),
        ])
    }
}
