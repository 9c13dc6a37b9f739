import ChatterModel

/// One's own account, and finding others.
struct UsersRoutes {
    let storage: Storage
    let presence: PresenceBoard
    let access: AccessCheck
    let signOut: DeviceSignOut

    func register(on router: Router) {
        registerOwnAccount(on: router)
        registerSearch(on: router)
    }

    private func registerOwnAccount(on router: Router) {
        let (storage, presence, access, signOut) = (storage, presence, access, signOut)
        router.on(Routes.me) { call, _ in
            try await storage.read { try UserQueries.me(call.user, in: $0) }
        }
        router.on(Routes.editProfile) { call, edit in
            let edits = try ProfileEdits(edit)
            return try await storage.write { transaction in
                transaction.afterCommit { access.forget(user: call.user) }
                return try edits.apply(to: call.user, presence: presence, in: transaction)
            }
        }
        router.on(Routes.deleteAccount) { call, _ in
            try await storage.write { transaction in
                try AccountDeletion.delete(call.user, signOut: signOut, in: transaction)
            }
            return Nothing()
        }
        router.on(Routes.usernameAvailability) { call, _ in
            let name = call.parameters["username"] ?? ""
            return try await storage.read { database in
                try UserQueries.availability(
                    of: name, for: call.user, workspace: call.workspace, in: database)
            }
        }
    }

    private func registerSearch(on router: Router) {
        let storage = storage
        router.on(Routes.searchUsers, limit: .search) { call, _ in
            let term = try UserSearch.Term(call.query.requiredText("q"))
            let found = try await storage.read { database in
                try UserSearch.find(term, by: call.user, workspace: call.workspace, in: database)
            }
            return Page(items: found)
        }
        router.on(Routes.user) { call, _ in
            try await storage.read { database in
                try UserSearch.get(call.id(), by: call.user, workspace: call.workspace, in: database)
            }
        }
    }
}

extension UserSearch.Term {
    /// A whole phone number, in any spelling that begins with `+` or `00`, or a username's beginning. Throws
    /// VALIDATION_FAILED for less than two characters.
    init(_ text: String) throws(APIError) {
        let folded = text.precomposedStringWithCompatibilityMapping.trimmingCharacters(
            in: .whitespacesAndNewlines)
        if folded.hasPrefix("+") {
            // What is no phone number is nobody's.
            self = (try? PhoneNumber.canonical(folded)).map { .phone($0) } ?? .impossible
            return
        }
        if folded.hasPrefix("00"), let phone = try? PhoneNumber.canonical(folded) {
            self = .phone(phone)
            return
        }
        self = try Username.searchPrefix(text).map { .prefix($0) } ?? .impossible
    }
}
