import CWebSockets

/// A request's or an answer's headers as libwebsockets has taken them in: by tokens for the names it knows, by name
/// for others, which it cannot list.
struct WireHeaders {
    let wire: Wire

    private static let known: [(token: lws_token_indexes, name: String)] = (0..<WSI_TOKEN_COUNT.rawValue)
        .compactMap {
            let token = lws_token_indexes($0)
            guard let text = lws_token_to_string(token) else { return nil }
            let name = String(cString: text)
            // Others stand for methods, versions and the pseudo headers of HTTP/2.
            guard name.hasSuffix(":"), !name.hasPrefix(":") else { return nil }
            return (token, String(name.dropLast()))
        }

    /// Lower-case names. Of a repeated header that libwebsockets does not know, the first counts.
    func all(alsoNamed custom: [String] = []) -> [String: String] {
        var headers: [String: String] = [:]
        for (token, name) in Self.known {
            if let value = self[token] { headers[name] = value }
        }
        for name in custom where headers[name] == nil {
            if let value = self[custom: name] { headers[name] = value }
        }
        return headers
    }

    /// Nil when it is absent or empty. Repeated headers are joined with commas.
    subscript(token: lws_token_indexes) -> String? {
        text(lws_hdr_total_length(wire.wsi, token)) { lws_hdr_copy(wire.wsi, $0, $1, token) }
    }

    private subscript(custom name: String) -> String? {
        let key = name + ":"
        let length = Int32(key.utf8.count)
        return text(lws_hdr_custom_length(wire.wsi, key, length)) {
            lws_hdr_custom_copy(wire.wsi, $0, $1, key, length)
        }
    }

    /// The arguments behind the question mark, each decoded.
    var arguments: [[UInt8]] {
        var arguments: [[UInt8]] = []
        guard lws_hdr_total_length(wire.wsi, WSI_TOKEN_HTTP_URI_ARGS) > 0 else { return [] }
        while let argument = argument(arguments.count) { arguments.append(argument) }
        return arguments
    }

    private func argument(_ index: Int) -> [UInt8]? {
        let room = Int(lws_hdr_fragment_length(wire.wsi, WSI_TOKEN_HTTP_URI_ARGS, Int32(index))) + 1
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
            let count = lws_hdr_copy_fragment(
                wire.wsi, buffer.baseAddress, Int32(room), WSI_TOKEN_HTTP_URI_ARGS, Int32(index))
            return count < 0 ? nil : buffer[..<Int(count)].map { UInt8(bitPattern: $0) }
        }
    }

    private func text(_ length: Int32, _ copy: (UnsafeMutablePointer<CChar>?, Int32) -> Int32) -> String? {
        guard length > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(length) + 1) { buffer in
            let count = copy(buffer.baseAddress, length + 1)
            guard count > 0 else { return nil }
            var bytes = UnsafeRawBufferPointer(buffer)[..<Int(count)]
            while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
                bytes.removeLast()
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
