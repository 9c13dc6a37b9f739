import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("Words for people")
struct WordsTests {
    @Test(
        "Initials are the first letters of the first and last word",
        arguments: [
            ("Ann", "A"), ("ann lee", "AL"), ("Anna Maria Lee", "AL"), ("@bob", ""), ("", ""), ("李小龙", "李"),
            ("🦊 Fox", "F"), ("🎉 Party People", "PP"), ("émile zola", "ÉZ"), ("محمد علي", "مع"),
        ])
    func initials(name: String, expected: String) {
        #expect(Face(name: name).initials == expected)
    }

    @Test("A list shows the time today, the day this week, then the date")
    func short() {
        let clock = ManualClock()
        let words = words(clock)
        func ago(_ seconds: Int) -> String { words.short(clock.now.advanced(by: .seconds(-seconds))) }
        clock.advance(by: .seconds(13 * 3600))
        #expect(ago(60) == "12:59")
        #expect(ago(86_400) == "Yesterday")
        #expect(ago(3 * 86_400) == "Monday")
        #expect(ago(30 * 86_400) == "02/12/2025")
    }

    @Test("Every refusal of the contract has a sentence, and none shows a developer's text")
    func refusals() {
        for code in ErrorCode.allCases {
            let words = ErrorWords.sentence(
                ClientError(.refused(code: code.rawValue), "developers only", serverCode: code.rawValue))
            #expect(words.hasSuffix("."), "\(code)")
            #expect(!words.contains("developers"), "\(code)")
        }
    }

    @Test("A rate limit says how long to wait")
    func rateLimit() {
        let error = ClientError(
            .outage, "slow down", status: 429, serverCode: "RATE_LIMITED", retryAfter: .seconds(42))
        #expect(ErrorWords.sentence(error) == "Too many tries. Try again in 42 seconds.")
    }

    @Test("A deleted account has a name all the same")
    func deleted() {
        let user = User(id: ID("1"), username: nil, displayName: nil, isDeleted: true, version: 1)
        #expect(PersonLabel.name(of: user) == "Deleted account")
    }
}
