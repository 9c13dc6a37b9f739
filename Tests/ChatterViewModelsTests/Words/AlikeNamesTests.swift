import ChatterModel
import Testing

@testable import ChatterViewModels

@Suite("Names in a list and in sentences")
struct AlikeNamesTests {
    private func user(_ username: String?, _ name: String?) -> User {
        User(id: ID(username ?? name ?? "?"), username: username, displayName: name, version: 1)
    }

    // Field case 82
    @Test(
        "Two names that look the same are told apart by username",
        arguments: [
            ("Mark", "Mark"), ("Mark", "MARK"), ("Mark", "Mаrk"), ("Mark", "Ｍａｒｋ"), ("Mary Ann", "Maryann"),
            ("José", "Jose\u{301}"), ("Bob", "B0b"), ("Оля", "Oля"),
        ])
    func alike(one: String, other: String) {
        let (first, second) = (user("first", one), user("second", other))
        let names = AlikeNames([first, second, user("third", "Somebody")])
        #expect(names.name(of: first) == "\(isolated(one)) (@first)")
        #expect(names.name(of: second) == "\(isolated(other)) (@second)")
        #expect(names.name(of: user("third", "Somebody")) == "Somebody")
    }

    @Test("Different names stay as they are, and one person in two places is one")
    func different() {
        let (ann, anna) = (user("ann", "Ann"), user("anna", "Anna"))
        let names = AlikeNames([ann, anna, ann])
        #expect(names.name(of: ann) == "Ann" && names.name(of: anna) == "Anna")
        let gone = [user(nil, "Cai"), user("cai", "Cai")]
        #expect(gone.map(AlikeNames(gone).name) == ["Cai", "Cai (@cai)"])
    }

    // Field case 80
    @Test("A name's writing direction ends with the name")
    func isolation() {
        #expect(isolated("Bob") == "Bob")
        #expect(isolated("שלום") == "\u{2068}שלום\u{2069}")
        #expect(isolated("a\u{200F}") == "\u{2068}a\u{200F}\u{2069}")
    }
}
