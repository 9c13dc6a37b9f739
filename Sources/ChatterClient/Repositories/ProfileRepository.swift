import ChatterModel

/// One's own profile.
public struct ProfileRepository: Sendable {
    let keeper: SessionKeeper

    /// The profile with queued edits applied, and again after each change. Ends at sign-out.
    public func me() -> AsyncStream<Me> {
        keeper.stream(
            LiveQuery.Parts(tables: ReadContext.profileTables) {
                try $0.profile()
            } show: { me, _ in
                me
            })
    }

    /// Shown at once. With a connection the server's verdict is awaited and a refusal thrown (`USERNAME_TAKEN`);
    /// without one the edit is queued. The first profile of an account cannot be queued: it needs a connection.
    @discardableResult
    public func edit(_ edit: EditProfile) async throws(ClientError) -> EditOutcome {
        try Self.check(edit)
        let account = try await keeper.current()
        guard case .signedIn = keeper.state.value else {
            let me = try await account.api.editProfile(edit)
            try await ClientError.wrapping { try await account.store.store(me) }
            return .saved(me)
        }
        let entry = try await ClientError.wrapping {
            try await account.store.edit(edit, at: account.clock.now)
        }
        await account.engine.outbox.drain()
        guard let entry else { return .saved(try await stored(in: account)) }
        switch await account.engine.outbox.verdict(of: entry) {
        case .done: return .saved(try await stored(in: account))
        case .waiting: return .queued
        case .failed(let reason):
            // The person is told here: nothing stays behind to be retried.
            try await ClientError.wrapping {
                try await account.store.discardEntry(entry, at: account.clock.now)
            }
            throw ClientError(
                .refused(code: reason.code), "the profile was refused: \(reason.code)",
                serverCode: reason.code)
        }
    }

    /// Needs a connection.
    public func availability(of username: String) async throws(ClientError) -> UsernameAvailability {
        try await keeper.current().api.call(
            Routes.usernameAvailability, path: ["username": username])
    }

    private func stored(in account: Account) async throws(ClientError) -> Me {
        let me = try await ClientError.wrapping { try await account.store.read { try $0.profile() } }
        guard let me else { throw ClientError(.notFound, "the profile is not here yet") }
        return me
    }

    private static func check(_ edit: EditProfile) throws(ClientError) {
        do throws(APIError) {
            if let name = edit.displayName { _ = try DisplayName.canonical(name) }
            if let name = edit.username { _ = try Username.canonical(name) }
            if let about = edit.about { _ = try About.canonical(about) }
        } catch {
            throw ClientError(.invalid, error.message, details: error.details)
        }
    }
}

public enum EditOutcome: Hashable, Sendable {
    case saved(Me)
    /// Waits in the outbox.
    case queued
}
