import ChatterModel

/// A session from its first frame to its end.
extension SyncEngine {
    func take(_ event: Connection.Event) async {
        switch event {
        case .began(let ready, let generation, let link): await began(ready, generation, link)
        case .received(let frame, let generation): received(frame, generation)
        case .tooLarge: mustPage = true
        case .ended(let route): await ended(route)
        case .signedOut: await events.signedOut()
        }
    }

    private func began(_ ready: SessionReady, _ generation: Int, _ link: any LiveLink) async {
        guard !isStopped else { return }
        self.generation = generation
        self.link = link
        inbox = []
        plan.connected()
        receipts.disconnected()
        events.serverTime(ready.serverTime)
        // Either is not so: the connection's end is on the way.
        guard await enter(ready.epoch, generation), await catchUp() else { return }
        // What was too large may have been one's own.
        let route: OutboxMachine.Route = mustPage ? .rest : .socket(generation: generation)
        await outbox.connected(route, link: mustPage ? nil : link)
    }

    private func ended(_ route: OutboxMachine.Route) async {
        link = nil
        inbox = []
        plan.disconnected()
        for job in jobs.values { job.cancel() }
        receipts.disconnected()
        typing.disconnected()
        presence.disconnected()
        publishLive()
        await outbox.disconnected()
        if route != .none { await outbox.connected(route, link: nil) }
    }

    private func received(_ frame: ServerFrame, _ generation: Int) {
        guard generation == self.generation, plan.isConnected else { return }
        inbox.append(frame)
        guard !isProcessing else { return }
        isProcessing = true
        Task { await process() }
    }

    /// Everything that is there goes to the store in one commit.
    private func process() async {
        while !inbox.isEmpty {
            let frames = inbox
            inbox = []
            await apply(frames)
        }
        isProcessing = false
        await checkComplete()
        paused()
    }

    func paused() { pauses.send(pauses.value + 1) }
}
