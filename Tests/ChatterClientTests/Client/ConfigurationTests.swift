import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("What a profile is configured with")
struct ConfigurationTests {
    @Test(
        "These servers are accepted",
        arguments: [
            "https://chat.example", "https://chat.example:8443/prefix/", "HTTPS://chat.example",
            "https://192.0.2.1", "https://[2001:db8::1]", "http://localhost:8080", "http://LOCALHOST",
            "http://127.0.0.1:8080", "http://127.255.0.9", "http://[::1]:8080",
        ])
    func accepted(url: String) throws {
        try configuration(url).validate()
    }

    @Test(
        "These are refused: unencrypted beyond this machine, or no server's URL at all",
        arguments: [
            "http://chat.example", "http://192.168.1.2", "http://128.0.0.1", "http://127.0.0.1.example.com",
            "http://localhost.example.com", "http://[2001:db8::1]", "ftp://chat.example", "ws://localhost",
            "chat.example", "https://", "/path", "https://user:password@chat.example",
            "https://chat.example?x=1", "https://chat.example#x", "file:///tmp",
        ])
    func refused(url: String) {
        #expect(throws: ClientError.self) { try configuration(url).validate() }
    }

    @Test("A client key that cannot be a header is refused", arguments: ["", "a b", "a\nb", "ä", "a\u{7f}"])
    func keys(key: String) {
        #expect(throws: ClientError.self) { try configuration("https://chat.example", key: key).validate() }
    }

    @Test(
        "The path of a call follows the server's own",
        arguments: [
            ("https://chat.example", "https://chat.example/v1/users/7"),
            ("https://chat.example/", "https://chat.example/v1/users/7"),
            ("https://chat.example:8443/a/b/", "https://chat.example:8443/a/b/v1/users/7"),
        ])
    func paths(server: String, expected: String) throws {
        let url = try #require(URL(string: server))
        #expect(
            try URLBuilder.url(url, path: "/v1/users/{id}", parameters: ["id": "7"]).absoluteString
                == expected)
    }

    private func configuration(_ url: String, key: String = "key") throws -> ClientConfiguration {
        ClientConfiguration(
            serverURL: try #require(URL(string: url)), clientKey: key,
            directory: URL(fileURLWithPath: "/nowhere"),
            device: DeviceDescription(name: "test", platform: "test"))
    }
}
