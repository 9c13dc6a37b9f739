/// A signed-in device of one's own account.
public struct Device: Codable, Hashable, Sendable {
    public var id: ID<Device>
    public var name: String
    /// `ios`, `linux`, `cli`, …
    public var platform: String
    public var createdAt: Timestamp
    public var lastSeenAt: Timestamp
    /// The device that asks.
    public var isCurrent: Bool

    public init(
        id: ID<Device>, name: String, platform: String, createdAt: Timestamp, lastSeenAt: Timestamp,
        isCurrent: Bool
    ) {
        self.id = id
        self.name = name
        self.platform = platform
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.isCurrent = isCurrent
    }
}

/// How a device presents itself at sign-in. Each at most 64 characters.
public struct DeviceDescription: Codable, Hashable, Sendable {
    public var name: String
    public var platform: String

    public init(name: String, platform: String) {
        self.name = name
        self.platform = platform
    }
}
