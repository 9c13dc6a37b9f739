import ChatterClient
import ChatterModel
import Observation

/// What waits, what is missing, how the connection stands: for a person who wonders, and for whoever helps.
@Observable
public final class StatusViewModel {
    nonisolated public struct Line: Identifiable, Hashable, Sendable {
        public var label: String
        public var value: String
        public var id: String { label }
    }

    public private(set) var lines: [Line] = []
    /// Actions that failed for good.
    public private(set) var failed: [OutboxItem] = []
    public private(set) var notice: String?

    @ObservationIgnored private let client: ChatterClient

    init(client: ChatterClient) { self.client = client }

    /// Keeps it fresh until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followOutbox() }
            group.addTask { await self.followConnection() }
        }
    }

    private func followOutbox() async {
        for await items in client.outbox.items() {
            failed = items.filter { if case .failed = $0.state { true } else { false } }
            await refresh()
        }
    }

    private func followConnection() async {
        for await _ in client.connection { await refresh() }
    }

    private func refresh() async {
        do throws(ClientError) {
            let status = try await client.status()
            lines = Self.lines(status)
        } catch {
            notice = ErrorWords.sentence(error)
        }
    }

    private static func lines(_ status: ClientStatus) -> [Line] {
        let waiting = status.queued.values.reduce(0, +)
        var lines = [
            Line(label: "Connection", value: ConnectionLabel.text(status.connection)),
            Line(label: "Waiting to be sent", value: "\(waiting)"),
            Line(label: "Failed", value: "\(status.failed)"),
            Line(label: "Messages being fetched", value: "\(status.missingMessages)"),
            Line(label: "Clock", value: skew(status.clockSkew)),
            Line(label: "Unreadable events", value: "\(status.malformedFrames)"),
            Line(label: "Tokens are kept in", value: status.secretStore),
        ]
        if let error = status.lastError {
            lines.append(Line(label: "Last problem", value: ErrorWords.sentence(error)))
        }
        return lines
    }

    private static func skew(_ skew: Duration?) -> String {
        guard let skew else { return "not compared yet" }
        let seconds = Double(skew.components.seconds) + Double(skew.components.attoseconds) / 1e18
        guard abs(seconds) >= 2 else { return "right" }
        return "\(ErrorWords.span(.seconds(abs(seconds)))) \(seconds > 0 ? "behind" : "ahead of") the server"
    }

    public func noticeClosed() { notice = nil }

    public func retryTapped(_ id: OutboxItem.ID) async {
        notice = await attempt { () async throws(ClientError) in try await client.outbox.retry(id) }
    }

    public func discardTapped(_ id: OutboxItem.ID) async {
        notice = await attempt { () async throws(ClientError) in try await client.outbox.discard(id) }
    }
}
