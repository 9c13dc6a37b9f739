import Foundation
import FoundationNetworking

/// Hands each code to a service of the operator's, which knows how to send a text message:
/// `POST {"phone", "code", "workspace"}` as JSON; any 2xx within the time-out counts as sent.
public struct WebhookCodeSender: CodeSender {
    public enum Failure: Error, Equatable {
        case refused(status: Int)
    }

    private struct Delivery: Encodable {
        let phone: String
        let code: String
        let workspace: String
    }

    private let url: URL
    private let session: URLSession

    /// - Parameter timeout: seconds for one delivery.
    public init(url: URL, timeout: TimeInterval = 10) {
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        session = URLSession(configuration: configuration)
    }

    public func send(_ code: String, to phone: String, workspace: String) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(Delivery(phone: phone, code: code, workspace: workspace))
        let (_, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw Failure.refused(status: status) }
    }
}
