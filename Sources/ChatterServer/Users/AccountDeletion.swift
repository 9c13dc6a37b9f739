import ChatterModel
import SQLite

/// Ends an account: phone and username become free, the name stays for the others' history, devices are signed
/// out, friendships, requests and its own blocks end. Its messages stay, delivered or not.
enum AccountDeletion {
    static func delete(
        _ user: ID<User>, signOut: DeviceSignOut, in transaction: WriteTransaction
    ) throws {
        let database = transaction.database
        // Taken first: afterwards nobody is a friend. An account that ends is told across blocks too.
        let audience = try UserQueries.audience(of: user, acrossBlocks: true, in: database)
        try BlockQueries.forgetAll(by: user, in: database)
        try endRequests(of: user, in: transaction)
        try FriendQueries.endAll(of: user, in: transaction)

        let deletedAt = transaction.now
        try database.run(
            """
            UPDATE users SET phone = NULL, username = NULL, about = '', avatar_url = NULL, last_seen_at = NULL,
                deleted_at = ?, position = ?
            WHERE id = ?
            """, deletedAt, transaction.nextPosition(), user)
        for viewer in audience {
            // Seen through each viewer's eyes: somebody who had blocked this account sees it end as well.
            transaction.publish(.userUpdated(try SeenUser.get(user, by: viewer, in: database)), to: viewer)
        }
        let devices: [ID<Device>] = try database.all("SELECT id FROM devices WHERE user_id = ?", user) {
            $0.id(0)
        }
        for device in devices { try signOut(device, of: user, in: transaction) }
    }

    private static func endRequests(of user: ID<User>, in transaction: WriteTransaction) throws {
        let database = transaction.database
        let own = try FriendRequestRow.pending(from: user, in: database)
        for request in own { try FriendRequestQueries.close(request, as: .cancelled, in: transaction) }
        let received = try FriendRequestRow.pending(to: user, in: database)
        for request in received { try FriendRequestQueries.close(request, as: .declined, in: transaction) }
    }
}
