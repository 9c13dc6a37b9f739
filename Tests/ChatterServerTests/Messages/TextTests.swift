import ChatterModel
import ChatterTestSupport
import Testing

@Suite("The text of a message", .timeLimit(.minutes(5)))
struct TextTests {
    // Field case 78
    @Test(
        "Length is counted in characters as people see them: the limit passes, one more does not",
        arguments: ["a", "👨‍👩‍👧‍👦", "🇸🇬", "e\u{301}", "𝔘"])
    func characters(_ character: String) async throws {
        let two = try await TwoFriends()
        // What fits into the bytes: a family of 25 bytes reaches those first.
        let count = min(Limits.messageCharacters, Limits.messageBytes / character.utf8.count)
        let full = String(repeating: character, count: count)
        let ack = try await two.alice.send(full, in: two.chat)
        let body = try await two.bob.messages(two.chat).messages.first?.body
        #expect(body.map { Array($0.utf8) } == Array(full.utf8))
        await refused(.validationFailed) { try await two.alice.send(full + character, in: two.chat) }
        #expect(ack.seq == 1)
        await two.server.stop()
    }

    // Field case 76
    @Test("Messages of the largest size arrive whole, and a larger one is refused on both ways in")
    func largest() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let lines = String(repeating: "\n", count: Limits.messageCharacters - 1) + "x"
        let emoji = String(repeating: "🎵", count: Limits.messageCharacters)
        let links = String(
            String(repeating: "https://a.example ", count: 300).prefix(Limits.messageCharacters))
        for text in [String(repeating: "x", count: Limits.messageCharacters), lines, emoji, links] {
            #expect(try await live.say(text, in: two.chat).event.ack != nil)
            #expect(
                try await live.say(text + "y", in: two.chat).event.error?.code
                    == ErrorCode.validationFailed.rawValue)
            await refused(.validationFailed) { try await two.alice.send(text + "y", in: two.chat) }
        }
        #expect(try await two.bob.messages(two.chat).messages.map(\.body.count) == [4096, 4096, 4096, 4096])
        await two.server.stop()
    }

    @Test("Text comes back byte for byte; nothing is trimmed, normalised or cut")
    func byteForByte() async throws {
        let two = try await TwoFriends()
        let texts = [
            " lead and trail \n", "e\u{301} \u{E9}", "a\u{202E}b", "\u{FEFF}x", "\"\\/\u{1F}\u{7F}", "ﬁ",
        ]
        for text in texts { _ = try await two.alice.send(text, in: two.chat) }
        let bodies = try await two.bob.messages(two.chat).messages.map { Array($0.body.utf8) }
        #expect(bodies == texts.map { Array($0.utf8) })
        for blank in ["", "  ", "\n\t", "\u{200B}"] {
            await refused(.validationFailed) { try await two.alice.send(blank, in: two.chat) }
        }
        await two.server.stop()
    }
}
