import ChatterModel

/// Turns what a socket receives into actions, in the order of arrival.
struct FrameHandler: Sendable {
    let actions: any FrameActions
    let limiter: RateLimiter
    let metrics: Metrics

    func received(_ bytes: [UInt8], isText: Bool, on connection: LiveConnection) {
        guard let frame = read(bytes, isText: isText, on: connection) else { return }
        metrics.frameReceived(frame.action.metricsLabel)
        do {
            try take(frame, on: connection)
        } catch {
            return refuse(frame, error, on: connection)
        }
        act(on: frame, from: connection)
    }

    private func act(on frame: ClientFrame, from connection: LiveConnection) {
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

    // MARK: - Reading

    private func read(_ bytes: [UInt8], isText: Bool, on connection: LiveConnection) -> ClientFrame? {
        do {
            guard isText else { throw APIError(.validationFailed, "send text frames") }
            let frame = try Wire.decode(ClientFrame.self, from: bytes)
            guard (frame.id?.count ?? 0) <= ChatterModel.Limits.frameIDCharacters else {
                throw APIError.invalid("id", "is too long")
            }
            connection.noteWellFormed()
            return frame
        } catch let error as DecodingError {
            refuseMalformed(bytes, error.apiError, on: connection)
        } catch let error as APIError {
            refuseMalformed(bytes, error, on: connection)
        } catch {
            refuseMalformed(
                bytes, APIError(.validationFailed, "the frame cannot be read"), on: connection)
        }
        return nil
    }

    private func refuseMalformed(_ bytes: [UInt8], _ error: APIError, on connection: LiveConnection) {
        metrics.malformedFrame()
        let envelope = envelope(of: bytes)
        connection.reject(error, id: envelope.id, clientMessageID: envelope.clientMessageID)
        if connection.noteMalformed() >= LiveLimits.malformedInARow { connection.close(.malformed) }
    }

    private func envelope(of bytes: [UInt8]) -> FrameEnvelope {
        do {
            return try Wire.decode(FrameEnvelope.self, from: bytes)
        } catch {
            // No JSON object: there is nothing to name it by.
            return .unreadable
        }
    }

    // MARK: - Limits

    private func take(_ frame: ClientFrame, on connection: LiveConnection) throws(APIError) {
        try limiter.take(.frames, for: connection.user.rawValue)
        if case .messageSend = frame.action { try limiter.take(.messages, for: connection.user.rawValue) }
    }

    /// A client that goes on in spite of the answers is closed.
    private func refuse(_ frame: ClientFrame, _ error: APIError, on connection: LiveConnection) {
        metrics.rateLimited()
        do {
            try limiter.take(.refusedFrames, for: String(connection.id.rawValue))
        } catch {
            return connection.close(.flooding)
        }
        let clientMessageID: ClientMessageID? =
            if case .messageSend(let message) = frame.action { message.clientMessageID } else { nil }
        connection.reject(error, id: frame.id, clientMessageID: clientMessageID)
    }
}

extension ClientAction {
    /// A client must not be able to invent labels.
    fileprivate var metricsLabel: String {
        if case .unknown = self { "unknown" } else { type }
    }
}
