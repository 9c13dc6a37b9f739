import ChatterModel

/// A query of the local database with what only the live connection knows laid over it: its value now, and again
/// whenever it is another one. Ends when the account's database is closed.
actor LiveQuery<Stored: Sendable, Shown: Sendable & Equatable> {
    struct Parts: Sendable {
        var tables: Set<Table>
        var read: @Sendable (ReadContext) throws -> Stored
        var show: @Sendable (Stored, SyncEngine.LiveState) -> Shown?
        /// When time alone makes the value another one, by the server's clock; nil: never.
        var changesAt: @Sendable (Stored) -> Timestamp? = { _ in nil }
    }

    private let account: Account
    private let parts: Parts
    private let notices = Notices()
    private var sources: [Task<Void, Never>] = []
    private var timer: Task<Void, Never>?
    private var stored: Stored?
    private var last: Shown?

    init(_ account: Account, _ parts: Parts) {
        self.account = account
        self.parts = parts
    }

    deinit {
        for source in sources { source.cancel() }
        timer?.cancel()
    }

    /// nil at the end.
    func next() async throws(ClientError) -> Shown? {
        listen()
        for await _ in notices.stream {
            guard !Task.isCancelled else { return nil }
            let changes = notices.take()
            if changes.contains(.stored) || stored == nil { try await look() }
            guard let stored, let shown = parts.show(stored, account.engine.live.value), shown != last
            else { continue }
            last = shown
            return shown
        }
        return nil
    }

    private func look() async throws(ClientError) {
        let parts = parts
        let value = try await account.read { try parts.read($0) }
        stored = value
        timer?.cancel()
        guard let time = parts.changesAt(value) else { return }
        let deadline = account.clock.monotonic + max(.zero, account.serverTime.now.duration(to: time))
        timer = Task { [clock = account.clock, notices] in
            do {
                try await clock.sleep(until: deadline)
                notices.post(.stored)
            } catch {
                // The value changed before.
            }
        }
    }

    private func listen() {
        guard sources.isEmpty else { return }
        let notices = notices
        let tables = account.store.pool.changes(in: Set(parts.tables.map(\.rawValue)))
        let (live, windows) = (account.engine.live.stream(), account.windows.stream())
        sources = [
            Task {
                for await _ in tables { notices.post(.stored) }
                notices.finish()
            },
            Task { for await _ in live { notices.post(.live) } },
            Task { for await _ in windows { notices.post(.stored) } },
        ]
    }
}
