import Foundation

extension HTTPResponse {
    /// The head that goes before `body` on the wire.
    func head(isKeptAlive: Bool, isHTTP10: Bool, date: String) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\nDate: \(date)\r\n"
        for (name, value) in headers where Self.isSendable(name) {
            head += "\(name): \(Self.cleaned(value))\r\n"
        }
        // RFC 9110 section 8.6: these have no body and must not announce one.
        if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
        var options: [String] = []
        // RFC 9110 section 15.5.22: 426 says what to upgrade to.
        if status == 426 {
            head += "Upgrade: websocket\r\n"
            options.append("Upgrade")
        }
        if !isKeptAlive { options.append("close") } else if isHTTP10 { options.append("keep-alive") }
        if !options.isEmpty { head += "Connection: \(options.joined(separator: ", "))\r\n" }
        return Array((head + "\r\n").utf8)
    }

    var hasBody: Bool { status >= 200 && status != 204 && status != 304 && !body.isEmpty }

    var asksToClose: Bool {
        headers.contains { $0.0.lowercased() == "connection" && $0.1.lowercased().contains("close") }
    }

    /// Adds a header unless there is one of that name.
    mutating func addHeader(_ name: String, _ value: String) {
        guard !headers.contains(where: { $0.0.lowercased() == name.lowercased() }) else { return }
        headers.append((name, value))
    }

    /// False for names that are not tokens and for the framing, which is the listener's.
    private static func isSendable(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { return false }
        switch name.lowercased() {
        case "content-length", "transfer-encoding", "connection", "date", "upgrade": return false
        default: return true
        }
    }

    /// `value` without what could end the line and begin another header.
    private static func cleaned(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(
            String.UnicodeScalarView(
                value.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }

    static func reason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 425: "Too Early"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}

/// RFC 9110 section 5.6.2.
func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
        UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
    default:
        false
    }
}

/// The `Date` header's text, made once a second.
struct HTTPDate {
    private var second: time_t = 0
    private var text = ""

    mutating func now() -> String {
        let now = time(nil)
        guard now != second else { return text }
        second = now
        var parts = tm()
        var moment = now
        gmtime_r(&moment, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        text =
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
        return text
    }
}
