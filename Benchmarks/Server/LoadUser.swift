import ChatterModel
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A signed-in account of the load, made through the public API.
struct LoadUser: Sendable {
    let server: LoadServer
    let id: ID<User>
    let accessToken: String

    static func signUp(on server: LoadServer, number: Int, device: Int = 0) async throws -> LoadUser {
        let phone = "+1415555\(String(format: "%04d", number))"
        let verify = VerifyCode(
            phone: phone, code: "000000",
            device: DeviceDescription(name: "bench \(device)", platform: "bench"))
        _ = try await server.call(Routes.requestCode, body: RequestCode(phone: phone))
        let signedIn = try await server.call(Routes.verifyCode, body: verify)
        let user = LoadUser(server: server, id: signedIn.user.id, accessToken: signedIn.accessToken)
        if !signedIn.user.profileComplete {
            _ = try await user.call(
                Routes.editProfile,
                body: EditProfile(displayName: "Load \(number)", username: "load\(number)"))
        }
        return user
    }

    func call<Body, Reply>(_ endpoint: Endpoint<Body, Reply>, _ id: String = "", body: Body) async throws
        -> Reply
    {
        try await server.call(endpoint, id, body: body, token: accessToken)
    }

    /// Makes the two friends and gives their conversation.
    func befriend(_ other: LoadUser) async throws -> ID<Conversation> {
        let request = try await call(Routes.sendFriendRequest, body: NewFriendRequest(userID: other.id))
        _ = try await other.call(Routes.acceptFriendRequest, request.id.rawValue, body: Nothing())
        return try await call(Routes.openDirect, body: OpenDirect(userID: other.id)).id
    }
}

/// The server under load: a process of its own on its embedded default, rate limits off.
struct LoadServer: Sendable {
    let port: UInt16

    func call<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ id: String = "", body: Body, token: String? = nil
    ) async throws -> Reply {
        let path = endpoint.path.replacingOccurrences(of: "{id}", with: id)
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw LoadFailure("bad path \(path)")
        }
        var request = URLRequest(url: url)
        request.httpMethod = endpoint.method.rawValue
        request.setValue("ck_demo", forHTTPHeaderField: Headers.clientKey)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: Headers.authorization) }
        if Body.self != Nothing.self { request.httpBody = try JSONEncoder().encode(body) }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == endpoint.status else {
            throw LoadFailure("\(endpoint.method.rawValue) \(path): \(String(decoding: data, as: UTF8.self))")
        }
        return try JSONDecoder().decode(Reply.self, from: status == 204 ? Data("{}".utf8) : data)
    }
}

struct LoadFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
