import ChatterModel
import Foundation

/// What one profile of the client needs to know before it can start.
public struct ClientConfiguration: Sendable {
    /// Scheme, host and port; `https` is required unless the host is a loopback one. A path prefix is kept. Trust is
    /// the system's: a private authority belongs into its certificate store.
    public var serverURL: URL
    /// Names the workspace; goes with every call.
    public var clientKey: String
    /// This profile's own directory: databases, secrets, lock. Made (0700) when missing; one process at a time.
    public var directory: URL
    /// How this device presents itself at sign-in.
    public var device: DeviceDescription

    public init(serverURL: URL, clientKey: String, directory: URL, device: DeviceDescription) {
        self.serverURL = serverURL
        self.clientKey = clientKey
        self.directory = directory
        self.device = device
    }
}
