import ChatterModel
import Foundation

/// What an HTTP status means for what is queued: the contract's "Retry and the outbox" as one total function.
enum FailureClass: Hashable, Sendable {
    case success
    /// Never exhausts: tried again for weeks. 412 as well: what it refused goes on once this device has started over.
    case outage
    /// This one call breaks the server: tried a few times.
    case fault
    /// The token, not the call: refresh, then again.
    case unauthorised
    /// No, at once. Also anything unknown: what cannot be understood is not repeated.
    case refusal

    init(status: Int) {
        self =
            switch status {
            case 200...299: .success
            case 408, 412, 425, 429, 502, 503, 504: .outage
            case 401: .unauthorised
            case 500...599: .fault
            default: .refusal
            }
    }
}

extension ClientError {
    /// What it means for the entry of the outbox that it hit. Errors that are not about the entry count as an outage:
    /// it waits, and nothing is lost.
    var failureClass: FailureClass {
        switch kind {
        case .outage, .clientKeyRefused, .signedOut, .cancelled, .closed, .profileInUse: .outage
        case .storage(let isTransient): isTransient ? .outage : .fault
        case .fault: .fault
        case .unauthorised: .unauthorised
        case .refused, .invalid, .notFound: .refusal
        }
    }

    /// From an answer whose status is no success. `now` is the server's time, for a `Retry-After` date.
    init(_ response: HTTPResponse, now: Timestamp) {
        let content: ErrorBody.Content?
        do {
            content = try Wire.decode(ErrorBody.self, from: response.body).error
        } catch {
            // A proxy's page, or nothing: the status alone speaks.
            content = nil
        }
        let code = content?.code ?? "HTTP_\(response.status)"
        let kind: Kind =
            switch FailureClass(status: response.status) {
            case .outage: .outage
            case .fault, .success: .fault
            case .unauthorised:
                code == ErrorCode.clientKeyInvalid.rawValue ? .clientKeyRefused : .unauthorised
            case .refusal: .refused(code: code)
            }
        let retryAfter = response[header: Headers.retryAfter].flatMap { RetryAfter.parse($0, now: now) }
        self.init(
            kind, "\(response.status) \(code): \(content?.message ?? "no error body")",
            status: response.status, serverCode: content?.code, details: content?.details,
            retryAfter: retryAfter)
    }

    init(_ error: TransportError) {
        let kind: Kind =
            switch error.kind {
            case .noConnection, .timedOut, .tls: .outage
            case .answerTooLarge: .fault
            case .malformed: .invalid
            case .cancelled: .cancelled
            }
        self.init(kind, error.message.isEmpty ? "\(error.kind)" : error.message)
    }

    init(_ error: SocketError, now: Timestamp) {
        switch error {
        case .refused(let status, let retryAfter):
            let headers = retryAfter.map { [Headers.retryAfter: $0] } ?? [:]
            self.init(HTTPResponse(status: status, headers: headers), now: now)
        case .timedOut: self.init(.outage, "the handshake timed out")
        case .tls(let reason), .noConnection(let reason): self.init(.outage, reason)
        case .closed: self.init(.outage, "the socket is closed")
        case .cancelled: self.init(.cancelled, "cancelled")
        }
    }

    /// An `error` event: codes as in REST, so their statuses decide; an unknown code is a refusal.
    init(_ error: FrameError) {
        let kind: Kind =
            switch ErrorCode(rawValue: error.code).map({ FailureClass(status: $0.status) }) {
            case .outage: .outage
            case .fault: .fault
            case .unauthorised:
                error.code == ErrorCode.clientKeyInvalid.rawValue ? .clientKeyRefused : .unauthorised
            case .refusal, .success, nil: .refused(code: error.code)
            }
        self.init(
            kind, "\(error.code): \(error.message)", serverCode: error.code,
            retryAfter: error.retryAfter.map { .seconds($0) })
    }
}
