import ChatterModel
import Testing

@Suite("Display names, about texts and device names")
struct NameTextTests {
    @Test(
        "Names that are what they seem stay as they are",
        arguments: [
            "Mark", "Anne-Marie O'Neil", "José", "Jose\u{301}", "李小龍", "神", "นิดา", "שָׁלוֹם", "محمد",
            "Nguyễn Thị Ánh", "👨‍👩‍👧‍👦", "👩🏽‍💻 Ada", "❤️‍🔥", "🏴‍☠️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "🇸🇬",
            "نمی\u{200C}خواهم", "ශ්\u{200D}රී", "मराठी", "葛\u{E0100}城", "मृत्युञ्जय", "မြွှေ့",
        ])
    func kept(name: String) throws {
        // Scalars: two strings that are only canonically equivalent are equal to `==`.
        #expect(Array(try DisplayName.canonical(name).unicodeScalars) == Array(name.unicodeScalars))
    }

    // Field case 80
    @Test(
        "Direction controls and hidden characters are dropped",
        arguments: [
            ("Mark\u{202E}", "Mark"), ("\u{2066}Mark\u{2069}", "Mark"), ("Ma\u{200F}rk", "Mark"),
            ("Ma\u{200E}rk", "Mark"), ("Ma\u{61C}rk", "Mark"), ("Ma\u{200B}rk", "Mark"),
            ("\u{FEFF}Mark", "Mark"), ("Ma\u{AD}rk", "Mark"), ("Ma\u{2060}rk", "Mark"),
            ("Ma\u{0}r\u{7}k\u{85}", "Mark"), ("Ma\u{200D}rk", "Mark"), ("Ma\u{200C}rk", "Mark"),
            ("👩\u{200D}", "👩"), ("👩\u{200C}💻", "👩💻"), ("Mark\u{E0067}\u{E0062}", "Mark"),
            ("Ma\u{3164}rk", "Mark"), ("\u{FE0F}Mark", "Mark"), ("Ma\u{FFF9}rk", "Mark"),
            ("Mark\u{FE0F}\u{FE0F}\u{FE0F}", "Mark\u{FE0F}"),
        ])
    func stripped(raw: String, stored: String) throws {
        let name = try DisplayName.canonical(raw)
        #expect(Array(name.unicodeScalars) == Array(stored.unicodeScalars))
        #expect(try DisplayName.canonical(name) == name)
    }

    @Test(
        "White space becomes single spaces, none at the ends",
        arguments: [
            ("  Mark   Twain ", "Mark Twain"), ("Mark\nTwain", "Mark Twain"),
            ("Mark\t\u{A0}Twain", "Mark Twain"),
            ("山田\u{3000}太郎", "山田 太郎"), ("Mark \u{200B} Twain", "Mark Twain"),
        ])
    func spaces(raw: String, stored: String) throws {
        #expect(try DisplayName.canonical(raw) == stored)
    }

    @Test("Stacks of marks are cut at four, and marks without a letter dropped")
    func stacks() throws {
        let tall = "Z" + String(repeating: "\u{0335}\u{0306}", count: 20) + "a"
        #expect(Array(try DisplayName.canonical(tall).unicodeScalars).count == 6)
        #expect(try DisplayName.canonical("\u{0301}\u{0302}Mark \u{0303}x") == "Mark x")
        let hidden = "Z" + String(repeating: "\u{0335}\u{200D}", count: 20)
        #expect(Array(try DisplayName.canonical(hidden).unicodeScalars).count == 5)
    }

    @Test(
        "Names that look blank are refused",
        arguments: [
            "", " ", String(repeating: " ", count: 300), "\u{200B}", "\u{202E}\u{2066}\u{200F}", "\u{3164}",
            "\u{2800}", "\u{2800} \u{2800}", "\u{301}", "\u{FE0F}", "\n", "\u{E0020}",
        ])
    func blank(raw: String) throws {
        #expect(throws: APIError.invalid("displayName", "must not be blank")) {
            try DisplayName.canonical(raw)
        }
        #expect(throws: APIError.invalid("device.name", "must not be blank")) {
            try DeviceName.canonical(raw)
        }
        #expect(try About.canonical(raw) == "")
    }

    @Test(
        "Lengths count user-visible characters of what is stored",
        arguments: ["a", "👨‍👩‍👧‍👦", "e\u{301}", "🇸🇬", "𝔘"])
    func lengths(character: String) throws {
        func times(_ count: Int) -> String { String(repeating: character, count: count) }
        #expect(try DisplayName.canonical(" " + times(64) + "\u{200B}") == times(64))
        #expect(throws: APIError.invalid("displayName", "must be at most 64 characters")) {
            try DisplayName.canonical(times(65))
        }
        #expect(throws: APIError.invalid("about", "must be at most 140 characters")) {
            try About.canonical(times(141))
        }
        #expect(try DeviceName.canonical(times(64)) == times(64))
        #expect(throws: APIError.self) { try DeviceName.canonical(times(65)) }
    }

    @Test("One character made of thousands of bytes is refused")
    func bytes() throws {
        let jamo = String(repeating: "\u{1100}", count: 690)
        #expect(jamo.count == 1)
        #expect(throws: APIError.invalid("displayName", "must be at most 2048 bytes")) {
            try DisplayName.canonical(jamo)
        }
        #expect(throws: APIError.self) { try About.canonical(String(repeating: "\u{200B}", count: 100_000)) }
    }

    @Test("A device describes itself by a name and a platform")
    func device() throws {
        let typed = DeviceDescription(name: " Mark's\u{202E} iPhone ", platform: "ios ")
        #expect(try typed.canonical() == DeviceDescription(name: "Mark's iPhone", platform: "ios"))
        #expect(throws: APIError.invalid("device.platform", "must not be blank")) {
            try DeviceDescription(name: "x", platform: "").canonical()
        }
    }
}
