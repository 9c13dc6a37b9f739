import ChatterModel
import Testing

/// A route of the code without its types, and what its bodies become on their way through Swift.
struct PinnedRoute: Sendable, CustomTestStringConvertible {
    let name: String
    let method: String
    let path: String
    let access: Access
    let status: Int
    let body: Passage?
    let reply: Passage?

    /// Decodes an example and encodes it again.
    typealias Passage = @Sendable (JSONValue) throws -> (value: any Sendable, json: JSONValue)

    init<Body, Reply>(_ name: String, _ endpoint: Endpoint<Body, Reply>) {
        self.name = name
        method = endpoint.method.rawValue
        path = endpoint.path
        access = endpoint.access
        status = endpoint.status
        body = Self.passage(Body.self)
        reply = Self.passage(Reply.self)
    }

    /// nil for `Nothing`.
    private static func passage<Value: Codable & Sendable>(_ type: Value.Type) -> Passage? {
        if type == Nothing.self { return nil }
        return { example in try passThrough(type, example) }
    }

    var testDescription: String { name }

    static let all = [
        PinnedRoute("health", Routes.health),
        PinnedRoute("requestCode", Routes.requestCode),
        PinnedRoute("verifyCode", Routes.verifyCode),
        PinnedRoute("refresh", Routes.refresh),
        PinnedRoute("logOut", Routes.logOut),
        PinnedRoute("me", Routes.me),
        PinnedRoute("editProfile", Routes.editProfile),
        PinnedRoute("deleteAccount", Routes.deleteAccount),
        PinnedRoute("usernameAvailability", Routes.usernameAvailability),
        PinnedRoute("searchUsers", Routes.searchUsers),
        PinnedRoute("user", Routes.user),
        PinnedRoute("sendFriendRequest", Routes.sendFriendRequest),
        PinnedRoute("friendRequests", Routes.friendRequests),
        PinnedRoute("acceptFriendRequest", Routes.acceptFriendRequest),
        PinnedRoute("declineFriendRequest", Routes.declineFriendRequest),
        PinnedRoute("cancelFriendRequest", Routes.cancelFriendRequest),
        PinnedRoute("friends", Routes.friends),
        PinnedRoute("removeFriend", Routes.removeFriend),
        PinnedRoute("blocks", Routes.blocks),
        PinnedRoute("block", Routes.block),
        PinnedRoute("unblock", Routes.unblock),
        PinnedRoute("report", Routes.report),
        PinnedRoute("openDirect", Routes.openDirect),
        PinnedRoute("conversations", Routes.conversations),
        PinnedRoute("conversation", Routes.conversation),
        PinnedRoute("editSettings", Routes.editSettings),
        PinnedRoute("messages", Routes.messages),
        PinnedRoute("sendMessage", Routes.sendMessage),
        PinnedRoute("deleteMessage", Routes.deleteMessage),
        PinnedRoute("moveReceipts", Routes.moveReceipts),
        PinnedRoute("sync", Routes.sync),
        PinnedRoute("devices", Routes.devices),
        PinnedRoute("signOutDevice", Routes.signOutDevice),
        PinnedRoute("reports", Routes.reports),
    ]
}

func passThrough<Value: Codable & Sendable>(
    _ type: Value.Type, _ example: JSONValue
) throws -> (value: any Sendable, json: JSONValue) {
    let value = try Wire.decode(type, from: try Wire.encode(example))
    return (value, try Wire.decode(JSONValue.self, from: try Wire.encode(value)))
}
