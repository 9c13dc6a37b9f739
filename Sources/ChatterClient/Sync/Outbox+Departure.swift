import ChatterModel

/// One entry's way to the server, and what its answer means.
extension Outbox {
    func attempt(_ head: OutboxHead) async -> Answer {
        do {
            guard let call = try await store.claim(head.id) else { return Answer(outcome: .done) }
            // The connection may have gone while the entry was claimed.
            guard machine.route != .none else { return Answer(outcome: .disconnected) }
            if let link, let action = call.frame {
                return await exchange(action, for: head, over: link)
            }
            let reply = try await calls.perform(call)
            await events.merged(try await store.complete(head.id, with: reply, at: clock.now))
            return Answer(outcome: .done)
        } catch let error as ClientError {
            return Answer(outcome: outcome(of: error, kind: head.kind), error: error.message)
        } catch {
            await events.storageFailed(error)
            return Answer(outcome: .outage(retryAfter: nil), error: "the local database failed")
        }
    }

    private func exchange(
        _ action: ClientAction, for head: OutboxHead, over link: any LiveLink
    ) async -> Answer {
        let entry = head.id
        let route = machine.route
        if case .messageSend(let message) = action { sends[message.clientMessageID] = entry }
        let deadline = clock.monotonic + Self.answerTimeout
        let timeout = Task { [clock] in
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return  // The answer came.
            }
            self.answer(entry, Answer(outcome: .outage(retryAfter: nil), error: "no answer in time"))
        }
        defer {
            timeout.cancel()
            if case .messageSend(let message) = action { sends[message.clientMessageID] = nil }
        }
        let answer = await withCheckedContinuation { continuation in
            answers[entry] = Awaited(kind: head.kind, continuation: continuation)
            Task { await send(ClientFrame(action, id: Self.frameID(entry)), for: entry, over: link, route) }
        }
        guard answer.outcome == .done, case .receiptRead = action else { return answer }
        // A send's entry left with the ack's commit; a receipt's leaves here.
        return await finishReceipt(entry)
    }

    private func send(
        _ frame: ClientFrame, for entry: Int64, over link: any LiveLink, _ route: OutboxMachine.Route
    ) async {
        do throws(ClientError) {
            try await link.send(frame)
        } catch {
            guard error.kind != .invalid else {
                return answer(
                    entry, Answer(outcome: .refused(code: "INVALID", isDone: false), error: error.message))
            }
            answer(entry, Answer(outcome: .disconnected, error: error.message))
            await failed(route)
        }
    }

    /// The link that goes with this route is not used again: the next one is announced.
    private func failed(_ route: OutboxMachine.Route) async {
        guard machine.route == route, case .socket(let generation) = route else { return }
        disconnected()
        await events.linkFailed(generation)
    }

    private func finishReceipt(_ entry: Int64) async -> Answer {
        do {
            try await store.settle(entry)
            return Answer(outcome: .done)
        } catch {
            await events.storageFailed(error)
            return Answer(outcome: .outage(retryAfter: nil), error: "the local database failed")
        }
    }

    /// The first answer counts.
    func answer(_ entry: Int64, _ answer: Answer) {
        answers.removeValue(forKey: entry)?.continuation.resume(returning: answer)
    }

    func outcome(
        of error: ClientError, kind: OutboxAction.Kind
    ) -> OutboxMachine.Outcome {
        switch error.failureClass {
        case .success: return .done
        case .outage: return .outage(retryAfter: error.retryAfter)
        case .fault: return .fault
        case .unauthorised: return .unauthorised
        case .refusal:
            let code = if case .refused(let code) = error.kind { code } else { "REFUSED" }
            return .refused(code: code, isDone: kind.isDone(whenRefusedWith: code))
        }
    }

    static func frameID(_ entry: Int64) -> String { "outbox-\(entry)" }

    static func entryID(_ frameID: String) -> Int64? {
        frameID.hasPrefix("outbox-") ? Int64(frameID.dropFirst("outbox-".count)) : nil
    }
}
