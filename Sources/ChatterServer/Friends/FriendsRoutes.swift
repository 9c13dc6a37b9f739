import ChatterModel

/// Friend requests and friends.
struct FriendsRoutes {
    let storage: Storage
    let presence: PresenceBoard
    let clock: any ServerClock

    func register(on router: Router) {
        registerRequests(on: router)
        registerAnswers(on: router)
        registerFriends(on: router)
    }

    private func registerRequests(on router: Router) {
        let (storage, presence) = (storage, presence)
        router.on(Routes.sendFriendRequest, limit: .friendRequests) { call, body in
            try await storage.write { transaction in
                try FriendRequestQueries.send(
                    from: call.user, to: body.userID, workspace: call.workspace, presence: presence,
                    in: transaction)
            }
        }
        router.on(Routes.friendRequests) { call, _ in
            let direction: FriendRequest.Direction = try call.query.value("direction") ?? .incoming
            let before: ID<FriendRequest>? = try call.query.cursor()
            let limit = try call.query.limit()
            return try await storage.read { database in
                let rows = try FriendRequestRow.list(
                    direction, of: call.user, before: before, limit: limit + 1, in: database)
                let page = rows.page(limit: limit) { $0.id.rawValue }
                return Page(
                    items: try page.items.map { try $0.seen(by: call.user, in: database) },
                    nextCursor: page.nextCursor)
            }
        }
    }

    private func registerAnswers(on router: Router) {
        let (storage, presence) = (storage, presence)
        router.on(Routes.acceptFriendRequest) { call, _ in
            try await storage.write { transaction in
                try FriendRequestQueries.accept(call.id(), by: call.user, presence: presence, in: transaction)
            }
        }
        router.on(Routes.declineFriendRequest) { call, _ in
            try await storage.write { try FriendRequestQueries.decline(call.id(), by: call.user, in: $0) }
            return Nothing()
        }
        router.on(Routes.cancelFriendRequest) { call, _ in
            try await storage.write { try FriendRequestQueries.cancel(call.id(), by: call.user, in: $0) }
            return Nothing()
        }
    }

    private func registerFriends(on router: Router) {
        let (storage, presence, clock) = (storage, presence, clock)
        router.on(Routes.friends) { call, _ in
            let after: ID<User>? = try call.query.cursor()
            let limit = try call.query.limit()
            let friends = try await storage.read { database in
                try FriendQueries.list(
                    of: call.user, after: after, limit: limit + 1, presence: presence, now: clock.now,
                    in: database)
            }
            return friends.page(limit: limit) { $0.user.id.rawValue }
        }
        router.on(Routes.removeFriend) { call, _ in
            try await storage.write { try FriendQueries.remove(call.id("userId"), from: call.user, in: $0) }
            return Nothing()
        }
    }
}
