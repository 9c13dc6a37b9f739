import ChatterModel
import Testing

@testable import ChatterClient

// Field case 116
@Suite("Who is typing")
struct TypingTrackerTests {
    private let typing = Typing(conversationID: Samples.chat, userID: Samples.ben, isTyping: true)

    @Test("Six seconds after the last sign it is over")
    func expires() {
        var tracker = TypingTracker()
        tracker.heard(typing, at: .seconds(10))
        #expect(tracker.typing == [Samples.chat: [Samples.ben]])
        #expect(tracker.nextExpiry == .seconds(16))
        tracker.heard(typing, at: .seconds(13))
        #expect(tracker.expire(at: .seconds(16)).isEmpty)
        #expect(tracker.typing == [Samples.chat: [Samples.ben]])
        _ = tracker.expire(at: .seconds(19))
        #expect(tracker.typing.isEmpty)
        #expect(tracker.nextExpiry == nil)
    }

    @Test("A stop, a message, and a lost connection end it at once")
    func ends() {
        for ending in 0..<3 {
            var tracker = TypingTracker()
            tracker.heard(typing, at: .zero)
            switch ending {
            case 0:
                tracker.heard(
                    Typing(conversationID: Samples.chat, userID: Samples.ben, isTyping: false),
                    at: .seconds(1))
            case 1: tracker.arrived(Samples.message(1))
            default: tracker.disconnected()
            }
            #expect(tracker.typing.isEmpty)
            #expect(tracker.nextExpiry == nil)
        }
    }

    @Test("A message by somebody else, or in another chat, says nothing of it")
    func others() {
        var tracker = TypingTracker()
        tracker.heard(typing, at: .zero)
        tracker.arrived(Samples.message(1, from: Samples.anna))
        tracker.arrived(Samples.message(1, in: Samples.otherChat))
        #expect(tracker.typing == [Samples.chat: [Samples.ben]])
    }

    @Test("Own typing is told at most every three seconds, and stops after five of silence")
    func own() {
        var tracker = TypingTracker()
        var told: [Int] = []
        for tenth in 0..<100 {
            if tracker.setTyping(Samples.chat, true, at: .milliseconds(tenth * 100)) != nil {
                told.append(tenth)
            }
        }
        #expect(told == [0, 30, 60, 90])
        #expect(tracker.nextExpiry == .milliseconds(14_900))
        #expect(tracker.expire(at: .milliseconds(14_899)).isEmpty)
        #expect(tracker.expire(at: .milliseconds(14_900)) == [.stop(Samples.chat)])
        #expect(tracker.expire(at: .seconds(60)).isEmpty)
    }

    @Test("Sending the text stops it once")
    func stops() {
        var tracker = TypingTracker()
        #expect(tracker.setTyping(Samples.chat, false, at: .zero) == nil)
        #expect(tracker.setTyping(Samples.chat, true, at: .zero) == .start(Samples.chat))
        #expect(tracker.setTyping(Samples.chat, false, at: .seconds(1)) == .stop(Samples.chat))
        #expect(tracker.setTyping(Samples.chat, false, at: .seconds(1)) == nil)
        #expect(tracker.setTyping(Samples.chat, true, at: .seconds(2)) == .start(Samples.chat))
    }

    @Test("Typing again right after a stop is told once the server passes on another start")
    func again() {
        var tracker = TypingTracker()
        #expect(tracker.setTyping(Samples.chat, true, at: .zero) == .start(Samples.chat))
        #expect(tracker.setTyping(Samples.chat, false, at: .milliseconds(300)) == .stop(Samples.chat))
        #expect(tracker.setTyping(Samples.chat, true, at: .milliseconds(400)) == nil)
        #expect(tracker.nextExpiry == .milliseconds(1500))
        #expect(tracker.expire(at: .milliseconds(1499)).isEmpty)
        #expect(tracker.expire(at: .milliseconds(1500)) == [.start(Samples.chat)])
        // While it goes on, at most every three seconds as ever.
        #expect(tracker.setTyping(Samples.chat, true, at: .milliseconds(4400)) == nil)
        #expect(tracker.setTyping(Samples.chat, true, at: .milliseconds(4500)) == .start(Samples.chat))
        #expect(tracker.setTyping(Samples.chat, false, at: .seconds(5)) == .stop(Samples.chat))
    }

    @Test("Typing that ended before it was told is not told at all")
    func endsUntold() {
        var tracker = TypingTracker()
        _ = tracker.setTyping(Samples.chat, true, at: .zero)
        _ = tracker.setTyping(Samples.chat, false, at: .milliseconds(300))
        #expect(tracker.setTyping(Samples.chat, true, at: .milliseconds(400)) == nil)
        #expect(tracker.setTyping(Samples.chat, false, at: .milliseconds(600)) == nil)
        #expect(tracker.nextExpiry == nil)
        #expect(tracker.expire(at: .seconds(2)).isEmpty)
        // Another chat has its own pace.
        #expect(
            tracker.setTyping(Samples.otherChat, true, at: .milliseconds(600)) == .start(Samples.otherChat))
    }
}

@Suite("Who is online")
struct PresenceTrackerTests {
    private func presence(online: Bool, at seconds: Int) -> Presence {
        Presence(
            userID: Samples.ben, online: online, lastSeenAt: online ? nil : Samples.noon,
            at: Samples.noon.advanced(by: .seconds(seconds)))
    }

    @Test("Of two words the later one holds, in whichever order they come")
    func laterHolds() {
        var tracker = PresenceTracker()
        tracker.heard(presence(online: false, at: 5))
        tracker.heard(presence(online: true, at: 4))
        #expect(tracker.presences[Samples.ben]?.online == false)
        tracker.heard(presence(online: true, at: 6))
        #expect(tracker.presences[Samples.ben]?.online == true)
    }

    @Test("Without a connection nobody is known to be online; last-seen times stay")
    func disconnected() {
        var tracker = PresenceTracker()
        tracker.heard(presence(online: true, at: 1))
        tracker.disconnected()
        #expect(tracker.presences.isEmpty)
        tracker.heard(presence(online: false, at: 2))
        tracker.disconnected()
        #expect(tracker.presences[Samples.ben]?.lastSeenAt == Samples.noon)
    }
}

@Suite("Which receipts leave when")
struct ReceiptSchedulerTests {
    @Test("Delivered leaves at once, and what comes meanwhile melts into the next")
    func coalesces() {
        var receipts = ReceiptScheduler()
        #expect(receipts.deliver(Samples.chat, 5) == 5)
        #expect(receipts.deliver(Samples.chat, 6) == nil)
        #expect(receipts.deliver(Samples.chat, 9) == nil)
        #expect(receipts.deliver(Samples.otherChat, 2) == 2)
        #expect(receipts.delivered(Samples.chat) == 9)
        #expect(receipts.delivered(Samples.chat) == nil)
        #expect(receipts.deliver(Samples.chat, 10) == 10)
    }

    @Test("A lost connection forgets what was under way, so that it is told again")
    func disconnected() {
        var receipts = ReceiptScheduler()
        _ = receipts.deliver(Samples.chat, 5)
        receipts.disconnected()
        #expect(receipts.deliver(Samples.chat, 5) == 5)
    }

    // Field case 38
    @Test("Only what is on screen while the client is active is read")
    func read() {
        var receipts = ReceiptScheduler()
        #expect(receipts.read.isEmpty)
        receipts.setOnScreen(Samples.chat, true)
        #expect(receipts.read == [Samples.chat])
        receipts.setActive(false)
        #expect(receipts.read.isEmpty)
        receipts.setActive(true)
        #expect(receipts.read == [Samples.chat])
        receipts.setOnScreen(Samples.chat, false)
        #expect(receipts.read.isEmpty)
    }
}

@Suite("What is still to be fetched")
struct CatchUpPlanTests {
    @Test("It is complete when every question is answered and every job done")
    func complete() {
        var plan = CatchUpPlan()
        #expect(!plan.isComplete)
        plan.connected()
        plan.asking("sync-1", [Samples.chat: SyncRequest.Held(seq: 1, change: 1)])
        plan.want(.records)
        #expect(plan.isStreaming(Samples.chat))
        #expect(plan.next() == [.records])
        plan.answered("sync-1")
        #expect(!plan.isComplete)
        plan.finished(.records)
        #expect(plan.isComplete)
        #expect(!plan.isStreaming(Samples.chat))
    }

    @Test("A job wanted again while it runs runs once more, and never twice at once")
    func again() {
        var plan = CatchUpPlan()
        plan.connected()
        let job = CatchUpPlan.Job.messages(Samples.chat)
        plan.want(job)
        plan.want(job)
        #expect(plan.next() == [job])
        plan.want(job)
        plan.want(job)
        #expect(plan.next().isEmpty)
        plan.finished(job)
        #expect(plan.next() == [job])
        plan.finished(job)
        #expect(plan.next().isEmpty)
        #expect(plan.isComplete)
    }

    @Test("Only a few run side by side")
    func width() {
        var plan = CatchUpPlan()
        plan.connected()
        for number in 0..<10 { plan.want(.messages(ID("\(number)"))) }
        #expect(plan.next().count == CatchUpPlan.width)
        #expect(plan.next().isEmpty)
        plan.finished(.messages(ID("0")))
        #expect(plan.next() == [.messages(ID("3"))])
    }

    @Test("Without a connection nothing is wanted, and an answer to a former one is no answer")
    func disconnected() {
        var plan = CatchUpPlan()
        plan.connected()
        plan.asking("sync-1", [:])
        plan.disconnected()
        plan.want(.records)
        #expect(plan.next().isEmpty)
        #expect(plan.asked(by: "sync-1") == nil)
    }
}
