import Testing

@testable import chatter

@Suite("Keys that wait")
struct TypeAheadTests {
    private var keys = TypeAhead()

    private mutating func type(_ typed: Key...) { for key in typed { keys.add(key) } }

    private mutating func rest() -> [Key] {
        var rest: [Key] = []
        while let key = keys.next() { rest.append(key) }
        return rest
    }

    @Test("They are taken in the order they were typed, once")
    mutating func order() {
        type(.text("a"), .enter, .text("b"))
        #expect(rest() == [.text("a"), .enter, .text("b")])
        #expect(rest() == [])
    }

    @Test("Ctrl-C does not wait for its turn")
    mutating func interrupt() {
        type(.text("a"), .enter)
        let early = keys.takeInterrupt()
        type(.interrupt, .text("b"))
        let late = keys.takeInterrupt()
        #expect(!early && late)
        #expect(rest() == [.text("b")])
    }

    @Test("For a chat that does not open the first line stays, without its Enter")
    mutating func unsent() {
        type(.text("a"), .text("b"), .enter, .text("c"), .enter)
        keys.keepUnsentLine()
        #expect(rest() == [.text("a"), .text("b")])
    }
}
