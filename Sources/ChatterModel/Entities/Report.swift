/// A report, as the operator reads it.
public struct Report: Codable, Hashable, Sendable {
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case spam, harassment, hate, violence, nudity, impersonation, other
    }

    public var id: ID<Report>
    public var reporterID: ID<User>
    public var userID: ID<User>
    public var messageID: ID<Message>?
    /// The message's text when it was reported: evidence outlives a deletion.
    public var messageBody: String?
    public var reason: Reason
    public var comment: String
    public var createdAt: Timestamp

    public init(
        id: ID<Report>, reporterID: ID<User>, userID: ID<User>, messageID: ID<Message>?, messageBody: String?,
        reason: Reason, comment: String, createdAt: Timestamp
    ) {
        self.id = id
        self.reporterID = reporterID
        self.userID = userID
        self.messageID = messageID
        self.messageBody = messageBody
        self.reason = reason
        self.comment = comment
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id, messageBody, reason, comment, createdAt
        case reporterID = "reporterId"
        case userID = "userId"
        case messageID = "messageId"
    }
}
