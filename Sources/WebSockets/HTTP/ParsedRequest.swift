/// A request as it stood on the wire, before it is known whom it came from.
struct ParsedRequest {
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    struct Refusal: Error, Equatable {
        let status: Int
        let why: String
    }

    var method: String
    var path: String
    var query: String
    var headers: [String: String]
    var body: [UInt8] = []
    var framing: Framing
    var isHTTP10: Bool

    /// Whether the connection stays open after the answer. RFC 9112 section 9.3.
    var isKeptAlive: Bool {
        let tokens = headerTokens("connection")
        if tokens.contains("close") { return false }
        return !isHTTP10 || tokens.contains("keep-alive")
    }

    /// The comma-separated parts of a header, lower-case.
    func headerTokens(_ name: String) -> [String] {
        (headers[name] ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
                .lowercased()
        }
    }

    static func parse(_ lines: HeadLines) -> Result<ParsedRequest, Refusal> {
        let parts = lines.start.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte) else {
            return refuse(400, "malformed request line")
        }
        let isHTTP10: Bool
        switch parts[2] {
        case "HTTP/1.1": isHTTP10 = false
        case "HTTP/1.0": isHTTP10 = true
        default:
            return parts[2].hasPrefix("HTTP/")
                ? refuse(505, "only HTTP/1.1 is spoken here") : refuse(400, "malformed request line")
        }
        guard let (path, query) = target(parts[1]) else { return refuse(400, "malformed request target") }
        let hosts = lines.fields.count { $0.name == "host" }
        guard hosts == 1 || (hosts == 0 && isHTTP10) else {
            return refuse(400, "exactly one Host header is needed")
        }
        return framing(lines, isHTTP10: isHTTP10).map { framing in
            ParsedRequest(
                method: String(parts[0]), path: path, query: query, headers: lines.joined, framing: framing,
                isHTTP10: isHTTP10)
        }
    }

    private static func refuse<Value>(_ status: Int, _ why: String) -> Result<Value, Refusal> {
        .failure(Refusal(status: status, why: why))
    }

    /// Origin form, absolute form without its authority, or `*`. RFC 9112 section 3.2.
    private static func target(_ target: Substring) -> (path: String, query: String)? {
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var rest = target
        if rest == "*" { return ("*", "") }
        if !rest.hasPrefix("/") {
            guard let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) })
            else {
                return nil
            }
            rest = rest.dropFirst(scheme.count)
            rest = rest.drop { $0 != "/" && $0 != "?" }
            if rest.isEmpty || rest.hasPrefix("?") { rest = "/" + rest }
        }
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        guard let mark = rest.firstIndex(of: "?") else { return (String(rest), "") }
        return (String(rest[..<mark]), String(rest[rest.index(after: mark)...]))
    }

    /// One way to say where the body ends, or none; two that disagree smuggle a request past a proxy.
    private static func framing(_ lines: HeadLines, isHTTP10: Bool) -> Result<Framing, Refusal> {
        let lengths = lines.fields.filter { $0.name == "content-length" }.map(\.value)
        let encodings = lines.fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
        if !encodings.isEmpty {
            guard lengths.isEmpty, !isHTTP10 else { return refuse(400, "two body lengths") }
            return encodings == ["chunked"] ? .success(.chunked) : refuse(501, "unknown transfer encoding")
        }
        guard let first = lengths.first else { return .success(.length(0)) }
        guard lengths.allSatisfy({ $0 == first }), !first.isEmpty, first.utf8.count <= 18,
            first.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            let length = Int(first)
        else { return refuse(400, "malformed Content-Length") }
        return .success(.length(length))
    }
}
