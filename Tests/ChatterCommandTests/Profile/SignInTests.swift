import Testing

@testable import chatter

@Suite("Sign-in")
struct SignInTests {
    @Test(
        "A username is suggested from the name",
        arguments: [
            ("Alice", "alice" as String?), ("Bob Smith", "bob_smith"), ("Zoë-May", "zo_may"), ("李", nil),
            ("Al", nil),
        ])
    func usernames(name: String, username: String?) {
        #expect(SignIn.username(from: name) == username)
    }

    @Test("Suggested numbers are mobile numbers of Singapore")
    func phones() {
        for _ in 0..<100 { #expect(SuggestedPhone.random().wholeMatch(of: /\+659[0-8][0-9]{6}/) != nil) }
    }
}
