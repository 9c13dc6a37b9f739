import Foundation

/// A `ws`, `wss`, `http` or `https` URL taken apart.
struct WebSocketURL: Sendable {
    let host: String
    let port: UInt16
    let isSecure: Bool
    /// Path and query, percent-encoded.
    let target: String

    init(_ url: URL) throws(WebSocketError) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = parts.scheme,
            var host = parts.host, !host.isEmpty
        else { throw .badURL(url.absoluteString) }
        switch scheme.lowercased() {
        case "ws", "http": isSecure = false
        case "wss", "https": isSecure = true
        default: throw .badURL(url.absoluteString)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard let port = UInt16(exactly: parts.port ?? (isSecure ? 443 : 80)), port > 0 else {
            throw .badURL(url.absoluteString)
        }
        self.host = host
        self.port = port
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        // libwebsockets cuts longer ones without a word.
        guard target.utf8.count <= 2000, host.utf8.count <= 100 else { throw .badURL(url.absoluteString) }
    }

    /// The `Host` header.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}
