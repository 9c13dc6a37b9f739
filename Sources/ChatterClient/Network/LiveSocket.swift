import ChatterModel
import Foundation

/// An authenticated live connection that speaks frames.
struct LiveSocket: Sendable {
    enum Input: Sendable, Hashable {
        case frame(ServerFrame)
        /// The last one.
        case closed(Closure)
    }

    enum Closure: Sendable, Hashable {
        /// `code` nil: a code that this build does not know.
        case byServer(CloseCode?)
        case byClient
        /// The server sent a frame above the limit: what it held is to be paged by REST, since asking for it over the
        /// socket again would end the same way.
        case messageTooLarge
        case lost(String)
    }

    let connection: any SocketConnection
    let decoder: FrameDecoder
    /// Tells which close codes speak about the token.
    let closed: @Sendable (CloseCode?) async -> Void

    /// What comes in, in order, ending after `closed`. Unknown events and unreadable frames are left out. For one
    /// consumer.
    var inputs: Inputs { Inputs(socket: self) }

    /// Hands a frame to the connection, in the order of the calls.
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

    fileprivate func read(_ event: SocketEvent) async -> Input? {
        switch event {
        case .text(let text): decoder.decode(text).map { .frame($0) }
        case .closed(.byServer(let number)): .closed(.byServer(await heard(CloseCode(rawValue: number))))
        case .closed(.byClient): .closed(.byClient)
        case .closed(.messageTooLarge): .closed(.messageTooLarge)
        case .closed(.lost(let reason)): .closed(.lost(reason))
        }
    }

    private func heard(_ code: CloseCode?) async -> CloseCode? {
        await closed(code)
        return code
    }
}

extension LiveSocket {
    struct Inputs: AsyncSequence {
        fileprivate let socket: LiveSocket

        func makeAsyncIterator() -> Iterator {
            Iterator(socket: socket, events: socket.connection.events.makeAsyncIterator())
        }

        struct Iterator: AsyncIteratorProtocol {
            fileprivate let socket: LiveSocket
            fileprivate var events: AsyncStream<SocketEvent>.AsyncIterator

            mutating func next() async -> Input? {
                while let event = await events.next() {
                    if let input = await socket.read(event) { return input }
                }
                return nil
            }
        }
    }
}
