import ChatterModel
import Foundation

/// Turns what a socket receives into actions, in the order of arrival.
struct FrameHandler: Sendable {
    let actions: any FrameActions
    let limiter: RateLimiter
    let metrics: Metrics

    func received(_ bytes: [UInt8], isText: Bool, on connection: LiveConnection) {
        guard isText, let frame = decode(bytes, on: connection) else { return }
        switch frame.action {
        case .syncRequest(let request): actions.syncRequest(request, id: frame.id, from: connection)
        case .messageSend(let message): actions.messageSend(message, id: frame.id, from: connection)
        case .receiptDelivered(let mark): actions.receiptDelivered(mark, id: frame.id, from: connection)
        case .receiptRead(let mark): actions.receiptRead(mark, id: frame.id, from: connection)
        case .typingStart(let typing): actions.typing(typing, isTyping: true, id: frame.id, from: connection)
        case .typingStop(let typing): actions.typing(typing, isTyping: false, id: frame.id, from: connection)
        case .ping: connection.send(ServerFrame(.pong, id: frame.id))
        case .unknown: break  // the contract grows by frames that older servers ignore
        }
    }

    private func decode(_ bytes: [UInt8], on connection: LiveConnection) -> ClientFrame? {
        do {
            return try Wire.decode(ClientFrame.self, from: bytes)
        } catch let error as DecodingError {
            connection.reject(error.apiError, id: nil)
        } catch {
            connection.reject(APIError(.validationFailed, "the frame cannot be read"), id: nil)
        }
        return nil
    }
}
