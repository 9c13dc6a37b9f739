import ChatterClient
import ChatterModel
import Testing

@testable import chatter

@Suite("Text for people")
struct TextTests {
    init() { TextWidth.prepare() }

    @Test("A damaged database is told in one line, a sound one not at all")
    func storage() {
        #expect(Words.storage(.sound) == nil)
        for state in [StorageState.repaired, .salvaged, .damaged] {
            #expect(Words.storage(state)?.contains("damaged") == true)
            #expect(Words.storage(state)?.contains("\n") == false)
        }
    }

    @Test("Last seen tells the day as people say it")
    func lastSeen() {
        func text(minutesAgo: Int64) -> String? {
            let seen = moment.advanced(by: minutes(-minutesAgo))
            return utc.presence(presence(online: false, lastSeenAt: seen))
        }
        #expect(text(minutesAgo: 0) == "last seen today at 15:53")
        #expect(text(minutesAgo: 15 * 60 + 53) == "last seen today at 00:00")
        #expect(text(minutesAgo: 16 * 60) == "last seen yesterday at 23:53")
        #expect(text(minutesAgo: 3 * 24 * 60) == "last seen Friday at 15:53")
        #expect(text(minutesAgo: 7 * 24 * 60) == "last seen on 23 November 2026")
    }

    @Test("Somebody who hides it has no last seen")
    func hidden() {
        #expect(utc.presence(presence(online: false)) == nil)
        #expect(utc.presence(nil) == nil)
        #expect(utc.presence(presence(online: true)) == "online")
    }

    @Test(
        "The end of a text that fits is whole characters, by width",
        arguments: [
            ("abc", 2, "bc", 2), ("abc", 3, "abc", 3), ("a漢字", 3, "字", 2), ("e\u{301}x", 2, "e\u{301}x", 2),
        ])
    func end(text: String, width: Int, end: String, columns: Int) {
        let (kept, used) = TextWidth.end(of: text, in: width)
        #expect(kept == end)
        #expect(used == columns)
    }

    @Test("Columns line up by width, not by count of characters")
    func table() {
        #expect(Table.rows([["日本", "x"], ["abc", "y"], ["ü", "z"]]) == "日本  x\nabc   y\nü     z")
    }

    @Test("Names are shown on one line, without control characters")
    func names() {
        let user = User(id: ID("x"), username: "eve", displayName: "E\nv\u{1B}e", version: 1)
        #expect(Words.fullName(of: user) == "E v\u{FFFD}e (@eve)")
        let gone = User(id: ID("x"), username: nil, displayName: nil, isDeleted: true, version: 1)
        #expect(Words.fullName(of: gone) == "Deleted account")
    }

    @Test("The clock's difference is told in tenths of a second")
    func skew() {
        #expect(StatusCommand.skew(nil) == "not compared yet")
        #expect(StatusCommand.skew(.milliseconds(20)) == "as the server's")
        #expect(StatusCommand.skew(.milliseconds(1230)) == "1.2 s behind the server's")
        #expect(StatusCommand.skew(.milliseconds(-2600)) == "2.6 s ahead of the server's")
    }
}
