import ChatterClient
import ChatterModel
import Profiles

/// Phone, code, name, username: asks for what was not given.
struct SignIn: Sendable {
    let profile: Profile
    let client: ChatterClient
    let interview: Interview
    /// What to offer for an empty answer; nil where only the person can know.
    var suggestedPhone: String?

    func run(phone: String?, code: String?, name: String?, username: String?) async throws -> Me {
        if let me = try await alreadySignedIn(as: phone) {
            return try await complete(me, name: name, username: username)
        }
        let requested = try await interview.answer(
            phone, "Phone number with country code", suggestion: suggestedPhone
        ) { try await client.auth.requestCode(phone: $0) }
        // Before signing in: a profile that is signed in must know its server, whatever happens in between.
        try profile.remember()
        let isLocal = try profile.server.isLocal
        let question =
            isLocal
            ? "Code (000000 unless the server sends real ones)" : "The code sent to \(requested.phone)"
        let result = try await interview.answer(code, question, suggestion: isLocal ? "000000" : nil) {
            try await client.auth.verify(phone: requested.phone, code: $0)
        }
        return try await complete(result.me, name: name, username: username)
    }

    /// Display name and username, which everything else waits for. Asks only for what is missing.
    func complete(_ me: Me, name: String?, username: String?) async throws -> Me {
        guard !me.profileComplete || name != nil || username != nil else { return me }
        let name = try await interview.answer(name ?? me.displayName, "Your name", suggestion: nil) {
            try DisplayName.canonical($0)
        }
        return try await interview.answer(
            username ?? me.username, "Username", suggestion: Self.username(from: name)
        ) { username in
            switch try await client.profile.edit(EditProfile(displayName: name, username: username)) {
            case .saved(let me): return me
            case .queued: throw Failure(.offline, "The server can't be reached; your name is queued.")
            }
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
        // One that breaks a rule is no help.
        return try? Username.canonical(String(folded.prefix(Limits.usernameLength.upperBound)))
    }

    private func alreadySignedIn(as phone: String?) async throws -> Me? {
        switch await client.session.first(where: { _ in true }) {
        case .signedIn(let me), .profileIncomplete(let me):
            if phone == me.phone { return me }
            throw Failure(
                .failure, code: "SIGNED_IN",
                "This profile is signed in as \(me.phone). Log out first, or use another: chatter --profile NAME login"
            )
        case .signedOut, nil: return nil
        }
    }
}
