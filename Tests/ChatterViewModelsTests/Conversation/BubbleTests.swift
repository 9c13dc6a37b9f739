import ChatterClient
import ChatterModel
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("How a message's text is drawn, and what can be done with it")
struct BubbleTests {
    private func bubble(
        _ text: String, isMine: Bool = false, isDeleted: Bool = false, tick: Tick? = nil,
        failure: String? = nil
    ) -> Bubble {
        Bubble(
            key: MessageItem.Key(senderID: ID("peer"), clientMessageID: ClientMessageID(UUID())),
            isMine: isMine, text: text, isDeleted: isDeleted, time: "14:03", tick: tick, failure: failure,
            isFirstOfGroup: true, isLastOfGroup: true, spoken: "", canReport: !isMine && !isDeleted)
    }

    @Test(
        "A few emoji and nothing else are shown bigger",
        arguments: ["👍", "😀🎉", "❤️", "👩‍👩‍👧‍👦 🇸🇬 1️⃣", "👍🏽\n"])
    func emoji(text: String) { #expect(bubble(text).isEmojiOnly) }

    @Test(
        "Digits, signs, words and many emoji are not",
        arguments: ["1", "©", "ok 👍", "", "👍👍👍👍", "#", "z\u{0301}"])
    func notEmoji(text: String) { #expect(!bubble(text).isEmojiOnly) }

    @Test(
        "A web address is a link, without the brackets and stops around it",
        arguments: [
            (
                "see https://example.org/a?b=c#d.",
                [.plain("see "), .link("https://example.org/a?b=c#d"), .plain(".")]
            ),
            ("(http://example.org)", [.plain("("), .link("http://example.org"), .plain(")")]),
            ("HTTPS://EXAMPLE.ORG/X\nnext", [.link("HTTPS://EXAMPLE.ORG/X"), .plain("\nnext")]),
            ("https://a.org https://b.org", [.link("https://a.org"), .plain(" "), .link("https://b.org")]),
        ] as [(String, [TextPiece])])
    func links(text: String, pieces: [TextPiece]) { #expect(bubble(text).pieces == pieces) }

    @Test(
        "What may lead elsewhere than it reads is no link",
        arguments: [
            "file:///etc/passwd", "javascript://example.org/%0aalert(1)", "ftp://example.org",
            "https://bank.example@evil.example/", "https://user:word@example.org", "https://exämple.com",
            "https://ex\u{0430}mple.com", "https://", "https://localhost", "https://example%2Eorg/",
            "x\u{202E}https://example.org/", "no address",
        ])
    func plain(text: String) { #expect(bubble(text).pieces == [.plain(text)]) }

    @Test("The pieces of any text are the text")
    func whole() {
        for text in ["", " ", "a https://a.org, b", "\u{1F600} https://a.org\r\nhttps://b.org)", "://"] {
            let pieces = bubble(text).pieces.map { piece in
                switch piece {
                case .plain(let text), .link(let text): text
                }
            }
            #expect(pieces.joined() == text)
        }
    }

    @Test(
        "The time stands where the last line ends",
        arguments: [
            ("hello", .leftToRight), ("שלום", .rightToLeft), ("123 مرحبا", .rightToLeft), ("👍 123", nil),
            ("hello\nمرحبا", .rightToLeft), ("مرحبا\nhello\n", .leftToRight), ("", nil),
        ] as [(String, TextDirection?)])
    func direction(text: String, direction: TextDirection?) {
        #expect(bubble(text).endDirection == direction)
    }

    @Test("The menu offers what makes sense")
    func actions() {
        #expect(bubble("theirs").actions == [[.copy, .details], [.delete], [.report]])
        #expect(bubble("mine", isMine: true, tick: .read).actions == [[.copy, .details], [.delete]])
        #expect(bubble("waits", isMine: true, tick: .sending).actions == [[.copy, .details], [.discard]])
        let failed = bubble("failed", isMine: true, tick: .failed, failure: "You are not friends.")
        #expect(failed.actions == [[.copy, .details], [.retry, .discard]])
        #expect(bubble("gone", isDeleted: true).actions == [[.details], [.delete]])
    }
}
