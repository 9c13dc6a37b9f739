import ChatterModel

/// The end of a session on the disk. What is to happen is written down before the first step, and every step can be
/// repeated: whatever interrupts it, `resume` goes on.
struct Endings: Sendable {
    let profile: ProfileDirectory
    let secrets: any SecretStore
    let revocations: Revocations

    /// Finishes what was begun; returns what that was. A deletion that was only asked for is not finished here.
    func resume() async throws(ClientError) -> ProfileDirectory.Ending? {
        try profile.removeDiscarded()
        let ending = try profile.ending()
        switch ending {
        case .wiping(let user)?: try await wipe(user)
        case .refused?: try await secrets.remove(StoredSession.key)
        case .deletionAsked?, nil: break
        }
        return ending
    }

    func begin(_ ending: ProfileDirectory.Ending) throws(ClientError) {
        try profile.write(ending)
    }

    /// Everything of the account goes. What the server does not know of yet is remembered to be told.
    func wipe(_ user: ID<User>, isKnownToServer: Bool = false) async throws(ClientError) {
        if !isKnownToServer, let session = try await secrets.session() {
            try await revocations.remember(session)
        }
        try await secrets.remove(StoredSession.key)
        try profile.wipe(user)
        try profile.write(nil)
    }

    /// Only the tokens go; how it ended stays written down until the next sign-in.
    func dropTokens() async throws(ClientError) {
        try await secrets.remove(StoredSession.key)
    }
}
