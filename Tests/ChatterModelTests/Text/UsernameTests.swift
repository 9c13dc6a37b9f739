import ChatterModel
import Testing

@Suite("Usernames")
struct UsernameTests {
    @Test(
        "Spellings that people take for one name are one name",
        arguments: [
            ("mark", "mark"), ("MARK", "mark"), ("@Mark", "mark"), ("ｍａｒｋ", "mark"), ("＠ｍark", "mark"),
            (" mark\n", "mark"), ("ma.rk", "ma.rk"), ("m_ark", "m_ark"), ("Ⅷ_lives", "viii_lives"),
            ("\u{212A}arl", "karl"), ("ﬁnn", "finn"), ("_a_", "_a_"), ("007", "007"),
        ])
    func canonical(raw: String, stored: String) throws {
        #expect(try Username.canonical(raw) == stored)
        #expect(try Username.canonical(stored) == stored)
    }

    // Field case 82
    @Test(
        "Another alphabet's look-alikes, accents and symbols are refused",
        arguments: [
            "mаrk", "marᏦ", "жора", "rené", "rene\u{301}", "straße", "mark!", "ma rk", "ma-rk", "m@rk",
            "mark😀",
            "ma\u{200B}rk", "ma\u{202E}rk", "mark\0", "İrem", "ırem", "a%b", "mark\u{FE0F}", "@@mark",
        ])
    func refused(raw: String) {
        #expect(throws: APIError.invalid("username", "must be of a-z, 0-9, _ and .")) {
            try Username.canonical(raw)
        }
    }

    @Test("Three to 32 characters after folding")
    func length() throws {
        #expect(try Username.canonical("abc") == "abc")
        #expect(try Username.canonical(String(repeating: "Z", count: 32)).count == 32)
        for raw in ["", "@", "ab", "@ab", " ab ", String(repeating: "z", count: 33)] {
            #expect(throws: APIError.invalid("username", "must be 3 to 32 characters")) {
                try Username.canonical(raw)
            }
        }
        #expect(throws: APIError.self) { try Username.canonical(String(repeating: "a", count: 500_000)) }
    }

    @Test("No dot first, last or doubled", arguments: [".abc", "abc.", "a..b", "a…b", "..."])
    func dots(raw: String) {
        #expect(throws: APIError.invalid("username", "must not have a dot first, last or doubled")) {
            try Username.canonical(raw)
        }
    }

    @Test(
        "Names of authority are reserved, also disguised",
        arguments: [
            "admin", "ａdmin", "ADMIN", "ad.min", "admin_", "adm1n", "administrator", "support", "supp0rt",
            "chatter", "Chatter_Support", "system", "root", "r00t", "help", "security", "moderator",
            "official",
            "officia1", "echo", "3cho",
        ])
    func reserved(raw: String) {
        #expect(throws: APIError.invalid("username", "is reserved")) { try Username.canonical(raw) }
    }

    @Test("The bot may take a reserved name, and names that only contain one are free")
    func notReserved() throws {
        #expect(try Username.canonical("echo", allowsReserved: true) == "echo")
        #expect(Username.isReserved("echo"))
        for free in ["echoes", "adminah", "rooter", "helpful", "mark"] {
            #expect(try Username.canonical(free) == free)
            #expect(!Username.isReserved(free))
        }
    }

    @Test(
        "A search folds as names do and takes % and _ for themselves",
        arguments: [
            ("a_", "a_"), ("A_B", "a_b"), ("@Ma", "ma"), ("ｍａ", "ma"), ("ma.", "ma."), (" ma ", "ma"),
            ("echo", "echo"), ("a%b", nil), ("%%", nil), ("mа", nil), ("é1", nil), ("a b", nil),
            (String(repeating: "a", count: 33), nil), (String(repeating: "a", count: 500_000), nil),
        ])
    func search(raw: String, prefix: String?) throws {
        #expect(try Username.searchPrefix(raw) == prefix)
    }

    @Test("A search below two characters is refused", arguments: ["", " ", "@", "a", "@a", "%", "_", "👨‍👩‍👧‍👦"])
    func shortSearch(raw: String) {
        #expect(throws: APIError.invalid("q", "must be at least 2 characters")) {
            try Username.searchPrefix(raw)
        }
    }
}
