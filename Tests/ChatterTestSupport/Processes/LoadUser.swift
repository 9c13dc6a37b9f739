import ChatterModel
import Foundation
import WebSockets

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A signed-in account of the load, made through the public API.
public struct LoadUser: Sendable {
    public let server: LoadServer
    public let id: ID<User>
    public let accessToken: String

    public static func signUp(on server: LoadServer, number: Int, device: Int = 0) async throws -> LoadUser {
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

    public func call<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ id: String = "", body: Body
    ) async throws -> Reply {
        try await server.call(endpoint, id, body: body, token: accessToken)
    }

    /// Makes the two friends and gives their conversation.
    public func befriend(_ other: LoadUser) async throws -> ID<Conversation> {
        let request = try await call(Routes.sendFriendRequest, body: NewFriendRequest(userID: other.id))
        _ = try await other.call(Routes.acceptFriendRequest, request.id.rawValue, body: Nothing())
        return try await call(Routes.openDirect, body: OpenDirect(userID: other.id)).id
    }

    /// One more socket of this device.
    public func connect() async throws -> WebSocketClient {
        guard let url = URL(string: "ws://127.0.0.1:\(server.port)/v1/ws") else {
            throw LoadFailure("bad URL")
        }
        return try await WebSocketClient.connect(
            WebSocketClientConfiguration(
                url: url,
                headers: [
                    (Headers.clientKey, "ck_demo"), (Headers.authorization, "Bearer \(accessToken)"),
                ],
                connectTimeout: .seconds(50)))
    }
}

/// The server under load: a process of its own on its embedded default, rate limits off.
public struct LoadServer: Sendable {
    public let port: UInt16

    public init(port: UInt16) { self.port = port }

    public static func get(_ url: URL) async throws -> Data { try await URLSession.shared.data(from: url).0 }

    public func call<Body, Reply>(
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

public struct LoadFailure: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
