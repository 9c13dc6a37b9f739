import Synchronization

/// The right to answer one request, once, from any thread. Dropped unused, it answers 500 by itself.
final class PendingReply: Sendable {
    private let isUsed = Atomic(false)
    private let loop: EventLoop
    /// Weak: a handler may keep a reply for ever without keeping the connection, or itself.
    private weak let connection: ServerConnection?
    private let requestNumber: Int

    init(_ connection: ServerConnection, loop: EventLoop, requestNumber: Int) {
        self.connection = connection
        self.loop = loop
        self.requestNumber = requestNumber
    }

    deinit { answer(nil) }

    func callAsFunction(_ response: HTTPResponse) { answer(response) }

    private func answer(_ response: HTTPResponse?) {
        guard !isUsed.exchange(true, ordering: .relaxed), let connection else { return }
        let requestNumber = requestNumber
        // Later on the loop's own thread too: inside the request's callback an answer would come too early.
        loop.perform { connection.answer(response, to: requestNumber) }
    }
}
