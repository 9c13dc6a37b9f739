import ChatterModel
import ChatterServer
import ChatterTestSupport
import Testing

@Suite("Reports, as the operator reads them", .timeLimit(.minutes(5)))
struct OperatorReportsTests {
    let server: TestServer
    let keys: WorkspaceKeys
    let reporter: TestDevice
    let reported: TestDevice

    init() async throws {
        server = try await TestServer()
        keys = try await server.server.createWorkspace(named: "acme")
        reporter = try await Self.person("reporter", server, keys)
        reported = try await Self.person("reported", server, keys)
    }

    private static func person(
        _ name: String, _ server: TestServer, _ keys: WorkspaceKeys
    ) async throws -> TestDevice {
        let device = try await server.signIn(phone: server.newPhone(), clientKey: keys.clientKey)
        _ = try await device.call(Routes.editProfile, body: EditProfile(displayName: name, username: name))
        return device
    }

    private func page(_ query: String = "", secret: String? = nil) async throws -> Page<Report> {
        let answer = await server.anonymous.send(
            "GET", "/v1/admin/reports", query: query,
            headers: ["x-client-secret": secret ?? keys.clientSecret])
        guard answer.status == 200 else { throw try answer.apiError }
        return try Wire.decode(Page<Report>.self, from: answer.body)
    }

    @Test("Newest first, page by page, each once; the last page has no cursor")
    func paging() async throws {
        for number in 0..<7 {
            let body = NewReport(userID: reported.user, reason: .spam, comment: "number \(number)")
            _ = try await reporter.call(Routes.report, body: body)
        }
        var comments: [String] = []
        var sizes: [Int] = []
        var cursor: String?
        repeat {
            let next = try await page("limit=3" + (cursor.map { "&cursor=\($0)" } ?? ""))
            comments += next.items.map(\.comment)
            sizes.append(next.items.count)
            cursor = next.nextCursor
        } while cursor != nil
        #expect(comments == (0..<7).reversed().map { "number \($0)" })
        #expect(sizes == [3, 3, 1])
        #expect(try await page("limit=7").nextCursor == nil)
    }

    @Test("A report names both people and why")
    func content() async throws {
        let filed = try await reporter.call(
            Routes.report, body: NewReport(userID: reported.user, reason: .harassment))
        let report = try #require(try await page().items.first)
        #expect(report.id == filed.id && report.reporterID == reporter.user)
        #expect(report.userID == reported.user && report.reason == .harassment)
        #expect(report.createdAt == server.clock.now && report.messageID == nil)
    }

    @Test("Another workspace's operator sees none of them")
    func otherOperator() async throws {
        _ = try await reporter.call(Routes.report, body: NewReport(userID: reported.user, reason: .spam))
        let other = try await server.server.createWorkspace(named: "other")
        #expect(try await page(secret: other.clientSecret).items.isEmpty)
        #expect(try await page().items.count == 1)
    }

    @Test("A limit out of range is refused")
    func limits() async throws {
        for query in ["limit=0", "limit=201", "limit=x"] {
            await refused(.validationFailed) { try await page(query) }
        }
    }
}
