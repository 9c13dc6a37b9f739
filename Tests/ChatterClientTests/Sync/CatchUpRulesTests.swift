import ChatterModel
import Testing

@testable import ChatterClient

@Suite("How long a job of the catch-up is tried")
struct CatchUpRulesTests {
    private let job = CatchUpPlan.Job.messages(Samples.chat)

    private func plan(running job: CatchUpPlan.Job) -> CatchUpPlan {
        var plan = CatchUpPlan()
        plan.connected()
        plan.want(job)
        _ = plan.next()
        return plan
    }

    @Test("Outages never exhaust, and their pauses stay short")
    func outages() {
        var attempts = CatchUpAttempts()
        for _ in 0..<1000 {
            let outage = ClientError(.outage, "test")
            guard case .again(let pause) = attempts.failed(outage, in: job, random: 0.99) else {
                Issue.record("an outage must be waited out")
                return
            }
            #expect(pause <= Backoff.cap)
        }
    }

    @Test(
        "The server's own pause is kept, up to five minutes", arguments: [(7, 7), (300, 300), (86_400, 300)])
    func holds(asked: Int, kept: Int) {
        var attempts = CatchUpAttempts()
        let busy = ClientError(.outage, "test", status: 503, retryAfter: .seconds(asked))
        #expect(attempts.failed(busy, in: job, random: 0) == .again(after: .seconds(kept)))
    }

    @Test("Faults are counted, outages between them not, and the eighth is the last")
    func faults() {
        var attempts = CatchUpAttempts()
        for _ in 1...7 {
            #expect(attempts.failed(ClientError(.fault, "test"), in: job, random: 0) == .again(after: .zero))
            #expect(attempts.failed(ClientError(.outage, "test"), in: job, random: 0) == .again(after: .zero))
        }
        #expect(attempts.failed(ClientError(.fault, "test"), in: job, random: 0) == .end(.failed))
    }

    @Test("A refusal ends it at once; of a chat that is gone there is nothing to be had")
    func refusals() {
        var attempts = CatchUpAttempts()
        let gone = ClientError(.refused(code: ErrorCode.notFound.rawValue), "test")
        #expect(attempts.failed(gone, in: job, random: 0) == .end(.notToBeHad))
        #expect(attempts.failed(gone, in: .records, random: 0) == .end(.failed))
        let unknown = ClientError(.refused(code: "SOMETHING_NEW"), "test")
        #expect(attempts.failed(unknown, in: job, random: 0) == .end(.failed))
        #expect(attempts.failed(ClientError(.unauthorised, "test"), in: job, random: 0) == .tokenRefused)
    }

    @Test("A job that failed keeps the plan open, is not wanted by itself, and runs again by news")
    func failed() {
        var plan = plan(running: job)
        plan.want(job)
        plan.finished(job, .failed)
        #expect(!plan.isComplete)
        plan.want(job)
        #expect(plan.next().isEmpty)
        plan.renew(job)
        #expect(plan.next() == [job])
        plan.finished(job, .done)
        #expect(plan.isComplete)
    }

    @Test("What is not to be had is done, is not wanted by itself, and may be wanted again after news")
    func notToBeHad() {
        var plan = plan(running: job)
        plan.want(job)
        plan.finished(job, .notToBeHad)
        #expect(plan.isComplete)
        plan.want(job)
        #expect(plan.next().isEmpty)
        plan.renew(job)
        #expect(plan.next().isEmpty)
        plan.want(job)
        #expect(plan.next() == [job])
    }

    @Test("News while a job runs lets it run again, however it ends", arguments: 0..<3)
    func newsMeanwhile(ending: Int) {
        var plan = plan(running: job)
        plan.renew(job)
        plan.finished(job, [.done, .notToBeHad, .failed][ending])
        #expect(plan.next() == [job])
        plan.finished(job, .done)
        #expect(plan.isComplete)
    }

    @Test("The next connection starts with nothing failed")
    func nextConnection() {
        var plan = plan(running: job)
        plan.finished(job, .failed)
        plan.disconnected()
        plan.connected()
        plan.want(job)
        #expect(plan.next() == [job])
    }

    @Test("A stream is whole while no more frames are unreadable than when it was asked for")
    func whole() {
        var plan = CatchUpPlan()
        plan.connected()
        plan.asking("sync-1", [:], unreadable: 2)
        #expect(plan.isWhole("sync-1", unreadable: 2))
        #expect(!plan.isWhole("sync-1", unreadable: 3))
        #expect(!plan.isWhole("sync-2", unreadable: 2))
    }
}

@Suite("Delivered reports that the server cannot take")
struct RefusedDeliveryTests {
    @Test("They leave again after the server's pause, with what came meanwhile, and not before")
    func again() {
        var receipts = ReceiptScheduler()
        #expect(receipts.deliver(Samples.chat, 5) == 5)
        receipts.refused(Samples.chat, retryAfter: .seconds(3), at: .seconds(10))
        #expect(receipts.nextDue == .seconds(13))
        #expect(receipts.deliver(Samples.chat, 9) == nil)
        #expect(receipts.due(at: .seconds(12)).isEmpty)
        #expect(receipts.due(at: .seconds(13)) == [Watermark(conversationID: Samples.chat, seq: 9)])
        #expect(receipts.nextDue == nil)
        #expect(receipts.delivered(Samples.chat) == nil)
        #expect(receipts.deliver(Samples.chat, 10) == 10)
    }

    @Test("Without a pause of the server's they come slower and slower, and never later than five minutes")
    func pace() {
        var receipts = ReceiptScheduler()
        _ = receipts.deliver(Samples.chat, 5)
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            receipts.refused(Samples.chat, retryAfter: nil, at: .zero)
            #expect(receipts.nextDue == .seconds(pause))
            #expect(receipts.due(at: .seconds(pause)).count == 1)
        }
        receipts.refused(Samples.chat, retryAfter: .seconds(86_400), at: .zero)
        #expect(receipts.nextDue == ReceiptScheduler.longestHold)
    }

    @Test("One that is refused for good is forgotten; so is one whose connection is lost")
    func forgotten() {
        var receipts = ReceiptScheduler()
        _ = receipts.deliver(Samples.chat, 5)
        receipts.dropped(Samples.chat)
        #expect(receipts.deliver(Samples.chat, 6) == 6)
        receipts.refused(Samples.chat, retryAfter: nil, at: .zero)
        receipts.disconnected()
        #expect(receipts.nextDue == nil)
        receipts.refused(Samples.chat, retryAfter: nil, at: .zero)
        #expect(receipts.nextDue == nil)
    }
}
