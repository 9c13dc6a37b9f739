import ChatterModel

/// Signing in and out: codes, tokens.
struct AuthRoutes: Sendable {
    private let storage: Storage
    private let hub: Hub
    private let access: AccessCheck
    private let limiter: RateLimiter
    private let codes: CodeQueries
    private let tokens: TokenQueries
    private let signOut: DeviceSignOut
    /// nil in challenge mode, where every code is 000000.
    private let sender: (any CodeSender)?
    private let random: any RandomBytes
    private let log: Log

    init(_ services: Services, signOut: DeviceSignOut) {
        storage = services.storage
        hub = services.hub
        access = services.access
        limiter = services.limiter
        codes = CodeQueries(key: services.keys.codes)
        tokens = TokenQueries(mint: services.mint)
        self.signOut = signOut
        sender = services.configuration.isChallengeMode ? nil : services.codeSender
        random = services.random
        log = services.log
    }

    func register(on router: Router) {
        router.onWorkspace(Routes.requestCode, limit: .codesByAddress, requestCode)
        router.onWorkspace(Routes.verifyCode, limit: .attemptsByAddress, verify)
        router.onWorkspace(Routes.refresh, limit: .refreshes, refresh)
        router.on(Routes.logOut) { call, _ in
            try await storage.write { try signOut(call.device, of: call.user, in: $0) }
            return Nothing()
        }
    }

    @Sendable private func requestCode(_ call: WorkspaceCall, _ body: RequestCode) async throws
        -> CodeRequested
    {
        let phone =
            try sender == nil ? PhoneNumber.canonical(body.phone) : PhoneNumber.inUse(body.phone)
        try limiter.take(.codesByPhone, for: "\(call.workspace) \(phone)")
        let code = sender == nil ? CodeQueries.challenge : makeCode()
        try await storage.write { transaction in
            try CodeQueries.removeExpired(in: transaction)
            try codes.store(code, phone: phone, workspace: call.workspace, in: transaction)
        }
        do {
            try await sender?.send(code, to: phone, workspace: call.workspace.rawValue)
        } catch {
            log.error("code not sent", ["workspace": .id(call.workspace.rawValue), "cause": .error(error)])
            throw APIError(.unavailable, "the code could not be sent: try again", retryAfter: 10)
        }
        return CodeRequested(phone: phone, expiresIn: Int(CodeQueries.lifetime.components.seconds))
    }

    @Sendable private func verify(_ call: WorkspaceCall, _ body: VerifyCode) async throws -> SignedIn {
        let phone = try PhoneNumber.canonical(body.phone)
        let description = try body.device.canonical()
        try limiter.take(.attemptsByPhone, for: "\(call.workspace) \(phone)")
        let outcome = try await storage.write { transaction -> (CodeQueries.Verdict, SignedIn?) in
            let verdict = try codes.verify(
                body.code, phone: phone, workspace: call.workspace, in: transaction)
            guard verdict == .right else { return (verdict, nil) }
            return (verdict, try signIn(phone, call.workspace, description, in: transaction))
        }
        switch outcome {
        case (.right, let signedIn?): return signedIn
        case (.wrong, _): throw APIError(.codeInvalid, "this is not the code")
        default: throw APIError(.codeExpired, "ask for a new code")
        }
    }

    private func signIn(
        _ phone: String, _ workspace: ID<Workspace>, _ description: DeviceDescription,
        in transaction: WriteTransaction
    ) throws -> SignedIn {
        let database = transaction.database
        let known = try AccountQueries.user(phone: phone, workspace: workspace, in: database)
        let user = try known ?? AccountQueries.create(phone: phone, workspace: workspace, in: transaction)
        let (device, pair) = try tokens.start(description, user: user, in: transaction)
        guard let me = try AccountQueries.me(user, in: database) else {
            throw APIError(.internalError, "the account is gone")
        }
        // The other devices' lists have changed.
        transaction.publish(.syncChanged, to: user)
        return SignedIn(
            accessToken: pair.accessToken, refreshToken: pair.refreshToken, expiresIn: pair.expiresIn,
            isNewUser: known == nil, user: me, deviceID: device)
    }

    @Sendable private func refresh(_ call: WorkspaceCall, _ body: RefreshTokens) async throws -> TokenPair {
        let refreshed = try await storage.write { transaction in
            let refreshed = try tokens.refresh(
                body.refreshToken, workspace: call.workspace, in: transaction)
            follow(refreshed, in: transaction)
            return refreshed
        }
        switch refreshed {
        case .pair(let pair, _, _):
            return pair
        case .replayed(let device, _):
            log.warning("refresh token replayed: device signed out", ["device": .id(device.rawValue)])
            throw APIError(.refreshRejected, "sign in again")
        case .unknown:
            throw APIError(.refreshRejected, "sign in again")
        }
    }

    private func follow(_ refreshed: TokenQueries.Refreshed, in transaction: WriteTransaction) {
        switch refreshed {
        case .pair(_, let device, let end):
            transaction.afterCommit { [access, hub] in
                access.forget(device: device)
                hub.extend(device: device, until: end)
            }
        case .replayed(let device, let user):
            signOut.finish(device, of: user, in: transaction)
        case .unknown:
            break
        }
    }

    private func makeCode() -> String {
        let digits = String(random.number(in: 0..<1_000_000))
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
