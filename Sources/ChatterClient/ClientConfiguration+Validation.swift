import ChatterModel
import Foundation

extension ClientConfiguration {
    /// Throws `invalid`, with what to change.
    func validate() throws(ClientError) {
        guard let parts = URLComponents(url: serverURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty
        else {
            throw ClientError(.invalid, "the server's URL needs a scheme and a host: https://chat.example")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw ClientError(.invalid, "the server's URL is scheme, host, port and path, nothing else")
        }
        switch scheme {
        case "https": break
        case "http" where Self.isLoopback(host): break
        case "http":
            throw ClientError(
                .invalid, "without https anybody on the way reads along: use https for \(host)")
        default: throw ClientError(.invalid, "the server's URL begins with https://")
        }
        guard !clientKey.isEmpty, clientKey.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw ClientError(.invalid, "the client key is empty or holds characters that no key has")
        }
        guard directory.isFileURL else { throw ClientError(.invalid, "the profile needs a directory") }
    }

    /// This machine by name or by number.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.trimmingCharacters(in: ["[", "]"]).lowercased()
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && parts.allSatisfy { $0 != nil } && parts[0] == 127
    }
}
