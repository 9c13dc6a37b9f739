import ChatterModel
import Foundation

/// Puts an endpoint's path together; every value is escaped down to RFC 3986's unreserved characters, so that none
/// can add a path segment, a query or a fragment.
enum URLBuilder {
    static func url(
        _ base: URL, path: String, parameters: [String: String] = [:],
        query: KeyValuePairs<String, String?> = [:]
    ) throws(ClientError) -> URL {
        var text = base.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        for segment in path.split(separator: "/") {
            text += "/" + (try Self.segment(segment, parameters))
        }
        let items = query.compactMap { name, value in value.map { "\(name)=\(escape($0))" } }
        if !items.isEmpty { text += "?" + items.joined(separator: "&") }
        guard let url = URL(string: text) else {
            throw ClientError(.invalid, "no URL can be made for \(path)")
        }
        return url
    }

    private static func segment(
        _ segment: Substring, _ parameters: [String: String]
    ) throws(ClientError) -> String {
        guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return String(segment) }
        let name = String(segment.dropFirst().dropLast())
        // Empty, "." and ".." would name another path.
        guard let value = parameters[name], !["", ".", ".."].contains(value) else {
            throw ClientError(.invalid, "the path parameter \(name) has no usable value")
        }
        return escape(value)
    }

    private static func escape(_ value: String) -> String {
        value.utf8.map { byte in
            let isUnreserved =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "~"):
                    true
                default: false
                }
            if isUnreserved { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" + digits : digits)
        }.joined()
    }
}
