#if os(Linux)
    import Foundation
    import WebSockets

    /// The live socket transport on Linux, whose `URLSessionWebSocketTask` does not work: libcurl there has no
    /// WebSockets.
    struct WebSocketsTransport: SocketTransport {
        func connect(_ request: SocketRequest) async throws(SocketError) -> any SocketConnection {
            var limits = Limits()
            limits.frameBytes = request.messageLimit
            limits.queueBytes = 4 * request.messageLimit
            let configuration = WebSocketClientConfiguration(
                url: request.url, headers: request.headers.sorted { $0.key < $1.key }, limits: limits,
                connectTimeout: request.timeout)
            do {
                return Connection(try await WebSocketClient.connect(configuration))
            } catch {
                throw SocketError(error)
            }
        }

        private final class Connection: SocketConnection {
            let events: AsyncStream<SocketEvent>
            private let client: WebSocketClient

            init(_ client: WebSocketClient) {
                self.client = client
                let (events, continuation) = AsyncStream.makeStream(of: SocketEvent.self)
                self.events = events
                // Ends by itself: the wrapper ends `messages` whenever the connection ends. It holds the client, so
                // an events stream that nobody reads any more closes the connection below.
                let pump = Task {
                    do {
                        for try await message in client.messages { continuation.yield(.text(message)) }
                        continuation.yield(.closed(SocketClosure(client.closeCode)))
                    } catch {
                        continuation.yield(.closed(.lost("\(error)")))
                    }
                    continuation.finish()
                }
                continuation.onTermination = { reason in
                    guard case .cancelled = reason else { return }
                    pump.cancel()
                    Task { await client.close(code: 1001, reason: "") }
                }
            }

            func send(_ text: [UInt8]) async throws(SocketError) {
                do {
                    try client.send(text)
                } catch {
                    throw .closed  // Also with a full queue, after which the wrapper closes.
                }
            }

            func close(code: UInt16) {
                // The wrapper's call waits for the end, which `events` tells.
                Task { await client.close(code: code, reason: "") }
            }
        }
    }

    extension SocketClosure {
        /// The wrapper says 1009 for both ends, and 1006 when no close frame was seen.
        fileprivate init(_ close: (code: UInt16, reason: String)?) {
            self =
                switch close?.code {
                case 1009: .messageTooLarge
                case 1000, 1001: .byServer(code: close?.code ?? 1000)
                case nil, 1006: .lost("the connection ended")
                case let code?: .byServer(code: code)
                }
        }
    }

    extension SocketError {
        fileprivate init(_ error: WebSocketError) {
            self =
                switch error {
                case .refused(let status, let headers, _):
                    .refused(status: status, retryAfter: headers["retry-after"])
                case .timedOut: .timedOut
                case .tls: .tls(error.description)
                case .cancelled: .cancelled
                case .closed, .queueFull: .closed
                case .unreachable, .badHandshake, .badURL, .addressInUse, .badHost, .permissionDenied,
                    .badIdentity, .system:
                    .noConnection(error.description)
                }
        }
    }
#endif
