import ChatterModel

/// A message that came while nobody looked.
nonisolated public struct Notification: Hashable, Sendable {
    /// Where it leads; a newer one of the same chat takes its place.
    public var conversation: ID<Conversation>
    public var title: String
    public var body: String
}

/// The system's notifications.
public protocol Notifier {
    func post(_ notification: Notification)
    func withdraw(_ conversation: ID<Conversation>)
    func withdrawAll()
}
