import ChatterModel

/// A workspace as it is made or rotated: the only time that its secret is seen.
public struct WorkspaceKeys: Codable, Sendable, Equatable {
    public let id: String
    public let name: String
    /// Goes into the app; `X-Client-Key`.
    public let clientKey: String
    /// The operator's, for the admin API; `X-Client-Secret`. Only its hash is stored.
    public let clientSecret: String
}

/// A workspace as it is listed.
public struct WorkspaceListing: Codable, Sendable, Equatable {
    public let id: String
    public let name: String
    public let clientKey: String
    public let createdAt: Timestamp
}

extension WorkspaceKeys {
    init(id: String, name: String, clientKey: String? = nil, random: any RandomBytes) {
        self.init(
            id: id, name: name, clientKey: clientKey ?? "ck_" + base64URL(random.bytes(18)),
            clientSecret: "cs_" + base64URL(random.bytes(32)))
    }
}
