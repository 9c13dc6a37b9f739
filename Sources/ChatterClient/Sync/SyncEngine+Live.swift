import ChatterModel

/// Typing and presence: what only a live connection knows.
extension SyncEngine {
    func publishLive() {
        live.send(LiveState(typing: typing.typing, presences: presence.presences))
    }

    func tell(_ signals: [TypingTracker.Signal]) async {
        for signal in signals {
            switch signal {
            case .start(let id): await send(ClientFrame(.typingStart(TypingIn(conversationID: id))))
            case .stop(let id): await send(ClientFrame(.typingStop(TypingIn(conversationID: id))))
            }
        }
    }

    func scheduleTyping() {
        typingTask?.cancel()
        guard let expiry = typing.nextExpiry else { return }
        typingTask = Task { [clock] in
            do {
                try await clock.sleep(until: expiry)
            } catch {
                return  // Something was typed meanwhile.
            }
            await self.expireTyping()
        }
    }

    private func expireTyping() async {
        // Let go of first: it is this task, and must not be cancelled by what comes after it.
        typingTask = nil
        let signals = typing.expire(at: clock.monotonic)
        publishLive()
        scheduleTyping()
        await tell(signals)
    }
}
