import CWebSockets

/// Why the listener itself refuses a request.
struct Refusal: Error, Equatable {
    let status: Int
    let why: String
}

/// A request's head, copied while libwebsockets has it, and checked for what libwebsockets lets pass.
struct RequestHead {
    let method: String
    let path: String
    let query: String
    let headers: [String: String]
    /// Of the body; 0 without one.
    let contentLength: Int
    /// Whether the connection may stay open after the answer.
    let isKeptAlive: Bool

    /// What the request line says, or nil when there is none yet.
    static func line(of wire: Wire) -> (method: String, path: UnsafeRawBufferPointer)? {
        var start: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        let method = Int(lws_http_get_uri_and_method(wire.wsi, &start, &count))
        guard methods.indices.contains(method), let start else { return nil }
        return (methods[method], UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// In the order of libwebsockets' LWSHUMETH constants.
    private static let methods = ["GET", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "HEAD"]

    init(of wire: Wire, _ configuration: ListenerConfiguration) throws(Refusal) {
        let fields = WireHeaders(wire: wire)
        // Absent where an encoded line end in the target has ended the request line for libwebsockets.
        guard let version = fields[WSI_TOKEN_HTTP] else {
            throw Refusal(status: 400, why: "malformed request line")
        }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Refusal(status: 505, why: "only HTTP/1.1 is spoken here")
        }
        guard let (method, path) = Self.line(of: wire), path.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else {
            throw Refusal(status: 400, why: "malformed request line")
        }
        self.method = method
        self.path = PercentEncoding.path(path)
        query = PercentEncoding.query(fields.arguments)
        headers = fields.all(alsoNamed: configuration.customHeaders)
        let size = headers.values.reduce(self.path.utf8.count + query.utf8.count) { $0 + $1.utf8.count }
        guard size <= configuration.limits.headerBytes else {
            throw Refusal(status: 431, why: "the headers are too large")
        }
        guard headers["host"] != nil else { throw Refusal(status: 400, why: "a Host header is needed") }
        let announced = try Self.length(headers)
        contentLength = announced ?? 0
        // libwebsockets takes whatever follows for the body then.
        let isOpenEnded = announced == nil && Self.isBodyExpected(method)
        isKeptAlive = version == "HTTP/1.1" && !isOpenEnded && !headers.lists("close", in: "connection")
    }

    /// Whether libwebsockets takes what follows the head for its body.
    static func isBodyExpected(of wire: Wire) -> Bool {
        guard let length = WireHeaders(wire: wire)[WSI_TOKEN_HTTP_CONTENT_LENGTH] else {
            return line(of: wire).map { isBodyExpected($0.method) } ?? false
        }
        return length != "0"
    }

    private static func isBodyExpected(_ method: String) -> Bool {
        ["POST", "PUT", "PATCH"].contains(method)
    }

    /// One way to say where the body ends, or none; two that disagree smuggle a request past a proxy.
    private static func length(_ headers: [String: String]) throws(Refusal) -> Int? {
        guard headers["transfer-encoding"] == nil else {
            throw Refusal(status: 411, why: "a body needs a Content-Length")
        }
        guard let text = headers["content-length"] else { return nil }
        guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { throw Refusal(status: 400, why: "malformed Content-Length") }
        return length
    }

    func request(body: [UInt8], from remoteAddress: String) -> HTTPRequest {
        HTTPRequest(
            method: method, path: path, query: query, headers: headers, body: body,
            remoteAddress: remoteAddress)
    }

    var expectsContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }

    /// What is wrong with a WebSocket handshake; libwebsockets would hang up on it without a word.
    func checkHandshake() throws(Refusal) {
        guard method == "GET", headers.lists("upgrade", in: "connection") else {
            throw Refusal(status: 400, why: "malformed WebSocket handshake")
        }
        guard headers["sec-websocket-version"] == "13" else {
            throw Refusal(status: 426, why: "WebSocket version 13 is needed")
        }
        guard let key = headers["sec-websocket-key"], key.utf8.count == 24, key.hasSuffix("==") else {
            throw Refusal(status: 400, why: "malformed Sec-WebSocket-Key")
        }
        guard headers["sec-websocket-protocol"] == nil else {
            throw Refusal(status: 400, why: "no WebSocket subprotocol is spoken here")
        }
    }
}

extension [String: String] {
    /// Whether `word`, in lower case, is among the comma-separated parts of a header.
    fileprivate func lists(_ word: String, in name: String) -> Bool {
        (self[name] ?? "").lowercased().split(separator: ",").contains {
            $0.drop { $0 == " " }.split(separator: " ").first ?? "" == word
        }
    }
}
