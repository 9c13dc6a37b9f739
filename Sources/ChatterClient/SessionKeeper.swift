import ChatterModel
import SQLite

/// Who is signed in on this profile: opens the account, ends it, and keeps the order of steps that a crash, or a
/// server that cannot be reached, must not break.
actor SessionKeeper {
    nonisolated let state: Broadcast<SessionState>
    nonisolated let connection: Broadcast<ConnectionState>
    nonisolated let storage = Broadcast(StorageState.sound)
    nonisolated let network: ClientNetwork

    let profile: ProfileDirectory
    let secrets: any SecretStore
    let revocations: Revocations
    let endings: Endings
    let device: DeviceDescription
    private let reachability: any Reachability
    private var lock: FileLock?

    private(set) var account: Account?
    /// Follow the account's profile and connection.
    private var followers: [Task<Void, Never>] = []
    private var reachabilityTask: Task<Void, Never>?
    private(set) var isStarted = false
    private var isActive = true
    private var isInBackground = false
    private var isNetworkAvailable: Bool?
    private var isClosed = false
    private(set) var lastError: ClientError?

    /// One change of session at a time.
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ configuration: ClientConfiguration, seams: ClientSeams) async throws(ClientError) {
        try configuration.validate()
        profile = try ProfileDirectory(configuration.directory)
        lock = try profile.lock()
        secrets = try await seams.secrets(configuration)
        network = try ClientNetwork(configuration, seams: seams)
        revocations = Revocations(secrets: secrets, network: network)
        endings = Endings(profile: profile, secrets: secrets, revocations: revocations)
        device = configuration.device
        reachability = seams.reachability
        state = Broadcast(.signedOut(nil))
        connection = Broadcast(.offline(.signedOut, retryAt: nil))
    }

    /// Ends what a crash interrupted, then opens the account that is signed in, if any.
    func restore() async throws(ClientError) {
        switch try await endings.resume() {
        case .wiping?: break
        case .refused?: state.send(.signedOut(.refreshRefused))
        case .deletionAsked?, nil:
            guard let session = try await secrets.session() else { return }
            let account = try await open(session, me: nil)
            do {
                try await adopt(account)
            } catch {
                await account.close()
                throw error
            }
        }
    }

    /// The signed-in account.
    func current() throws(ClientError) -> Account {
        if isClosed { throw ClientError(.closed, "the client was closed") }
        guard let account else { throw ClientError(.signedOut, "nobody is signed in") }
        return account
    }

    /// The end of a session or of a task is no error.
    func note(_ error: ClientError) {
        switch error.kind {
        case .signedOut, .closed, .cancelled: break
        default: lastError = error
        }
    }
}

// MARK: - Starting and stopping

extension SessionKeeper {
    func start() async {
        guard !isStarted, !isClosed else { return }
        isStarted = true
        reachabilityTask = Task { [changes = reachability.changes()] in
            for await isAvailable in changes { await self.networkChanged(isAvailable) }
        }
        await revocations.start()
        await startEngine()
    }

    /// A profile that is not complete has nothing to connect for: the server would refuse it.
    private func startEngine() async {
        guard isStarted, let account else { return }
        guard case .signedIn = state.value else {
            if case .profileIncomplete = state.value { askForProfile(account) }
            return
        }
        await account.engine.start()
    }

    /// It may have been completed on another device.
    private func askForProfile(_ account: Account) {
        Task {
            do {
                try await account.store.store(try await account.api.call(Routes.me))
            } catch {
                note(ClientError(error))
            }
        }
    }

    private func networkChanged(_ isAvailable: Bool) async {
        isNetworkAvailable = isAvailable
        await account?.engine.networkChanged(isAvailable)
    }

    func setActive(_ isActive: Bool) async {
        self.isActive = isActive
        await account?.engine.setActive(isLookedAt)
    }

    func setInBackground(_ isInBackground: Bool) async {
        self.isInBackground = isInBackground
        guard let engine = account?.engine else { return }
        await engine.setActive(isLookedAt)
        if isInBackground { await engine.background() } else { await engine.foreground() }
    }

    private var isLookedAt: Bool { isActive && !isInBackground }

    func close() async {
        await exclusively {
            guard !isClosed else { return }
            isClosed = true
            reachabilityTask?.cancel()
            await revocations.stop()
            await release()
            network.workspace.transport.close()
            connection.send(.offline(.stopped, retryAt: nil))
            state.finish()
            connection.finish()
            storage.finish()
            lock = nil
        }
    }
}

// MARK: - Signing in

extension SessionKeeper {
    func signIn(phone: String, code: String) async throws(ClientError) -> SignedIn {
        try await exclusively { () async throws(ClientError) in
            if isClosed { throw ClientError(.closed, "the client was closed") }
            guard account == nil else {
                throw ClientError(.invalid, "somebody is signed in here: log out first")
            }
            _ = try await endings.resume()
            let signedIn = try await network.workspace.call(
                Routes.verifyCode, VerifyCode(phone: phone, code: code, device: device))
            // Gone from the disk before the next account is there.
            try profile.wipeAll(but: signedIn.user.id)
            let session = StoredSession(signedIn, at: network.clock.now)
            let account = try await open(session, me: signedIn.user)
            do throws(ClientError) {
                // Before the session is saved: a crash between would end the new session like the former one.
                try profile.write(nil)
                try await secrets.save(session)
                try await adopt(account)
            } catch {
                await account.close()
                throw error
            }
            return signedIn
        }
    }

    private func open(_ session: StoredSession, me: Me?) async throws(ClientError) -> Account {
        let user = session.userID
        let health = StorageHealth(storage)
        return try await Account(
            session: session, me: me, profile: profile, network: network, secrets: secrets, health: health,
            events: Account.Events(
                // Not waited for: it comes from inside the account's own work, whose end it waits for.
                signedOut: { [weak self] in Task { await self?.refused(user) } },
                storageFailed: { [weak self] error in
                    health.failed(error, inARow: 1)
                    Task { await self?.note(error) }
                }))
    }

    private func adopt(_ account: Account) async throws(ClientError) {
        let me = try await profile(of: account)
        self.account = account
        state.send(SessionState(me))
        if let isNetworkAvailable { await account.engine.networkChanged(isNetworkAvailable) }
        await account.engine.setActive(isLookedAt)
        if isInBackground { await account.engine.background() }
        follow(account)
        await startEngine()
    }

    private func profile(of account: Account) async throws(ClientError) -> Me {
        let stored = try await ClientError.wrapping { try await account.store.read { try $0.profile() } }
        if let stored { return stored }
        // Somebody removed the database but not the tokens.
        let me = try await account.api.call(Routes.me)
        try await ClientError.wrapping { try await account.store.store(me) }
        return me
    }

    private func follow(_ account: Account) {
        let profiles = LiveQuery(
            account, .init(tables: ReadContext.profileTables, read: { try $0.profile() }) { me, _ in me })
        let states = account.engine.connectionState.stream()
        followers = [
            Task {
                do throws(ClientError) {
                    while let me = try await profiles.next() { await self.profileChanged(me, of: account) }
                } catch {
                    self.note(error)
                }
            },
            Task {
                for await state in states { self.connectionChanged(state, of: account) }
            },
        ]
    }

    private func profileChanged(_ me: Me, of account: Account) async {
        guard account === self.account, me.id == account.userID else { return }
        state.send(SessionState(me))
        await startEngine()
    }

    private func connectionChanged(_ state: ConnectionState, of account: Account) {
        guard account === self.account else { return }
        connection.send(state)
        // Connected: the account lives, so a deletion that was asked for did not happen.
        if state == .online {
            forgetDeletion()
            // Everything that was missed could be stored.
            account.health.recovered()
        }
    }

    /// Stops everything of the account; its database is closed when this returns.
    func release() async {
        guard let account else { return }
        self.account = nil
        await account.close()
        for follower in followers { follower.cancel() }
        followers = []
        connection.send(.offline(.signedOut, retryAt: nil))
        storage.send(.sound)
    }

    private func forgetDeletion() {
        do throws(ClientError) {
            if case .deletionAsked? = try profile.ending(), !isChanging { try profile.write(nil) }
        } catch {
            note(error)
        }
    }
}

extension SessionState {
    fileprivate init(_ me: Me) { self = me.profileComplete ? .signedIn(me) : .profileIncomplete(me) }
}

// MARK: - One at a time

extension SessionKeeper {
    func exclusively<T: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> T
    ) async throws(Failure) -> T {
        while isChanging { await withCheckedContinuation { waiting.append($0) } }
        isChanging = true
        defer {
            isChanging = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
