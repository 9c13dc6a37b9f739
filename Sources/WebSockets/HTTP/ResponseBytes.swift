import CWebSockets

/// An answer on its way out.
struct ResponseBytes {
    /// The connection ends after it.
    let isLast: Bool
    /// The head, and a short body with it.
    private var start: [UInt8]
    private var rest: [UInt8]
    private var offset = 0

    /// Nil when libwebsockets cannot put the head together.
    init?(_ response: HTTPResponse, to wire: Wire, isLast: Bool, isHead: Bool, date: String) {
        self.isLast = isLast
        guard let head = response.head(for: wire, isLast: isLast, date: date) else { return nil }
        start = head
        rest = []
        guard !isHead, response.hasBody else { return }
        if response.body.count <= 16 * 1024 { start += response.body } else { rest = response.body }
    }

    /// Writes a piece; false means that the connection is broken.
    mutating func write(to wire: Wire) -> Bool {
        let count = min(start.count - offset, 256 * 1024)
        let written = start[offset..<offset + count].withUnsafeBytes { bytes in
            // Not written on: HTTP/1 needs no room in front, and sends as is.
            let memory = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return lws_write(
                wire.wsi, memory?.assumingMemoryBound(to: UInt8.self), count, LWS_WRITE_HTTP)
        }
        guard written >= 0 else { return false }
        offset += count
        if offset == start.count, !rest.isEmpty { (start, rest, offset) = (rest, [], 0) }
        return true
    }

    var isWritten: Bool { offset == start.count }
}

extension HTTPResponse {
    var hasBody: Bool { status >= 200 && status != 204 && status != 304 && !body.isEmpty }

    var asksToClose: Bool {
        headers.contains { $0.0.lowercased() == "connection" && $0.1.lowercased().contains("close") }
    }

    /// Adds a header unless there is one of that name.
    mutating func addHeader(_ name: String, _ value: String) {
        guard !headers.contains(where: { $0.0.lowercased() == name.lowercased() }) else { return }
        headers.append((name, value))
    }

    fileprivate func head(for wire: Wire, isLast: Bool, date: String) -> [UInt8]? {
        var fields = [("Date", date)] + headers.filter { Self.isSendable($0.0) }
        var options: [String] = []
        // RFC 9110 section 15.5.22: 426 says what to upgrade to.
        if status == 426 {
            fields.append(("Upgrade", "websocket"))
            options.append("Upgrade")
        }
        if isLast { options.append("close") }
        if !options.isEmpty { fields.append(("Connection", options.joined(separator: ", "))) }
        let size = fields.reduce(256) { $0 + $1.0.utf8.count + $1.1.utf8.count + 8 }
        var isComplete = false
        let head = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            var next: UnsafeMutablePointer<UInt8>? = base
            isComplete = add(fields, to: &next, until: base + size, wire)
            count = next.map { $0 - base } ?? 0
        }
        return isComplete ? head : nil
    }

    private func add(
        _ fields: [(String, String)], to next: inout UnsafeMutablePointer<UInt8>?,
        until end: UnsafeMutablePointer<UInt8>, _ wire: Wire
    ) -> Bool {
        guard let start = next,
            lws_add_http_header_status(wire.wsi, UInt32(clamping: status), &next, end) == 0
        else {
            return false
        }
        // `HTTP/1.0`, where the request's version is not known yet.
        start[7] = UInt8(ascii: "1")
        for (name, value) in fields {
            let clean = Self.cleaned(value)
            guard
                lws_add_http_header_by_name(wire.wsi, name + ":", clean, Int32(clean.utf8.count), &next, end)
                    == 0
            else { return false }
        }
        // RFC 9110 section 8.6: these have no body and must not announce one.
        if status != 204 && status != 304 {
            guard lws_add_http_header_content_length(wire.wsi, UInt64(body.count), &next, end) == 0 else {
                return false
            }
        }
        return lws_finalize_http_header(wire.wsi, &next, end) == 0
    }

    /// False for names that are not tokens and for the framing, which is the listener's.
    private static func isSendable(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { return false }
        return !["content-length", "transfer-encoding", "connection", "date", "upgrade"].contains(
            name.lowercased())
    }

    /// `value` without what could end the line and begin another header.
    private static func cleaned(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(
            String.UnicodeScalarView(
                value.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}
