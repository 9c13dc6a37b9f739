import ChatterModel

/// An authenticated live connection that speaks frames.
struct LiveSocket: LiveLink {
    let connection: any SocketConnection
    let tokenEndsAt: Duration
    let decoder: FrameDecoder
    /// Told the close code, before anybody else: it may speak about the token.
    let closed: @Sendable (CloseCode?) async -> Void

    /// Unknown events and unreadable frames are left out.
    var inputs: AsyncStream<LiveInput> {
        let events = connection.events
        return AsyncStream {
            for await event in events {
                if let input = await read(event) { return input }
            }
            return nil
        }
    }

    var unreadableFrames: Int { decoder.malformedCount }

    func send(_ frame: ClientFrame) async throws(ClientError) {
        let text: [UInt8]
        do {
            text = try Wire.encode(frame)
        } catch {
            throw ClientError(.invalid, "\(frame.action.type) cannot be encoded")
        }
        do {
            try await connection.send(text)
        } catch {
            throw ClientError(error, now: Timestamp(milliseconds: 0))
        }
    }

    func close() {
        connection.close(code: 1000)
    }

    private func read(_ event: SocketEvent) async -> LiveInput? {
        switch event {
        case .text(let text): return decoder.decode(text).map { .frame($0) }
        case .closed(.byServer(let code)):
            await closed(CloseCode(rawValue: code))
            return .closed(code: code, reason: "closed by the server with \(code)")
        case .closed(.byClient): return .closed(code: nil, reason: "closed here")
        case .closed(.lost(let reason)): return .closed(code: nil, reason: reason)
        case .closed(.messageTooLarge):
            return .closed(code: CloseCode.tooLarge.rawValue, reason: "a message was too large")
        }
    }
}
