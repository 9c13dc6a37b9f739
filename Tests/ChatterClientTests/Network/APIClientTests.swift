import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Typed calls", .timeLimit(.minutes(5)))
struct APIClientTests {
    private let rig = NetworkRig()

    @Test("A call carries the client key, the token and the encoded path")
    func headersAndPath() async throws {
        rig.http.on(Routes.user, error: APIError(.notFound, "nobody"))
        let api = rig.api(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in
            try await api.call(Routes.user, path: ["id": "a/b?c#d é%"])
        }
        #expect(error?.code == .notFound)
        let request = try #require(rig.http.requests.first)
        #expect(request.url.absoluteString == "https://chat.example/v1/users/a%2Fb%3Fc%23d%20%C3%A9%25")
        #expect(request.headers["X-Client-Key"] == "key-1")
        #expect(request.token == "access-1")
        #expect(request.body == nil)
    }

    @Test(
        "A call names the epoch of the device's numbers; when that is refused it is an outage, told once while it holds"
    )
    func epoch() async throws {
        let mark = EpochMark()
        let told = Broadcast(0)
        mark.whenRefused { told.send(told.value + 1) }
        let api = rig.api(try await rig.tokens(), epoch: mark)
        rig.http.on(Routes.me, error: APIError(.startOver, "another epoch"))
        mark.current = ID("first")
        let error = await clientError { () throws(ClientError) in try await api.call(Routes.me) }
        #expect(error?.kind == .outage && error?.isTransient == true)
        #expect(rig.http.requests.last?.headers["X-Epoch"] == "first")
        #expect(told.value == 1)
        // Left behind while the call was under way.
        rig.http.on(Routes.me) { _ in
            mark.current = ID("second")
            return .error(APIError(.startOver, "another epoch"))
        }
        _ = await clientError { () throws(ClientError) in try await api.call(Routes.me) }
        #expect(told.value == 1)
        _ = await clientError { () throws(ClientError) in try await api.call(Routes.me) }
        #expect(told.value == 2)
    }

    @Test("Thirty calls with an expired token make one refresh and all succeed")
    func thirtyCalls() async throws {
        rig.serveRefresh()
        rig.serveMe(valid: ["access-2"])
        let api = rig.api(try await rig.tokens())
        try await withThrowingTaskGroup(of: Me.self) { group in
            for _ in 0..<30 { group.addTask { try await api.call(Routes.me) } }
            for try await me in group { #expect(me.id == NetworkRig.userID) }
        }
        #expect(rig.http.requests(to: Routes.refresh).count == 1)
        #expect(rig.refusals.value == 0)
    }

    @Test("A token that is refused again after the refresh ends the call, not the session")
    func refusedTwice() async throws {
        rig.serveRefresh()
        rig.serveMe(valid: [])
        let api = rig.api(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in try await api.call(Routes.me) }
        #expect(error?.kind == .unauthorised)
        #expect(error?.failureClass == .unauthorised)
        #expect(rig.http.requests(to: Routes.me).count == 2)
        #expect(rig.http.requests(to: Routes.refresh).count == 1)
        #expect(rig.refusals.value == 0)
    }

    @Test("A refused client key is no reason to refresh")
    func wrongKey() async throws {
        rig.http.on(Routes.me, error: APIError(.clientKeyInvalid, "who?"))
        let api = rig.api(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in try await api.call(Routes.me) }
        #expect(error?.kind == .clientKeyRefused)
        #expect(rig.http.requests.count == 1)
    }

    @Test(
        "A success that cannot be read is a fault, and its text stays out of the error",
        arguments: ["", "{", "[]", "null", #"{"id":7}"#, "<html>secret</html>"])
    func malformed(body: String) async throws {
        rig.http.on(Routes.me) { _ in HTTPResponse(status: 200, body: Array(body.utf8)) }
        let api = rig.api(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in try await api.call(Routes.me) }
        #expect(error?.kind == .fault)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("An answer without a body needs none")
    func noBody() async throws {
        rig.http.on(Routes.logOut) { _ in HTTPResponse(status: 204) }
        let api = rig.api(try await rig.tokens())
        _ = try await api.call(Routes.logOut)
    }

    @Test("A field and its rule reach the caller")
    func details() async throws {
        rig.http.on(Routes.editProfile, error: .invalid("username", "too short"))
        let api = rig.api(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in
            try await api.call(Routes.editProfile, EditProfile(username: "x"))
        }
        #expect(error?.kind == .refused(code: "VALIDATION_FAILED"))
        #expect(error?.details == ["field": "username", "rule": "too short"])
        let sent = try rig.http.requests.first?.decoded(EditProfile.self)
        #expect(sent == EditProfile(username: "x"))
    }

    @Test(
        "A path parameter that would name another path is refused before anything is sent",
        arguments: ["", ".", ".."])
    func pathTraversal(id: String) async throws {
        let api = rig.api(try await rig.tokens())
        let error = await clientError { () throws(ClientError) in
            try await api.call(Routes.user, path: ["id": id])
        }
        #expect(error?.kind == .invalid)
        #expect(rig.http.requests.isEmpty)
    }

    @Test("A query is escaped, and what has no value is left out")
    func query() async throws {
        rig.http.on(Routes.searchUsers, reply: Page(items: []))
        let api = rig.api(try await rig.tokens())
        _ = try await api.call(Routes.searchUsers, query: ["q": "+65 a&b=c", "cursor": nil])
        #expect(
            rig.http.requests.first?.url.absoluteString
                == "https://chat.example/v1/users/search?q=%2B65%20a%26b%3Dc")
    }
}
