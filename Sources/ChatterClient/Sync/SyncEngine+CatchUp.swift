import ChatterModel
import SQLite

/// Fetching what was missed: one `sync.request` stream for all conversations, the records by `GET /sync`, and pages for
/// what the stream leaves open.
extension SyncEngine {
    /// How long the stream that answers a `sync.request` may take before pages are fetched instead.
    static let streamTimeout = Duration.seconds(60)

    /// Starts to fetch what this device does not have, and reports what it has. False: the session is over.
    func catchUp() async -> Bool {
        do {
            let standings = try await store.openStandings()
            if !mustPage { guard try await requestSync() else { return false } }
            for (id, standing) in standings {
                if standing.need != .nothing, !plan.isStreaming(id) { plan.want(.messages(id)) }
                if let seq = standing.deliverable, let next = receipts.deliver(id, seq) {
                    guard await sendDelivered(id, next) else { return false }
                }
            }
        } catch {
            await giveUp(generation, error)
            return false
        }
        plan.want(.records)
        runJobs()
        return true
    }

    /// One stream for all conversations. False: the session is over.
    private func requestSync() async throws -> Bool {
        let held = try await store.read { try $0.heldConversations() }
        for start in stride(from: 0, to: held.count, by: Limits.syncConversations) {
            let part = held[start..<min(start + Limits.syncConversations, held.count)]
            let asked = Dictionary(uniqueKeysWithValues: part.map { ($0.id, $0.held) })
            let id = nextFrameID("sync")
            plan.asking(id, asked, unreadable: link?.unreadableFrames ?? 0)
            guard await send(ClientFrame(.syncRequest(SyncRequest(conversations: asked)), id: id)) else {
                return false
            }
            watch(id)
        }
        return true
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
        let ending = await untilDone(job)
        guard generation == self.generation, plan.isConnected, !Task.isCancelled else { return }
        jobs[job] = nil
        plan.finished(job, ending)
        runJobs()
        await checkComplete()
        paused()
    }

    func checkComplete() async {
        guard plan.isComplete else { return }
        mustPage = false
        await connection.handle(.synced(generation: generation))
    }

    /// Tries for as long as it makes sense, and the connection lasts.
    private func untilDone(_ job: CatchUpPlan.Job) async -> CatchUpPlan.Ending {
        var attempts = CatchUpAttempts()
        while !Task.isCancelled {
            let failure: ClientError
            do {
                return try await fetch(job)
            } catch let error as ClientError {
                failure = error
            } catch {
                await storageFailed(error)
                failure = ClientError(.fault, "the local database failed")
            }
            switch attempts.failed(failure, in: job, random: random.unit()) {
            case .end(let ending): return ending
            case .tokenRefused:
                await tokenRefused()
                return .failed
            case .again(let delay):
                do {
                    try await clock.sleep(for: delay)
                } catch {
                    return .failed  // Disconnected.
                }
            }
        }
        return .failed
    }

    private func fetch(_ job: CatchUpPlan.Job) async throws -> CatchUpPlan.Ending {
        switch job {
        case .records: try await fetchRecords()
        case .messages(let id): try await fetchMessages(id)
        }
    }

    private func fetchRecords() async throws -> CatchUpPlan.Ending {
        while true {
            try Task.checkCancellation()
            let cursor = try await store.syncCursor()
            let page = try await calls.sync(since: cursor)
            let outcome = try await store.applySync(page, at: clock.now)
            heard(page.friends)
            await followed(outcome)
            guard page.hasMore else { break }
            guard page.cursor != cursor else { throw ClientError(.fault, "the cursor stands still") }
        }
        try await reopenLostChats()
        return .done
    }

    private func fetchMessages(_ id: ID<Conversation>) async throws -> CatchUpPlan.Ending {
        var last = SyncMachine.Need.nothing
        while let need = try await store.standing(of: id)?.need, need != .nothing {
            guard need != last else { return .notToBeHad }
            try Task.checkCancellation()
            last = need
            try await fetch(need, in: id)
        }
        return .done
    }

    private func fetch(_ need: SyncMachine.Need, in id: ID<Conversation>) async throws {
        switch need {
        case .nothing: break
        case .agreement: try await agree(in: id)
        case .changes(let change): _ = try await load(.afterChange(change), in: id)
        case .history(let seq): _ = try await load(.before(seq: seq), in: id)
        }
    }

    /// Fetches one page and merges it.
    private func load(_ range: MessageRange, in id: ID<Conversation>) async throws -> MergeOutcome {
        let page = try await calls.messages(in: id, range, limit: pageSize)
        let outcome = try await store.merge(page, in: id, asked: range, limit: pageSize, at: clock.now)
        await followed(outcome)
        return outcome
    }

    /// What is stored has its consequences, though the job that fetched it be cancelled meanwhile.
    func followed(_ outcome: MergeOutcome) async {
        await Task { await merged(outcome) }.value
    }

    /// Fetches the page below what is loaded. False: nothing is left there.
    func loadOlder(_ id: ID<Conversation>) async throws -> Bool {
        guard let floor = try await store.historyFloor(of: id), floor > 1 else { return false }
        _ = try await load(.before(seq: floor), in: id)
        return (try await store.historyFloor(of: id) ?? 1) > 1
    }
}
