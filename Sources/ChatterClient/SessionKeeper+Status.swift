import ChatterModel

extension SessionKeeper {
    func status() async throws(ClientError) -> ClientStatus {
        var status = ClientStatus(
            session: state.value, connection: connection.value, clockSkew: network.serverTime.skew,
            malformedFrames: network.decoder.malformedCount, lastError: lastError, secretStore: secrets.name)
        if status.lastError == nil { status.lastError = await revocations.lastError }
        let account: Account
        do throws(ClientError) {
            account = try current()
        } catch let error where error.kind == .signedOut {
            return status
        }
        let (queued, failed, missing) = try await ClientError.wrapping {
            try await account.store.read {
                (try $0.queued(), try $0.failedCount(), try $0.missingMessages())
            }
        }
        status.queued = queued
        status.failed = failed
        status.missingMessages = missing
        return status
    }

    func setOnScreen(_ id: ID<Conversation>, _ onScreen: Bool) async {
        await account?.engine.setOnScreen(id, onScreen)
    }

    func keep(_ id: ID<Conversation>, from seq: Int64?) {
        guard let account else { return }
        var all = account.kept.value
        all[id] = seq
        account.kept.send(all)
    }

    func setTyping(_ id: ID<Conversation>, _ typing: Bool) async {
        await account?.engine.setTyping(id, typing)
    }

    /// Looks whenever something happened that may have settled the account.
    func settle(timeout: Duration) async throws(ClientError) -> Bool {
        let account = try current()
        let deadline = network.clock.monotonic + timeout
        return try await ClientError.wrapping { [clock = network.clock] in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { try await account.engine.untilSettled() }
                group.addTask {
                    try await clock.sleep(until: deadline)
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? false
            }
        }
    }
}
