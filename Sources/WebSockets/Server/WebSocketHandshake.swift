import CWebSockets
import Foundation

/// RFC 6455 section 4, for both sides.
enum WebSocketHandshake {
    enum ServerVerdict: Equatable {
        /// `Sec-WebSocket-Accept` for the answer.
        case accept(String)
        case refuse(status: Int, why: String)
    }

    /// Whether the request asks for a WebSocket at all.
    static func isAskedFor(_ request: ParsedRequest) -> Bool {
        request.headerTokens("upgrade").contains("websocket")
    }

    static func answer(_ request: ParsedRequest) -> ServerVerdict {
        guard request.method == "GET", !request.isHTTP10,
            request.headerTokens("connection").contains("upgrade"),
            request.body.isEmpty
        else { return .refuse(status: 400, why: "malformed WebSocket handshake") }
        guard request.headers["sec-websocket-version"] == "13" else {
            return .refuse(status: 426, why: "WebSocket version 13 is needed")
        }
        guard let key = request.headers["sec-websocket-key"], isKey(key) else {
            return .refuse(status: 400, why: "malformed Sec-WebSocket-Key")
        }
        return .accept(acceptance(of: key))
    }

    /// 16 bytes in base64.
    private static func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes[22] == UInt8(ascii: "="), bytes[23] == UInt8(ascii: "=") else {
            return false
        }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    /// A fresh key for a client.
    static func newKey() -> String {
        Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    }

    static func acceptance(of key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        lws_SHA1(text, text.count, &digest)
        return Data(digest).base64EncodedString()
    }
}
