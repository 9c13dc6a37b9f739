import Foundation
import Testing

@testable import ChatterViewModels

@Suite("Typing a phone number")
@MainActor
struct PhoneEntryTests {
    private func country(_ region: String) throws -> Country {
        try #require(Country.all.first { $0.region == region })
    }

    private func entry(_ region: String, _ text: String) throws -> PhoneEntry {
        var entry = PhoneEntry(country: try country(region))
        entry.type(text)
        return entry
    }

    @Test(
        "However people write it, it becomes E.164",
        arguments: [
            ("DE", "0151 234 567 89", "+4915123456789"), ("DE", "+49 151 23456789", "+4915123456789"),
            ("DE", "0049 (151) 234-567.89", "+4915123456789"), ("SG", "9123 4567", "+6591234567"),
            ("US", "(415) 555-0101", "+14155550101"), ("US", "1 415 555 0101", "+14155550101"),
            ("IT", "06 1234 5678", "+390612345678"), ("EG", "٠١٠ ٠١٢٣ ٤٥٦٧", "+201001234567"),
            ("JP", "０９０ー１２３４−５６７８", "+819012345678"), ("DE", "(+49) 151 23456789", "+4915123456789"),
            ("GB", "+44 (0) 7700 900123", "+447700900123"), ("US", "＋49 151 23456789", "+4915123456789"),
        ])
    func complete(region: String, text: String, expected: String) throws {
        #expect(try entry(region, text).state == .complete(expected))
    }

    @Test(
        "What nobody sees, and any dash, space or bracket, is no part of a pasted number",
        arguments: [
            "\u{202A}+49 151 23456789\u{202C}", "\u{200E}+49\u{200F}15123456789",
            "+49\u{2060}151\u{2069}23456789",
            "+49 151\u{2011}234\u{2012}567\u{2015}89", "+49 151\u{2009}234\u{3000}56789\n",
            "+49\t[151]\u{00AD}234.567/89",
            "\u{FEFF}+49 1\u{200D}5123456789",
        ])
    func pasted(text: String) throws {
        #expect(try entry("DE", text).state == .complete("+4915123456789"))
    }

    @Test(
        "An international number of no country is not glued to the chosen one",
        arguments: ["+9991234567", "+210 555 1234", "00999 123 4567", "(+999) 1234567", "+0 415 555 0101"])
    func noCountry(text: String) throws {
        for region in ["US", "DE", "SG", "IT"] {
            let entry = try entry(region, text)
            #expect(entry.state == .noSuchCode)
            #expect(entry.country.region == region)
        }
    }

    @Test("The beginning of a calling code is no mistake yet")
    func codeBegins() throws {
        for text in ["+", "+2", "+21", "00", "0021"] {
            let state = try entry("US", text).state
            #expect(state == .tooShort || state == .empty)
        }
    }

    @Test(
        "A plus sign has one place, in front",
        arguments: ["123+4567890", "++49 151 23456789", "+49+15123456789"])
    func plus(text: String) throws {
        #expect(try entry("US", text).state == .malformed)
    }

    @Test("It says when it is too short, too long, or no number")
    func wrong() throws {
        #expect(try entry("SG", "").state == .empty)
        #expect(try entry("SG", "9123").state == .tooShort)
        #expect(try entry("SG", "912345678901").state == .tooLong)
        #expect(try entry("US", "+1234567890123456").state == .tooLong)
        #expect(try entry("SG", "9123x4567").state == .malformed)
    }

    @Test(
        "A pasted international number chooses its country",
        arguments: [
            ("+6591234567", "SG"), ("+4915123456789", "DE"), ("+14155550101", "US"), ("+447700900123", "GB"),
            ("+79161234567", "RU"), ("+85291234567", "HK"),
        ])
    func chooses(text: String, region: String) throws {
        #expect(try entry("FR", text).country.region == region)
    }

    @Test("A country that shares the calling code stays chosen")
    func shared() throws {
        #expect(try entry("CA", "+1 416 555 0101").country.region == "CA")
        #expect(try entry("KZ", "+7 701 234 5678").country.region == "KZ")
    }

    @Test("Another country clears an international number and keeps a national one")
    func choosing() throws {
        var typed = try entry("DE", "+49151234567")
        typed.choose(try country("SG"))
        #expect(typed.text.isEmpty)
        typed.type("9123 4567")
        typed.choose(try country("HK"))
        #expect(typed.state == .complete("+85291234567"))
    }
}

@Suite("The list of countries")
struct CountryTests {
    @Test("It is in the order of the reader's language")
    func order() {
        let german = Country.list(matching: "", in: Locale(identifier: "de_DE"))
        let names = german.map { $0.name(in: Locale(identifier: "de_DE")) }
        #expect(names.first == "Afghanistan" && names.contains("Ägypten"))
        #expect(names.firstIndex(of: "Ägypten") ?? 99 < 5)
        #expect(german.count == Country.all.count && german.count > 240)
    }

    @Test(
        "Name, region and calling code find it",
        arguments: ["singap", "SG", "+65", "65"])
    func search(query: String) {
        let found = Country.list(matching: query, in: Locale(identifier: "en_GB"))
        #expect(found.contains { $0.region == "SG" })
        #expect(found.count < 20)
    }

    @Test("A flag is made of the region's letters")
    func flag() throws {
        #expect(try #require(Country.all.first { $0.region == "DE" }).flag == "🇩🇪")
    }

    @Test("The device's region is chosen first, whatever its language")
    func current() {
        #expect(Country.current(Locale(identifier: "en_SG")).region == "SG")
        #expect(Country.current(Locale(identifier: "en")).region == "US")
    }
}
