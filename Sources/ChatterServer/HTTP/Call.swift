import ChatterModel

/// A customer of this server: one app with its own users. Nothing crosses from one to another.
enum Workspace {}

/// What a signed-in request brings along beside its body.
struct Call: Sendable {
    let workspace: ID<Workspace>
    let user: ID<User>
    let device: ID<Device>
    /// The path's named parameters, decoded.
    let parameters: [String: String]
    let query: Query
    let remoteAddress: String

    /// The path's parameter `name` as an id.
    func id<Entity>(_ name: String = "id") -> ID<Entity> { ID(parameters[name] ?? "") }
}

/// What a request without an account brings along: signing in, and the operator's calls.
struct WorkspaceCall: Sendable {
    let workspace: ID<Workspace>
    let parameters: [String: String]
    let query: Query
    let remoteAddress: String
}
