import ChatterModel

/// A live connection of this process; never reused.
public struct ConnectionID: Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// An event on its way to whoever is connected.
struct Outgoing: Sendable {
    enum Target: Sendable {
        case user(ID<User>)
        case users([ID<User>])
        case connection(ConnectionID)
    }

    let frame: ServerFrame
    let target: Target
    /// Left out: the connection that caused it and is answered otherwise.
    let except: ConnectionID?

    init(_ frame: ServerFrame, to target: Target, except: ConnectionID? = nil) {
        self.frame = frame
        self.target = target
        self.except = except
    }
}
