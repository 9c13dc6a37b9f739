import ChatterModel
import Testing

@testable import chatter

@Suite("Whom a name means")
struct NamesTests {
    private let people = [
        bob, alice, User(id: ID("3"), username: "bobby", displayName: "Alice", version: 1),
        User(id: ID("4"), username: "mallory", displayName: "bob", version: 1),
    ]

    @Test("A username wins over a display name that imitates it")
    func usernameFirst() {
        #expect(Names.match("bob", among: people) == .one(bob))
        #expect(Names.match("@Bob", among: people) == .one(bob))
    }

    @Test("A display name counts while only one person has it")
    func displayNames() {
        let carol = User(id: ID("5"), username: "c", displayName: "Carol Jones", version: 1)
        #expect(Names.match("carol jones", among: people + [carol]) == .one(carol))
        #expect(Names.match("@carol jones", among: people + [carol]) == .none)
        let twins = [alice, User(id: ID("6"), username: "x", displayName: "Zed", version: 1)]
        let other = User(id: ID("7"), username: "y", displayName: "zed", version: 1)
        guard case .several(let found) = Names.match("Zed", among: twins + [other]) else {
            Issue.record("one of two")
            return
        }
        #expect(found.map(\.id) == [ID("6"), ID("7")])
    }

    @Test("The same person met twice is one person")
    func duplicates() {
        #expect(Names.match("bob", among: [bob, bob]) == .one(bob))
        #expect(Names.match("nobody", among: people) == .none)
    }
}
