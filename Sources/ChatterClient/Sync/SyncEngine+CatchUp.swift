import ChatterModel
import SQLite

/// Fetching what was missed: one `sync.request` stream for all conversations, the records by `GET /sync`, and pages for
/// what the stream leaves open.
extension SyncEngine {
    /// How long the stream that answers a `sync.request` may take before pages are fetched instead.
    static let streamTimeout = Duration.seconds(60)

    func requestSync(over link: any LiveLink) async {
        do {
            let held = try await store.read { try $0.heldConversations() }
            for start in stride(from: 0, to: held.count, by: Limits.syncConversations) {
                let part = held[start..<min(start + Limits.syncConversations, held.count)]
                let asked = Dictionary(uniqueKeysWithValues: part.map { ($0.id, $0.held) })
                let id = nextFrameID("sync")
                plan.asking(id, asked)
                await send(ClientFrame(.syncRequest(SyncRequest(conversations: asked)), id: id))
                watch(id)
            }
        } catch {
            await storageFailed(error)
        }
        plan.want(.records)
        runJobs()
    }

    private func watch(_ frameID: String) {
        let deadline = clock.monotonic + Self.streamTimeout
        Task { [weak self, clock] in
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return  // Nobody cancels it: a late fall-back finds its question answered.
            }
            await self?.fallBack(frameID)
        }
    }

    /// No stream: each conversation is fetched by pages as far as it needs.
    func fallBack(_ frameID: String) async {
        guard let asked = plan.asked(by: frameID) else { return }
        plan.answered(frameID)
        for id in asked.keys.sorted() { plan.want(.messages(id)) }
        runJobs()
        await checkComplete()
    }

    func runJobs() {
        for job in plan.next() {
            let generation = generation
            jobs[job] = Task { await self.run(job, generation) }
        }
    }

    private func run(_ job: CatchUpPlan.Job, _ generation: Int) async {
        switch job {
        case .records: await untilDone { try await self.fetchRecords() }
        case .messages(let id): await untilDone { try await self.fetchMessages(id) }
        }
        guard generation == self.generation, plan.isConnected, !Task.isCancelled else { return }
        jobs[job] = nil
        plan.finished(job)
        runJobs()
        await checkComplete()
        paused()
    }

    func checkComplete() async {
        if plan.isComplete { await connection.handle(.synced(generation: generation)) }
    }

    /// Repeats what an outage interrupts; anything else waits for the next connection or event.
    private func untilDone(_ body: () async throws -> Void) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                return try await body()
            } catch let error as ClientError {
                guard error.failureClass == .outage || error.failureClass == .fault, failures < 8 else {
                    return
                }
                failures += 1
                let delay = Backoff.delay(failures: failures, random: random.unit())
                do {
                    try await clock.sleep(for: max(delay, min(error.retryAfter ?? .zero, .seconds(300))))
                } catch {
                    return  // Disconnected.
                }
            } catch {
                return await storageFailed(error)
            }
        }
    }

    private func fetchRecords() async throws {
        var hasMore = true
        while hasMore {
            try Task.checkCancellation()
            let cursor = try await store.syncCursor()
            let page = try await calls.sync(since: cursor)
            let outcome = try await store.applySync(page, at: clock.now)
            heard(page.friends)
            await merged(outcome)
            // A cursor that stands still would be asked for ever.
            hasMore = page.hasMore && page.cursor != cursor
        }
    }

    private func fetchMessages(_ id: ID<Conversation>) async throws {
        var last = SyncMachine.Need.nothing
        while let need = try await store.standing(of: id)?.need, need != .nothing, need != last {
            try Task.checkCancellation()
            last = need
            try await fetch(need, in: id)
        }
    }

    private func fetch(_ need: SyncMachine.Need, in id: ID<Conversation>) async throws {
        let range: MessageRange =
            switch need {
            case .nothing: .newest
            case .changes(let change): .afterChange(change)
            case .history(let seq): .before(seq: seq)
            }
        _ = try await load(range, in: id)
    }

    /// Fetches one page and merges it.
    private func load(_ range: MessageRange, in id: ID<Conversation>) async throws -> MergeOutcome {
        let page = try await calls.messages(in: id, range, limit: pageSize)
        let outcome = try await store.merge(page, in: id, asked: range, limit: pageSize, at: clock.now)
        await merged(outcome)
        return outcome
    }

    /// Fetches the page below what is loaded. False: nothing is left there.
    func loadOlder(_ id: ID<Conversation>) async throws -> Bool {
        guard let floor = try await store.historyFloor(of: id), floor > 1 else { return false }
        _ = try await load(.before(seq: floor), in: id)
        return (try await store.historyFloor(of: id) ?? 1) > 1
    }
}
