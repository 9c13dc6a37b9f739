import Testing

@testable import WebSockets

@Suite("The send queue")
struct OutboxTests {
    @Test("It takes exactly its capacity, and one byte more is an overflow")
    func capacity() {
        var outbox = Outbox(capacity: 10)
        #expect(outbox.append(SharedBytes([1, 2, 3, 4])) == .queued)
        #expect(outbox.append(SharedBytes([1, 2, 3, 4, 5, 6])) == .queued)
        #expect(outbox.queuedBytes == 10)
        #expect(outbox.append(SharedBytes([1])) == .overflowed)
        #expect(outbox.append(SharedBytes([])) == .closed)
    }

    @Test("What was sent makes room")
    func room() {
        var outbox = Outbox(capacity: 4)
        #expect(outbox.append(SharedBytes([1, 2, 3, 4])) == .queued)
        #expect(outbox.take().count == 1)
        #expect(outbox.queuedBytes == 4)
        outbox.sent(4)
        #expect(outbox.append(SharedBytes([1, 2, 3, 4])) == .queued)
    }

    @Test("Many changes schedule the loop once until it looks")
    func scheduling() {
        var outbox = Outbox(capacity: 100)
        #expect(outbox.needsSchedule() == true)
        #expect(outbox.needsSchedule() == false)
        _ = outbox.beginFlush()
        #expect(outbox.needsSchedule() == true)
    }

    @Test("After close nothing is accepted, and the first reason stays")
    func closing() {
        var outbox = Outbox(capacity: 100)
        #expect(outbox.append(SharedBytes([1])) == .queued)
        #expect(outbox.close(CloseReason(code: 1000, reason: "a")) == true)
        #expect(outbox.close(CloseReason(code: 1001, reason: "b")) == false)
        #expect(outbox.append(SharedBytes([2])) == .closed)
        #expect(outbox.beginFlush() == .closing(CloseReason(code: 1000, reason: "a")))
        #expect(outbox.take().count == 1)
    }

    @Test("The end frees what was queued")
    func end() {
        var outbox = Outbox(capacity: 100)
        #expect(outbox.append(SharedBytes([1, 2])) == .queued)
        outbox.end()
        #expect(outbox.queuedBytes == 0)
        #expect(outbox.take().isEmpty)
        #expect(outbox.append(SharedBytes([1])) == .closed)
    }

    @Test("What was sent of a queue that has ended changes nothing")
    func sentAfterTheEnd() {
        var outbox = Outbox(capacity: 100)
        #expect(outbox.append(SharedBytes([1, 2])) == .queued)
        #expect(outbox.take().count == 1)
        outbox.end()
        outbox.sent(2)
        #expect(outbox.queuedBytes == 0)
    }
}
