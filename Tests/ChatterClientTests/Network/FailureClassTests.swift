import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("What a failure means for what is queued")
struct FailureClassTests {
    @Test(
        "Outages wait for ever",
        arguments: [408, 425, 429, 502, 503, 504])
    func outages(status: Int) {
        #expect(FailureClass(status: status) == .outage)
        #expect(error(status).isTransient)
    }

    @Test("Other server errors are faults", arguments: [500, 501, 505, 507, 511, 599])
    func faults(status: Int) {
        #expect(FailureClass(status: status) == .fault)
        #expect(error(status).kind == .fault)
    }

    @Test(
        "Other client errors are refusals, and so is anything unknown",
        arguments: [400, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 426, 431, 451, 499]
            + [0, 100, 101, 199, 300, 301, 304, 307, 399, 600, 999, -1])
    func refusals(status: Int) {
        #expect(FailureClass(status: status) == .refusal)
        #expect(error(status).kind == .refused(code: "HTTP_\(status)"))
        #expect(!error(status).isTransient)
    }

    @Test("Each status belongs to exactly one class")
    func total() {
        let classes = Dictionary(grouping: 100..<600, by: { FailureClass(status: $0) })
        #expect(classes[.success]?.count == 100)
        #expect(classes[.outage]?.count == 7)
        #expect(classes[.unauthorised] == [401])
        #expect(classes[.fault]?.count == 97)
        #expect(classes[.refusal]?.count == 295)
    }

    @Test("Every code of the contract keeps its meaning", arguments: ErrorCode.allCases)
    func codes(code: ErrorCode) {
        let response = HTTPResponse.error(APIError(code, "why"))
        let overREST = ClientError(response, now: now)
        let overSocket = ClientError(FrameError(code: code.rawValue, message: "why"))
        #expect(overREST.kind == overSocket.kind)
        #expect(overREST.serverCode == code.rawValue)
        let expected: FailureClass =
            switch code {
            case .rateLimited, .unavailable, .requestTimeout, .clientKeyInvalid, .startOver: .outage
            case .internalError: .fault
            case .tokenInvalid, .tokenExpired, .refreshRejected: .unauthorised
            case .validationFailed, .codeInvalid, .codeExpired, .profileIncomplete, .notFriends, .blocked,
                .forbidden, .notFound, .methodNotAllowed, .usernameTaken, .alreadyFriends, .requestClosed,
                .idReused, .userDeleted, .payloadTooLarge, .unsupportedMediaType, .upgradeRequired,
                .headersTooLarge:
                .refusal
            }
        #expect(overREST.failureClass == expected)
    }

    @Test("A code that a newer server added is a refusal with that code")
    func unknownCode() {
        let body = Array(#"{"error":{"code":"SOMETHING_NEW","message":"m","extra":1}}"#.utf8)
        let overREST = ClientError(HTTPResponse(status: 422, body: body), now: now)
        #expect(overREST.kind == .refused(code: "SOMETHING_NEW"))
        #expect(overREST.code == nil)
        let overSocket = ClientError(FrameError(code: "SOMETHING_NEW", message: "m"))
        #expect(overSocket.kind == .refused(code: "SOMETHING_NEW"))
    }

    @Test("No network is an outage, a cancelled call is neither", arguments: TransportError.Kind.allCases)
    func transport(kind: TransportError.Kind) {
        let expected: FailureClass =
            switch kind {
            case .noConnection, .timedOut, .tls, .cancelled: .outage
            case .answerTooLarge: .fault
            case .malformed: .refusal
            }
        #expect(ClientError(TransportError(kind)).failureClass == expected)
    }

    @Test("A handshake is judged like a call")
    func handshake() {
        #expect(ClientError(.refused(status: 401, retryAfter: nil), now: now).kind == .unauthorised)
        let busy = ClientError(.refused(status: 503, retryAfter: "7"), now: now)
        #expect(busy.kind == .outage)
        #expect(busy.retryAfter == .seconds(7))
        for error in [SocketError.timedOut, .tls("x"), .noConnection("x"), .closed] {
            #expect(ClientError(error, now: now).kind == .outage)
        }
    }

    @Test("A proxy's page instead of an error body leaves the status to speak")
    func proxyPage() {
        let page = HTTPResponse(status: 502, body: Array("<html>Bad Gateway</html>".utf8))
        let error = ClientError(page, now: now)
        #expect(error.kind == .outage)
        #expect(error.serverCode == nil)
        #expect(!error.message.contains("html"))
    }

    private let now = Timestamp(milliseconds: 0)

    private func error(_ status: Int) -> ClientError {
        ClientError(HTTPResponse(status: status), now: now)
    }
}
