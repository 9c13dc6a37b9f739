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

    /// An action that failed for good.
    nonisolated public struct Failed: Identifiable, Hashable, Sendable {
        public var id: OutboxItem.ID
        public var title: String
        public var reason: String
    }

    public private(set) var lines: [Line] = []
    public private(set) var failed: [Failed] = []
    public private(set) var notice: String?

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private var looks = 0

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
            failed = items.compactMap { item in
                guard case .failed(let reason) = item.state else { return nil }
                return Failed(
                    id: item.id, title: Self.title(ofKind: item.kind), reason: RefusalLabel.text(reason))
            }
            await refresh()
        }
    }

    private func followConnection() async {
        for await _ in client.connection { await refresh() }
    }

    private func refresh() async {
        looks += 1
        let look = looks
        do throws(ClientError) {
            let status = try await client.status()
            // A later look is already shown, or about to be.
            guard look == looks else { return }
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

    private static func title(ofKind kind: String) -> String {
        switch kind {
        case "message.send": "A message"
        case "message.delete": "Deleting a message"
        case "receipt.read": "What you have read"
        case "settings.edit": "A chat’s settings"
        case "profile.edit": "A change of your profile"
        case "friend.request": "A friend request"
        case "friend.cancel": "Taking back a friend request"
        case "friend.accept": "Accepting a friend request"
        case "friend.decline": "Declining a friend request"
        case "friend.remove": "Removing a friend"
        case "block.add": "Blocking somebody"
        case "block.remove": "Unblocking somebody"
        default: kind
        }
    }

    public func retryTapped(_ id: OutboxItem.ID) async {
        notice = await attempt { () async throws(ClientError) in try await client.outbox.retry(id) }
    }

    public func discardTapped(_ id: OutboxItem.ID) async {
        notice = await attempt { () async throws(ClientError) in try await client.outbox.discard(id) }
    }

    public func noticeClosed() { notice = nil }
}
