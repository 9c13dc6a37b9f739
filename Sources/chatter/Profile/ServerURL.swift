import Arguments
import Foundation

/// `http://127.0.0.1:8080`, `https://chat.example.org`.
struct ServerURL: ArgumentValue {
    let url: URL

    init?(argument: String) {
        guard let url = URL(string: argument), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
        else { return nil }
        self.url = url
    }

    var argument: String { url.absoluteString }
    var isLocal: Bool { ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host ?? "") }

    static var expected: String { "an address such as http://127.0.0.1:8080 or https://chat.example.org" }
}
