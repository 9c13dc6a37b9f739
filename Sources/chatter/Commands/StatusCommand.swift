import Arguments
import ChatterClient
import ChatterModel
import Profiles

extension ChatterCommand {
    static let status = ChatterCommand(
        "status", "Show the connection, the queue, holes in the history and the clock.",
        group: CommandGroup.trouble, action: StatusCommand.run)
}

enum StatusCommand {
    struct Shape: Encodable {
        var profile: String
        var folder: String
        var server: String
        /// `signedOut`, `profileIncomplete` or `signedIn`.
        var session: String
        var me: MeShape?
        /// `online`, `syncing`, `connecting` or `offline`.
        var connection: String
        var queued: [String: Int]
        var failed: Int
        var missingMessages: Int
        /// The server's clock minus this machine's.
        var clockSkewMilliseconds: Int64?
        var malformedFrames: Int
        var lastError: String?
        var secretStore: String
    }

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withProfile { profile, client in
            // Anybody else has nothing to connect with.
            if case .signedIn? = await client.session.first(where: { _ in true }) {
                await client.start()
                _ = await client.reachSoon(within: context.timeout)
            }
            let status = try await client.status()
            try context.console.result(shape(profile, status), page(profile, status))
        }
    }

    static func shape(_ profile: Profile, _ status: ClientStatus) -> Shape {
        let (session, me): (String, Me?) =
            switch status.session {
            case .signedOut: ("signedOut", nil)
            case .profileIncomplete(let me): ("profileIncomplete", me)
            case .signedIn(let me): ("signedIn", me)
            }
        let connection =
            switch status.connection {
            case .online: "online"
            case .syncing: "syncing"
            case .connecting: "connecting"
            case .offline: "offline"
            }
        return Shape(
            profile: profile.name.argument, folder: profile.directory.path, server: profile.settings.server,
            session: session, me: me.map(MeShape.init), connection: connection, queued: status.queued,
            failed: status.failed, missingMessages: status.missingMessages,
            clockSkewMilliseconds: status.clockSkew.map(milliseconds),
            malformedFrames: status.malformedFrames,
            lastError: status.lastError?.message, secretStore: status.secretStore)
    }

    static func page(_ profile: Profile, _ status: ClientStatus) -> String {
        let queued = status.queued.values.reduce(0, +)
        let session =
            switch status.session {
            case .signedOut(.refreshRefused): "nobody: this device was signed out, its data waits here"
            case .signedOut: "nobody"
            case .profileIncomplete(let me): "\(me.phone), without a name yet"
            case .signedIn(let me): ProfileText.name(of: me)
            }
        return Table.fields([
            ("Profile", "\(profile.name.argument) in \(profile.directory.path)"),
            ("Server", profile.settings.server),
            ("Signed in", session),
            ("Connection", ConnectionLabel.text(status.connection)),
            ("Queue", "\(queued) waiting, \(status.failed) failed"),
            ("Holes", Words.count(status.missingMessages, "missing message")),
            ("Clock", skew(status.clockSkew)),
            ("Tokens in", status.secretStore),
            ("Last error", status.lastError?.message ?? "none"),
        ])
    }

    static func skew(_ skew: Duration?) -> String {
        guard let skew else { return "not compared yet" }
        let tenths = (milliseconds(skew) + (skew < .zero ? -50 : 50)) / 100
        guard tenths != 0 else { return "as the server's" }
        let size = "\(abs(tenths) / 10).\(abs(tenths) % 10) s"
        return tenths > 0 ? "\(size) behind the server's" : "\(size) ahead of the server's"
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}
