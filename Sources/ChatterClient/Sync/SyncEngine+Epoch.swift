import ChatterModel

/// When the server was set back to a backup: its numbers begin anew, and so does what this device knows by them.
extension SyncEngine {
    /// Before anything of a session is taken. False: the database refused, and the connection is given up.
    func enter(_ epoch: ID<Epoch>, _ generation: Int) async -> Bool {
        guard mustStartOver || store.epoch.current != epoch else { return true }
        // An answer of the former epoch is merged before its end or not at all.
        for job in jobs.values {
            job.cancel()
            await job.value
        }
        do {
            try await store.startOver(epoch)
            mustStartOver = false
            return true
        } catch {
            await giveUp(generation, error)
            return false
        }
    }

    /// The server does not know the numbers of this device: the next session begins with none.
    func startOver() async {
        mustStartOver = true
        await connection.handle(
            .socketClosed(generation: generation, code: nil, reason: "the server's numbers begin anew"))
    }

    /// Finds out how far both hold the same of a conversation, and goes on from there.
    func agree(in id: ID<Conversation>) async throws {
        guard var search = try await store.agreementSearch(of: id) else { return }
        while search.found == nil {
            try Task.checkCancellation()
            let page = try await calls.messages(in: id, .before(seq: search.before), limit: pageSize)
            search.compare(page, with: try await store.places(of: page.messages))
        }
        guard let agreement = search.found else { return }
        await followed(try await store.agree(agreement, in: id, at: clock.now))
    }

    /// Chats with friends that the server has lost as a whole are opened again, and go on in the new conversation.
    func reopenLostChats() async throws {
        for chat in try await store.lostChats() {
            guard let peer = chat.peer else {
                try await store.giveUp(chat.id)
                continue
            }
            do {
                let conversation = try await calls.openDirect(with: peer)
                await followed(try await store.move(chat.id, to: conversation, at: clock.now))
            } catch let error as ClientError where !error.isTransient {
                try await store.giveUp(chat.id)
            }
        }
    }
}
