import ChatterModel
import SQLite

/// The life of a device's token pairs. The database holds the newest pair's generation, whether it was used, and
/// its end; the tokens themselves are derived.
struct TokenQueries: Sendable {
    enum Refreshed: Sendable, Equatable {
        case pair(TokenPair, device: ID<Device>, expiresAt: Timestamp)
        /// An old refresh token came back after its successor was used: one of the two was stolen. The device is
        /// signed out.
        case replayed(ID<Device>, user: ID<User>)
        case unknown
    }

    let mint: TokenMint

    /// Signs a device in with its first pair.
    func start(
        _ description: DeviceDescription, user: ID<User>, in transaction: WriteTransaction
    ) throws -> (ID<Device>, TokenPair) {
        let device: ID<Device> = transaction.newID()
        let now = transaction.now
        let end = accessEnd(now)
        try transaction.database.run(
            """
            INSERT INTO devices (id, user_id, name, platform, created_at, last_seen_at, generation, rotated_at,
                access_expires_at)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
            """,
            device.rawValue, user.rawValue, description.name, description.platform, now.milliseconds,
            now.milliseconds, now.milliseconds, end.milliseconds)
        return (device, pair(device, generation: 1, accessEnd: end, now: now))
    }

    /// Answers a refresh token. The newest one makes a new pair; so does one of a later generation than is on record,
    /// which is genuine and was given out before the database was set back to a backup. The one before gets its answer
    /// again while the pair that it made is unused: that answer may have been lost on the way. Any other is a replay.
    func refresh(_ token: String, workspace: ID<Workspace>, in transaction: WriteTransaction) throws
        -> Refreshed
    {
        guard let claims = mint.claims(of: token, .refresh),
            let record = try DeviceQueries.record(of: claims.device, in: transaction.database),
            record.workspace == workspace
        else { return .unknown }
        if claims.generation >= record.generation {
            return try rotate(claims.device, to: claims.generation + 1, in: transaction)
        }
        if claims.generation == record.generation - 1, !record.isPairUsed {
            return try repeatPair(claims.device, record, in: transaction)
        }
        try DeviceQueries.remove(claims.device, in: transaction.database)
        return .replayed(claims.device, user: record.user)
    }

    private func rotate(
        _ device: ID<Device>, to generation: Int64, in transaction: WriteTransaction
    ) throws -> Refreshed {
        let now = transaction.now
        let end = accessEnd(now)
        try transaction.database.run(
            """
            UPDATE devices SET generation = ?, pair_used = 0, rotated_at = ?, access_expires_at = ?, last_seen_at = ?
            WHERE id = ?
            """,
            generation, now.milliseconds, end.milliseconds, now.milliseconds, device.rawValue)
        return .pair(
            pair(device, generation: generation, accessEnd: end, now: now), device: device, expiresAt: end)
    }

    /// The very same pair within the grace; later the same refresh token with an access token that lives again.
    private func repeatPair(
        _ device: ID<Device>, _ record: DeviceRecord, in transaction: WriteTransaction
    ) throws -> Refreshed {
        let now = transaction.now
        guard now < record.rotatedAt.advanced(by: TokenLifetimes.refreshGrace) else {
            return try rotate(device, to: record.generation, in: transaction)
        }
        let end = record.accessExpiresAt
        return .pair(
            pair(device, generation: record.generation, accessEnd: end, now: now), device: device,
            expiresAt: end)
    }

    private func pair(
        _ device: ID<Device>, generation: Int64, accessEnd: Timestamp, now: Timestamp
    ) -> TokenPair {
        let claims = TokenMint.Claims(device: device, generation: generation, expiresAt: accessEnd)
        return TokenPair(
            accessToken: mint.token(.access, claims), refreshToken: mint.token(.refresh, claims),
            expiresIn: max(0, Int(now.duration(to: accessEnd).components.seconds)))
    }

    /// In whole seconds, as tokens spell it.
    private func accessEnd(_ now: Timestamp) -> Timestamp {
        let end = now.advanced(by: TokenLifetimes.access)
        return Timestamp(milliseconds: end.milliseconds / 1000 * 1000)
    }
}
