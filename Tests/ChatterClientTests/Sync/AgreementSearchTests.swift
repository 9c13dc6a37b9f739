import ChatterModel
import Testing

@testable import ChatterClient

@Suite("How far two histories of a conversation are one")
struct AgreementSearchTests {
    private typealias Place = AgreementSearch.Place

    /// Everything of the former epoch that is here: messages 1 to 10, the same as the server's unless told.
    private func places(_ seqs: ClosedRange<Int64>, change: (Int64) -> Int64 = { $0 }) -> [ID<Message>: Place]
    {
        Dictionary(
            uniqueKeysWithValues: seqs.map {
                (Samples.messageID($0), Place(seq: $0, change: change($0)))
            })
    }

    /// Another message than the one that stood here before.
    private func other(_ seq: Int64) -> Message {
        var message = Samples.message(seq)
        message.id = ID("another \(seq)")
        return message
    }

    @Test("It begins at the newest message here, and one page tells when both still hold the same")
    func onePage() {
        var search = AgreementSearch(floor: 1, top: 10)
        #expect(search.before == 11)
        search.compare(Samples.page(Array((1...7).messages()), lastSeq: 7), with: places(1...10))
        #expect(search.found == Agreement(seq: 7, change: 7, lastSeq: 7, lastChange: 7))
    }

    @Test("New messages at the old places are passed over, page by page")
    func overtaken() {
        var search = AgreementSearch(floor: 1, top: 10)
        search.compare(
            Samples.page((6...10).map(other), hasMore: true, lastSeq: 40, lastChange: 41),
            with: places(1...10))
        #expect(search.found == nil && search.before == 6)
        search.compare(
            Samples.page(Array((1...5).messages()), hasMore: false, lastSeq: 42, lastChange: 44),
            with: places(1...10))
        #expect(search.found == Agreement(seq: 5, change: 5, lastSeq: 42, lastChange: 44))
    }

    @Test("A message that was changed on one side alone is the same message, but says nothing about changes")
    func changed() {
        var search = AgreementSearch(floor: 1, top: 10)
        let deletedHere = places(1...10) { $0 == 6 ? 14 : $0 }
        search.compare(Samples.page(Array((1...6).messages()), lastSeq: 6), with: deletedHere)
        #expect(search.found == Agreement(seq: 6, change: 5, lastSeq: 6, lastChange: 6))

        search = AgreementSearch(floor: 1, top: 10)
        let deletedThere = (1...6).map { Samples.message($0, change: $0 == 2 ? 7 : $0) }
        search.compare(Samples.page(deletedThere, lastSeq: 6, lastChange: 7), with: places(1...10))
        #expect(search.found == Agreement(seq: 6, change: 6, lastSeq: 6, lastChange: 7))
    }

    @Test("The same message at another place is none in common: it was sent again")
    func anotherPlace() {
        var search = AgreementSearch(floor: 1, top: 10)
        var moved = Samples.message(3)
        moved.seq = 2
        search.compare(Samples.page([Samples.message(1), moved], lastSeq: 2), with: places(1...10))
        #expect(search.found?.seq == 1)
    }

    @Test("Below what is here nothing can be in common, and an empty history has nothing")
    func nothing() {
        var search = AgreementSearch(floor: 8, top: 10)
        search.compare(
            Samples.page((3...10).map(other), hasMore: true, lastSeq: 20), with: places(8...10))
        #expect(search.found == Agreement(seq: 0, change: 0, lastSeq: 20, lastChange: 10))
        search = AgreementSearch(floor: 1, top: 10)
        search.compare(Samples.page([], lastSeq: 0, lastChange: 0), with: [:])
        #expect(search.found == Agreement(seq: 0, change: 0, lastSeq: 0, lastChange: 0))
    }

    @Test("What is agreed on stays, holes included; everything above is still to come")
    func numbers() {
        let machine = SyncMachine(
            floor: 4, top: 50, synced: 60, lastSeq: 50, lastChange: 61,
            holes: [SeqRange(from: 10, to: 12), SeqRange(from: 38, to: 45), SeqRange(from: 48, to: 49)])
        let agreed = machine.agreeing(Agreement(seq: 40, change: 44, lastSeq: 41, lastChange: 46))
        #expect(agreed.floor == 4 && agreed.top == 40 && agreed.synced == 44)
        #expect(agreed.holes == [SeqRange(from: 10, to: 12), SeqRange(from: 38, to: 40)])
        #expect(agreed.need(delivered: 0, unreadBelow: 0) == .changes(after: 44))
        let nothing = machine.agreeing(Agreement(seq: 0, change: 0, lastSeq: 41, lastChange: 46))
        #expect(nothing == .adopting(lastSeq: 41, lastChange: 46))
    }
}
