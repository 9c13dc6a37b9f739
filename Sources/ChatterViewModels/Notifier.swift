import ChatterModel

/// A message that came while nobody looked.
nonisolated public struct Notification: Hashable, Sendable {
    /// Where it leads; a newer one of the same chat takes its place.
    public var conversation: ID<Conversation>
    public var title: String
    public var body: String
}

/// Somebody asks to be friends. It leads to the requests.
nonisolated public struct RequestNotification: Hashable, Sendable {
    public var user: ID<User>
    public var title: String
    public var body: String
}

/// The system's notifications.
public protocol Notifier {
    func post(_ notification: Notification)
    func withdraw(_ conversation: ID<Conversation>)
    func post(_ request: RequestNotification)
    /// The request of this person was answered or taken back.
    func withdrawRequest(of user: ID<User>)
    func withdrawAll()
}

/// A system that has no room for requests shows them in the window alone.
extension Notifier {
    public func post(_ request: RequestNotification) {}
    public func withdrawRequest(of user: ID<User>) {}
}
