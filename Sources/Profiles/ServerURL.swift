import Arguments
import Foundation

/// `http://127.0.0.1:8080`, `https://chat.example.org`.
public struct ServerURL: ArgumentValue {
    public let url: URL

    public init?(argument: String) {
        guard let url = URL(string: argument), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
        else { return nil }
        self.url = url
    }

    public var argument: String { url.absoluteString }
    /// On this machine.
    public var isLocal: Bool { ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host ?? "") }

    public static var expected: String {
        "an address such as http://127.0.0.1:8080 or https://chat.example.org"
    }
}
