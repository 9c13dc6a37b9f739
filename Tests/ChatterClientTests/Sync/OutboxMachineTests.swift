import ChatterModel
import Testing

@testable import ChatterClient

@Suite("What leaves the outbox, and what an answer means")
struct OutboxMachineTests {
    private let now = Samples.noon

    private func head(
        _ id: Int64, lane: String = "a", attempts: Int = 0, faults: Int = 0, next: Timestamp? = nil,
        isHeld: Bool = false
    ) -> OutboxHead {
        OutboxHead(
            id: id, lane: lane, kind: .send, attempts: attempts, faults: faults, nextAttemptAt: next,
            isHeld: isHeld)
    }

    private func machine(_ route: OutboxMachine.Route = .socket(generation: 1)) -> OutboxMachine {
        var machine = OutboxMachine()
        machine.route = route
        return machine
    }

    @Test("Without a way out nothing leaves and nobody is woken")
    func offline() {
        var machine = machine(.none)
        #expect(machine.depart([head(1)], at: now) == OutboxMachine.Plan())
    }

    @Test("At most one of a lane is under way; lanes do not wait for each other")
    func lanes() {
        var machine = machine()
        let plan = machine.depart([head(1, lane: "a"), head(2, lane: "b")], at: now)
        #expect(plan.departures.map(\.id) == [1, 2])
        #expect(
            machine.depart([head(1, lane: "a"), head(3, lane: "c")], at: now).departures.map(\.id) == [3])
        machine.release(head(1, lane: "a"))
        #expect(machine.depart([head(4, lane: "a")], at: now).departures.map(\.id) == [4])
        #expect(!machine.isIdle)
    }

    @Test("A release of an entry that is not under way frees nothing")
    func strangerReleased() {
        var machine = machine()
        _ = machine.depart([head(1)], at: now)
        machine.release(head(9))
        #expect(machine.depart([head(1)], at: now).departures.isEmpty)
    }

    @Test("Sleepers are woken at the earliest time that is due")
    func wakes() {
        var machine = machine()
        let plan = machine.depart(
            [
                head(1, lane: "a", next: now.advanced(by: .seconds(9))),
                head(2, lane: "b", next: now.advanced(by: .seconds(4))), head(3, lane: "c", next: now),
            ], at: now)
        #expect(plan.departures.map(\.id) == [3])
        #expect(plan.wakeAfter == .seconds(4))
    }

    @Test("A clock that was set back lets nobody sleep for ever")
    func clockSetBack() {
        var machine = machine()
        let plan = machine.depart([head(1, next: now.advanced(by: .seconds(86_400)))], at: now)
        #expect(plan.departures.map(\.id) == [1])
    }

    @Test("No more lanes than the width are under way")
    func width() {
        var machine = machine()
        let heads = (0..<20).map { head(Int64($0), lane: "\($0)") }
        #expect(machine.depart(heads, at: now).departures.count == OutboxMachine.width)
    }

    // MARK: - Answers

    private func consequence(
        _ outcome: OutboxMachine.Outcome, attempts: Int = 0, faults: Int = 0, random: Double = 0.5
    ) -> OutboxMachine.Consequence {
        machine().consequence(
            of: outcome, for: head(1, attempts: attempts, faults: faults), at: now, random: random)
    }

    @Test(
        "An outage never exhausts: after any number of attempts the entry still waits",
        arguments: [0, 7, 8, 100, 1_000_000])
    func outage(attempts: Int) {
        guard
            case .postpone(let until?, let isHeld, let faults) = consequence(
                .outage(retryAfter: nil), attempts: attempts)
        else {
            Issue.record("an outage must postpone")
            return
        }
        #expect(!isHeld)
        #expect(faults == 0)
        #expect(now.duration(to: until) <= .seconds(15))
    }

    // Field case 22
    @Test(
        "Retry-After is honoured, capped at an hour",
        arguments: [(0, 0), (7, 7), (3600, 3600), (86_400, 3600), (-5, 0)])
    func retryAfter(asked: Int, waited: Int) {
        #expect(
            consequence(.outage(retryAfter: .seconds(asked)))
                == .postpone(until: now.advanced(by: .seconds(waited)), isHeld: true, faults: 0))
    }

    @Test("A lost connection puts the entry back for the next one")
    func disconnected() {
        #expect(consequence(.disconnected, faults: 3) == .postpone(until: nil, isHeld: false, faults: 3))
    }

    @Test("The server's faults on one entry are counted, and the eighth is the last")
    func faults() {
        for faults in 0..<7 {
            guard case .postpone(_, _, let counted) = consequence(.fault, faults: faults) else {
                Issue.record("fault \(faults + 1) must postpone")
                return
            }
            #expect(counted == faults + 1)
        }
        #expect(consequence(.fault, faults: 7) == .fail(.serverFault))
    }

    @Test("Outages between faults do not add to them")
    func outageKeepsFaults() {
        guard
            case .postpone(_, _, let faults) = consequence(.outage(retryAfter: nil), attempts: 50, faults: 4)
        else {
            Issue.record("an outage must postpone")
            return
        }
        #expect(faults == 4)
    }

    @Test("A refusal fails at once, with its reason")
    func refused() {
        #expect(
            consequence(.refused(code: "NOT_FRIENDS", isDone: false))
                == .fail(FailureReason(code: "NOT_FRIENDS")))
    }

    @Test("A refusal because things are already so ends the entry quietly")
    func alreadySo() {
        #expect(consequence(.refused(code: "NOT_FOUND", isDone: true)) == .settle)
    }

    @Test("A refused token is never the entry's fault")
    func unauthorised() {
        guard case .refreshAndPostpone(_, let faults) = consequence(.unauthorised, faults: 2) else {
            Issue.record("a refused token must refresh")
            return
        }
        #expect(faults == 2)
    }

    @Test("A code of a newer server is a refusal like any other")
    func unknownCode() {
        for kind in OutboxAction.Kind.allCases where kind != .read {
            #expect(!kind.isDone(whenRefusedWith: "SOMETHING_NEW"))
        }
    }
}
