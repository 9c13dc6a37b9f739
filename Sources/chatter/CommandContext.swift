import Arguments
import ChatterClient
import ChatterModel
import Foundation
import Profiles

/// What a command gets: its values, and a client for as long as it runs.
struct CommandContext: Sendable {
    let values: Values
    let environment: [String: String]
    let console: Console

    init(values: Values, environment: [String: String]) {
        self.values = values
        self.environment = environment
        console = Console(json: values[SharedOptions.json])
    }

    var timeout: Duration { values[SharedOptions.timeout] }

    subscript<Value>(_ option: Option<Value>) -> Value { values[option] }
    subscript<Value>(_ positional: Positional<Value>) -> Value { values[positional] }

    /// How much of the server a command needs.
    enum Need {
        /// Reads or writes what is stored here; connects in the meantime so that it is sent and fetched.
        case local
        /// Shows what is stored, after a try to bring it up to date.
        case fresh
        /// Changes what is stored, after the same try.
        case known
        /// Cannot do without.
        case server
    }

    /// Opens the profile, without asking who is signed in.
    func withProfile<Result: Sendable>(
        _ body: (Profile, ChatterClient) async throws -> Result
    ) async throws -> Result {
        let profile = try Profile(values, environment: environment)
        try profile.makeDirectory()
        let client = try await ChatterClient.open(
            try profile.configuration(
                deviceName: "chatter on \(ProcessInfo.processInfo.hostName)", platform: "cli"))
        if let notice = await client.storage.first(where: { _ in true }).flatMap(Words.storage) {
            console.note(notice)
        }
        do {
            let result = try await body(profile, client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    /// Opens the profile of somebody signed in, connected as far as `need` asks.
    ///
    /// - Parameter evenIncomplete: Somebody without a name yet may do it too; their client does not connect.
    func withAccount<Result: Sendable>(
        _ need: Need, evenIncomplete: Bool = false, _ body: (Account) async throws -> Result
    ) async throws -> Result {
        try await withProfile { profile, client in
            let me = try await me(client)
            guard me.profileComplete || evenIncomplete else { throw Failure.profileIncomplete }
            var account = Account(
                profile: profile, client: client, me: me, timeout: timeout, console: console)
            await client.start()
            switch need {
            case _ where !me.profileComplete: break
            case .local: break
            case .known: try await account.refresh()
            case .fresh:
                try await account.refresh()
                if account.isOffline { console.note("Offline: this is what is stored on this machine.") }
            case .server:
                guard try await account.connect() else {
                    throw Failure(.unreachable, "The server at \(profile.settings.server) can't be reached.")
                }
            }
            return try await body(account)
        }
    }

    /// Who is signed in, with a complete profile or not.
    func me(_ client: ChatterClient) async throws -> Me {
        switch await client.session.first(where: { _ in true }) {
        case .signedIn(let me), .profileIncomplete(let me): return me
        case .signedOut(.refreshRefused): throw Failure.signedOutElsewhere
        case .signedOut, nil: throw Failure.notSignedIn
        }
    }
}
