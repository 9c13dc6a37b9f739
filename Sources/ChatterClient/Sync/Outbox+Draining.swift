/// From the heads of the lanes to departures, and from their answers back to the queue.
extension Outbox {
    /// Only says that there may be something to send: the work is done by a task of the outbox's own, since the
    /// caller's may be cancelled and what is queued must leave all the same.
    func drain() {
        mustDrainAgain = true
        guard draining == nil, !isStopped else { return }
        draining = Task { await passes() }
    }

    private func passes() async {
        while mustDrainAgain, !isStopped {
            mustDrainAgain = false
            do {
                depart(try await store.outboxHeads())
            } catch {
                await events.storageFailed(error)
                wake(at: clock.monotonic + Backoff.cap)
            }
        }
        draining = nil
        await events.drained()
    }

    private func depart(_ heads: [OutboxHead]) {
        guard !isStopped else { return }
        // Before the other clock: should time pass between the two, the wake is early, and the next look sets another.
        let start = clock.monotonic
        let plan = machine.depart(heads, at: clock.now)
        for head in plan.departures {
            tasks[head.id] = Task { await self.run(head) }
        }
        if let delay = plan.wakeAfter { wake(at: start + delay) }
    }

    /// - Parameter deadline: by the monotonic clock.
    private func wake(at deadline: Duration) {
        wakeTask?.cancel()
        wakeTask = Task { [clock] in
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return  // Cancelled: another wake or none is wanted.
            }
            self.woken()
        }
    }

    private func woken() {
        // Replaced after it had woken.
        guard !Task.isCancelled else { return }
        wakeTask = nil
        drain()
    }

    private func run(_ head: OutboxHead) async {
        let answer = await attempt(head)
        let consequence = machine.consequence(
            of: answer.outcome, for: head, at: clock.now, random: random.unit())
        var verdict = Verdict.waiting
        do {
            verdict = try await store(consequence, of: head, because: answer.error)
        } catch {
            await events.storageFailed(error)
            await pause()
        }
        tasks[head.id] = nil
        machine.release(head)
        decide(head.id, verdict)
        drain()
    }

    /// A database that cannot be written is not asked again at once.
    private func pause() async {
        do {
            try await clock.sleep(for: Backoff.cap)
        } catch {
            // Stopped.
        }
    }

    private func store(
        _ consequence: OutboxMachine.Consequence, of head: OutboxHead, because error: String
    ) async throws -> Verdict {
        switch consequence {
        case .none: return .done
        case .settle:
            try await store.settle(head.id)
            return .done
        case .postpone(let until, let isHeld, let faults):
            try await store.postpone(head.id, until: until, isHeld: isHeld, faults: faults, because: error)
            return .waiting
        case .refreshAndPostpone(let until, let faults):
            try await store.postpone(head.id, until: until, isHeld: false, faults: faults, because: error)
            await events.tokenRefused()
            return .waiting
        case .fail(let reason):
            try await store.markFailed(head.id, reason, because: error)
            return .failed(reason)
        }
    }
}
