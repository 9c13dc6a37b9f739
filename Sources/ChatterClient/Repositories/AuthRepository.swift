import ChatterModel

/// Signing in and out.
public struct AuthRepository: Sendable {
    let keeper: SessionKeeper

    /// Has a one-time code sent to `phone`; needs a connection.
    public func requestCode(phone: String) async throws(ClientError) -> CodeRequested {
        try await keeper.network.workspace.call(Routes.requestCode, RequestCode(phone: phone))
    }

    /// Signs this device in. The same person as before finds everything as it was, the outbox goes on; for somebody
    /// else whatever the former account left is wiped first.
    public func verify(phone: String, code: String) async throws(ClientError) -> SignInResult {
        let signedIn = try await keeper.signIn(phone: phone, code: code)
        return SignInResult(me: signedIn.user, isNewUser: signedIn.isNewUser)
    }

    /// Signs out and wipes everything of this account from the profile, with or without a connection; without one
    /// the server is told later.
    public func logOut() async throws(ClientError) {
        try await keeper.logOut()
    }

    /// Deletes the account on the server, then wipes it here. Needs a connection: without one it throws, and the
    /// account stays as it is.
    public func deleteAccount() async throws(ClientError) {
        try await keeper.deleteAccount()
    }
}

public struct SignInResult: Hashable, Sendable {
    public var me: Me
    public var isNewUser: Bool

    public init(me: Me, isNewUser: Bool) {
        self.me = me
        self.isNewUser = isNewUser
    }
}
