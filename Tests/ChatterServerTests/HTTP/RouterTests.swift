import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("Requests that no handler sees", .timeLimit(.minutes(5)))
struct RouterTests {
    let server: TestServer
    let device: TestDevice

    init() async throws {
        server = try await TestServer()
        device = try await server.signIn(phone: server.newPhone())
    }

    @Test(
        "An unknown path is NOT_FOUND as JSON",
        arguments: [
            "/", "/v1", "/v1/", "/v1/nothing", "//v1/devices", "/v1/devices/", "/v1//devices", "*",
            "/v1/devices/a/b",
        ])
    func unknownPath(_ path: String) async throws {
        let answer = await device.caller.send("GET", path)
        #expect(answer.status == 404)
        #expect(try answer.apiError.code == .notFound)
        #expect(answer.header("Content-Type") == "application/json")
    }

    @Test("A known path with another method is METHOD_NOT_ALLOWED and names the methods")
    func wrongMethod() async throws {
        for (method, path, allowed) in [
            ("PUT", "/v1/devices", "GET, HEAD"), ("OPTIONS", "/v1/devices", "GET, HEAD"),
            ("GET", "/v1/devices/some", "DELETE"), ("get", "/v1/devices", "GET, HEAD"),
            ("HEAD", "/v1/auth/refresh", "POST"), ("POST", "/metrics", "GET, HEAD"),
        ] {
            let answer = await device.caller.send(method, path)
            #expect(answer.status == 405, "\(method) \(path)")
            if method != "HEAD" { #expect(try answer.apiError.code == .methodNotAllowed) }
            #expect(answer.header("Allow") == allowed, "\(method) \(path)")
        }
    }

    @Test("HEAD answers as GET does, without the body")
    func head() async throws {
        let get = await device.caller.send("GET", "/v1/devices")
        let head = await device.caller.send("HEAD", "/v1/devices")
        #expect(head.status == 200 && get.status == 200)
        #expect(head.body.isEmpty && !get.body.isEmpty)
        #expect(head.header("Content-Type") == get.header("Content-Type"))
        let refused = await server.anonymous.send("HEAD", "/v1/devices")
        #expect(refused.status == 401 && refused.body.isEmpty)
    }

    @Test("The live path without an upgrade is UPGRADE_REQUIRED")
    func upgradeRequired() async throws {
        let answer = await device.caller.send("GET", "/v1/ws")
        #expect(try answer.apiError.code == .upgradeRequired)
        #expect(answer.header("Upgrade") == "websocket")
    }

    @Test(
        "A body that is no JSON of its kind is VALIDATION_FAILED and is not repeated in the answer",
        arguments: [
            "", "{", "[]", "null", "7", "\"secret words\"", "{\"phone\": 7}", "{\"phone\": null}", "{}",
            "{\"phone\": \"secret words\"", "\u{FEFF}{\"phone\"", "{\"phone\": \"\\ud800\"}",
            String(repeating: "[", count: 100_000), "{\"secret words\": \"secret words\"}",
        ])
    func malformedBody(_ body: String) async throws {
        let answer = await server.anonymous.send(
            "POST", "/v1/auth/request-code", headers: ["content-type": "application/json"],
            body: Array(body.utf8))
        #expect(try answer.apiError.code == .validationFailed)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret words"))
    }

    @Test("Bytes that are no UTF-8 are VALIDATION_FAILED")
    func invalidUTF8() async throws {
        let body = Array("{\"phone\": \"".utf8) + [0xff, 0xfe, 0xc0] + Array("\"}".utf8)
        let answer = await server.anonymous.send("POST", "/v1/auth/request-code", body: body)
        #expect(try answer.apiError.code == .validationFailed)
    }

    @Test("The missing field is named")
    func fieldNames() async throws {
        let answer = await server.anonymous.send(
            "POST", "/v1/auth/verify", body: Array(#"{"phone":"+1","code":"1","device":{"name":"x"}}"#.utf8))
        #expect(try answer.apiError.details == ["field": "device.platform", "rule": "is missing"])
    }

    @Test("A body of another type is UNSUPPORTED_MEDIA_TYPE; JSON with parameters is fine")
    func mediaType() async throws {
        let body = try Wire.encode(RequestCode(phone: server.newPhone()))
        for type in ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonx", "json"] {
            let answer = await server.anonymous.send(
                "POST", "/v1/auth/request-code", headers: ["content-type": type], body: body)
            #expect(try answer.apiError.code == .unsupportedMediaType, "\(type)")
        }
        for type in ["application/json", "Application/JSON; charset=utf-8", " application/json ;x=y"] {
            let answer = await server.anonymous.send(
                "POST", "/v1/auth/request-code", headers: ["content-type": type], body: body)
            #expect(answer.status == 200, "\(type)")
        }
    }

    @Test("A body above the limit is PAYLOAD_TOO_LARGE")
    func tooLarge() async throws {
        let body = [UInt8](repeating: 0x20, count: Limits.requestBytes + 1)
        let answer = await server.anonymous.send("POST", "/v1/auth/request-code", body: body)
        #expect(try answer.apiError.code == .payloadTooLarge)
    }

    @Test("Where no body is expected, whatever comes is ignored")
    func ignoredBody() async throws {
        let answer = await device.caller.send(
            "DELETE", "/v1/devices/\(device.device)", headers: ["content-type": "text/plain"],
            body: Array("{".utf8))
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
    }

    @Test("What goes wrong inside stays inside")
    func internalErrors() async throws {
        struct Leak: Error { let words = "SELECT secret FROM server_keys" }
        let router = Router()
        router.onPage("/fails") { throw Leak() }
        let entries = Recorder<Log.Entry>()
        let log = Log(lowest: .debug) { entries.add($0) }
        let directory = try TemporaryDirectory()
        let pipeline = try await Pipeline(
            routes: RouteTable(router.routes), .forTests(in: directory, log: log))
        let answer = await pipeline.handle(server.anonymous.request("GET", "/fails"))
        #expect(answer.status == 500)
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"error":{"code":"INTERNAL","message":"internal error"}}"#
                || String(decoding: answer.body, as: UTF8.self)
                    == #"{"error":{"message":"internal error","code":"INTERNAL"}}"#
        )
        let failure = try #require(entries.values.first { $0.level == .error })
        let line = LogLines(format: .text, clock: server.clock).line(failure)
        #expect(line.contains("request failed") && line.contains("/fails"))
        #expect(!line.contains("SELECT"))
    }
}

@Suite("Finding routes")
struct RouteTableTests {
    private func table(_ paths: String...) -> RouteTable {
        let router = Router()
        for path in paths { router.onPage(path) { .init(status: 200) } }
        return RouteTable(router.routes)
    }

    private func find(_ path: String, in table: RouteTable) -> (String, [String: String])? {
        guard case .found(let route, let parameters) = table.match(method: "GET", path: path) else {
            return nil
        }
        return (route.pattern.text, parameters)
    }

    @Test("A fixed segment beats a named one, in whatever order they were registered")
    func precedence() {
        for table in [table("/users/{id}", "/users/search"), table("/users/search", "/users/{id}")] {
            #expect(find("/users/search", in: table)?.0 == "/users/search")
            #expect(find("/users/7", in: table)?.0 == "/users/{id}")
        }
    }

    @Test("Parameters are percent-decoded after the path was cut, and never empty")
    func parameters() {
        let table = table("/a/{x}/b/{y}")
        #expect(find("/a/1%2F2/b/%40me", in: table)?.1 == ["x": "1/2", "y": "@me"])
        #expect(find("/a//b/1", in: table) == nil)
        #expect(find("/a/%/b/%ff", in: table)?.1 == ["x": "%", "y": "%ff"])
    }
}

@Suite("Query parameters")
struct QueryTests {
    @Test("They are decoded; of a repeated name the first counts")
    func decoding() {
        let query = Query("q=a%26b+c&q=second&empty=&bare&&=x&bad=%zz")
        #expect(query.text("q") == "a&b c")
        #expect(query.text("empty") == "" && query.text("bare") == "" && query.text("bad") == "%zz")
        #expect(query.text("missing") == nil)
    }

    @Test(
        "Numbers and limits are checked",
        arguments: ["0", "201", "-1", "x", "", "1.5", "99999999999999999999"])
    func limits(_ text: String) {
        #expect(throws: APIError.self) { try Query("limit=\(text)").limit() }
    }

    @Test("Without a limit it is 50")
    func defaults() throws {
        #expect(try Query("").limit() == 50)
        #expect(try Query("limit=200").limit() == 200)
        #expect(try Query("").int64("afterSeq") == nil)
        #expect(try Query("afterSeq=7").int64("afterSeq") == 7)
        #expect(throws: APIError.self) { try Query("afterSeq=-1").int64("afterSeq") }
    }

    @Test("A word of a list, or VALIDATION_FAILED with the list")
    func words() throws {
        #expect(try Query("scope=everyone").value("scope", of: DeletionScope.self) == .everyone)
        let error = #expect(throws: APIError.self) {
            try Query("scope=all").value("scope", of: DeletionScope.self)
        }
        #expect(error?.message == "scope: must be one of me, everyone")
    }
}
