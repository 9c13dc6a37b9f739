import ChatterModel

extension SessionKeeper {
    /// Wipes first and tells the server then: it may be out of reach.
    func logOut() async throws(ClientError) {
        try await exclusively { () async throws(ClientError) in
            let account = try current()
            try endings.begin(.wiping(account.userID))
            await release()
            state.send(.signedOut(nil))
            try await endings.wipe(account.userID)
        }
        do {
            try await revocations.attempt()
        } catch {
            note(error)
        }
        if isStarted { await revocations.start() }
    }

    /// Tells the server first: an account that is not deleted must not look deleted.
    func deleteAccount() async throws(ClientError) {
        try await exclusively { () async throws(ClientError) in
            let account = try current()
            try endings.begin(.deletionAsked(account.userID))
            do throws(ClientError) {
                _ = try await account.api.call(Routes.deleteAccount)
            } catch let error where error.kind == .signedOut {
                // The refresh was refused: by an earlier attempt whose answer was lost.
            } catch {
                if !error.isTransient { try profile.write(nil) }
                throw error
            }
            try await finishDeletion(of: account.userID)
        }
    }

    /// The refresh was refused. What is stored waits for the same person, unless its deletion was asked for.
    func refused(_ user: ID<User>) async {
        do {
            try await exclusively { () async throws(ClientError) in
                guard let account, account.userID == user else { return }
                if try profile.ending() == .deletionAsked(user) { return try await finishDeletion(of: user) }
                try endings.begin(.refused(user))
                await release()
                state.send(.signedOut(.refreshRefused))
                try await endings.dropTokens()
            }
        } catch {
            // The ending is written or the session is still there: the next launch goes on from either.
            note(ClientError(error))
        }
    }

    private func finishDeletion(of user: ID<User>) async throws(ClientError) {
        try endings.begin(.wiping(user))
        await release()
        state.send(.signedOut(.accountDeleted))
        try await endings.wipe(user, isKnownToServer: true)
    }
}
