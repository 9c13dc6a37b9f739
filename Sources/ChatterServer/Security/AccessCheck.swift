import ChatterModel
import Foundation

/// Decides who is calling. Synchronous and, for who called lately, without a query: it runs on the loop thread.
final class AccessCheck: Sendable {
    private let mint: TokenMint
    private let devices: DeviceCache
    private let workspaces: WorkspaceDirectory
    private let storage: Storage
    private let epoch: ID<Epoch>
    private let clock: any ServerClock
    private let log: Log

    init(
        mint: TokenMint, devices: DeviceCache, workspaces: WorkspaceDirectory, storage: Storage,
        epoch: ID<Epoch>, clock: any ServerClock, log: Log
    ) {
        self.epoch = epoch
        self.mint = mint
        self.devices = devices
        self.workspaces = workspaces
        self.storage = storage
        self.clock = clock
        self.log = log
    }

    /// The caller as `access` demands it. Throws `APIError`.
    func caller(_ headers: CallHeaders, for access: Access) throws -> Caller {
        switch access {
        case .open:
            return .anyone
        case .workspace:
            return .workspace(try workspace(headers))
        case .account:
            return .user(try session(headers))
        case .user:
            let session = try session(headers)
            guard session.isProfileComplete else {
                throw APIError(.profileIncomplete, "set a display name and a username first")
            }
            return .user(session)
        case .admin:
            return .workspace(
                try workspaces.workspace(secret: headers.clientSecret))
        }
    }

    func session(_ headers: CallHeaders) throws -> Session {
        let workspace = try workspace(headers)
        let session = try session(token: bearer(headers))
        guard session.workspace == workspace else { throw Self.invalid }
        try checkEpoch(headers)
        return session
    }

    /// What this user's devices may do has changed (profile, deletion): read again at the next call. Call it in
    /// `afterCommit`, so that the caller's next request already counts.
    func forget(user: ID<User>) { devices.forget(user: user) }

    /// This device was signed out or its tokens were renewed.
    func forget(device: ID<Device>) { devices.forget(device: device) }

    /// Nothing is done for, or told to, a device whose numbers are not this epoch's: it would take them for others.
    private func checkEpoch(_ headers: CallHeaders) throws {
        guard let named = headers.epoch, named != epoch.rawValue else { return }
        throw APIError(.startOver, "the server was set back to a backup: its numbers begin anew")
    }

    private func workspace(_ headers: CallHeaders) throws -> ID<Workspace> {
        try workspaces.workspace(clientKey: headers.clientKey)
    }

    private func bearer(_ headers: CallHeaders) throws -> Substring {
        let parts = (headers.authorization ?? "").split(
            separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw APIError(.tokenInvalid, "send Authorization: Bearer with an access token")
        }
        return parts[1]
    }

    private func session(token: Substring) throws -> Session {
        guard let claims = mint.claims(of: token, .access), let record = try devices.record(of: claims.device)
        else { throw Self.invalid }
        let now = clock.now
        guard claims.expiresAt > now, isCurrent(claims, record, now) else {
            throw APIError(.tokenExpired, "the access token has ended: refresh it")
        }
        if claims.generation == record.generation { noteUse(of: claims) }
        return Session(
            workspace: record.workspace, user: record.user, device: claims.device,
            expiresAt: max(claims.expiresAt, record.accessExpiresAt),
            isProfileComplete: record.isProfileComplete)
    }

    /// The newest pair's token, or the one before for calls that were on their way during the refresh.
    private func isCurrent(_ claims: TokenMint.Claims, _ record: DeviceRecord, _ now: Timestamp) -> Bool {
        claims.generation == record.generation
            || claims.generation == record.generation - 1
                && now < record.rotatedAt.advanced(by: TokenLifetimes.previousAccess)
    }

    /// The first use of a pair ends the one before: from now on its refresh token is a replay.
    private func noteUse(of claims: TokenMint.Claims) {
        guard devices.markUsed(claims.device, generation: claims.generation) else { return }
        storage.enqueue { transaction in
            try DeviceQueries.markUsed(
                claims.device, generation: claims.generation, in: transaction.database)
        } failed: { [log] error in
            // In memory it counts as used; a restart before the next refresh would only be more lenient.
            log.warning("first use of a token pair not stored", ["cause": .error(error)])
        }
    }

    private static let invalid = APIError(.tokenInvalid, "the access token is not valid")
}

enum TokenLifetimes {
    static let access = Duration.seconds(3600)
    /// How long a repeated refresh is answered with the very same pair.
    static let refreshGrace = Duration.seconds(300)
    /// How long the access token before the newest still opens calls, for those on their way during a refresh.
    static let previousAccess = Duration.seconds(60)
}

/// The headers that say who calls.
struct CallHeaders: Sendable {
    let clientKey: String?
    let clientSecret: String?
    let authorization: String?
    let epoch: String?

    /// Those among them that are Chatter's own, which the listener must be told of.
    static let custom = ["x-client-key", "x-client-secret", "x-epoch"]

    /// - Parameter headers: with names in lower case.
    init(_ headers: [String: String]) {
        clientKey = headers["x-client-key"]
        clientSecret = headers["x-client-secret"]
        authorization = headers["authorization"]
        epoch = headers["x-epoch"]
    }
}
