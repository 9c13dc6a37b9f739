import ChatterClient
import ChatterModel

/// Phone, code, name, username: asks for what was not given.
struct SignIn: Sendable {
    let profile: Profile
    let client: ChatterClient
    let interview: Interview
    /// What to offer for an empty answer; nil where only the person can know.
    var suggestedPhone: String?

    func run(phone: String?, code: String?, name: String?, username: String?) async throws -> Me {
        try refuseSecondAccount(await client.session.first { _ in true }, phone: phone)
        let phone = try await given(phone, or: "Phone number with country code", suggestedPhone)
        let requested = try await client.auth.requestCode(phone: phone)
        let code = try await self.code(given: code, for: requested.phone)
        try profile.remember()
        let result = try await client.auth.verify(phone: requested.phone, code: code)
        guard !result.me.profileComplete || name != nil || username != nil else { return result.me }
        return try await complete(result.me, name: name, username: username)
    }

    /// Display name and username, which everything else waits for.
    func complete(_ me: Me, name: String?, username: String?) async throws -> Me {
        let name = try await given(name ?? me.displayName, or: "Your name", nil)
        let username = try await self.username(
            given: username ?? me.username, suggestion: Self.username(from: name))
        switch try await client.profile.edit(EditProfile(displayName: name, username: username)) {
        case .saved(let me): return me
        case .queued: throw Failure(.offline, "The server can't be reached; your name is queued.")
        }
    }

    /// A username that could come from a display name; nil when nothing usable is left.
    static func username(from name: String) -> String? {
        let folded = name.lowercased().unicodeScalars.compactMap { scalar -> Character? in
            switch scalar {
            case "a"..."z", "0"..."9", ".", "_": Character(scalar)
            case " ", "-": "_"
            default: nil
            }
        }
        let text = String(folded.prefix(Limits.usernameLength.upperBound))
        return text.count >= Limits.usernameLength.lowerBound ? text : nil
    }

    private func refuseSecondAccount(_ state: SessionState?, phone: String?) throws {
        switch state {
        case .signedIn(let me), .profileIncomplete(let me):
            if let phone, phone == me.phone { return }
            throw Failure(
                .failure, code: "SIGNED_IN",
                "This profile is signed in as \(me.phone). Log out first, or use another: chatter --profile NAME login"
            )
        case .signedOut, nil: return
        }
    }

    private func given(_ value: String?, or question: String, _ suggestion: String?) async throws -> String {
        if let value { return value }
        return try await interview.ask(question, suggestion: suggestion)
    }

    private func code(given: String?, for phone: String) async throws -> String {
        if let given { return given }
        let isLocal = try profile.server.isLocal
        let question =
            isLocal ? "Code (000000 unless the server sends real ones)" : "The code sent to \(phone)"
        return try await interview.ask(question, suggestion: isLocal ? "000000" : nil)
    }

    private func username(given: String?, suggestion: String?) async throws -> String {
        if let given { return given }
        return try await interview.ask("Username", suggestion: suggestion) { answer in
            let availability = try await client.profile.availability(of: answer)
            guard !availability.available else { return nil }
            return switch availability.reason {
            case "taken": "@\(answer) is taken."
            case "reserved": "@\(answer) is reserved."
            default: "A username has 3 to 32 of a-z, 0-9, '_' and '.'."
            }
        }
    }
}
