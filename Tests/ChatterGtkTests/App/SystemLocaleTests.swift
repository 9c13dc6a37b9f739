import Foundation
import Testing

@testable import ChatterGtk

@Suite("The system's language and region")
struct SystemLocaleTests {
    @Test(
        "The environment is read as POSIX says",
        arguments: [
            ([:], "en_001", "en_001"), (["LANG": "C"], "en_001", "en_001"),
            (["LANG": "C.UTF-8"], "en_001", "en_001"), (["LANG": "de_DE.UTF-8"], "de_DE", "en_DE"),
            (["LANG": "de_DE.UTF-8", "LC_TIME": "sv_SE.UTF-8"], "de_DE", "en_SE"),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR@euro"], "fr_FR", "en_DE"),
            (["LANG": "de_DE.UTF-8", "LC_ALL": "ar_EG"], "ar_EG", "en_EG"),
            (["LANG": "de_DE.UTF-8", "LC_ALL": ""], "de_DE", "en_DE"),
        ] as [([String: String], String, String)])
    func environment(_ given: [String: String], _ reading: String, _ writing: String) {
        let system = SystemLocale(given)
        #expect(system.reading.identifier == reading)
        #expect(system.writing.identifier == writing)
    }

    @Test("Countries have their names in the person's language")
    func names() {
        #expect(
            SystemLocale(["LANG": "de_AT.UTF-8"]).reading.localizedString(forRegionCode: "AT") == "Österreich"
        )
    }
}
