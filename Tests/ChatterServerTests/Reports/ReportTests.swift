import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Reports", .timeLimit(.minutes(5)))
struct ReportTests {
    private func report(
        _ person: TestDevice, by reporter: TestDevice, message: ID<Message>? = nil, comment: String? = nil
    ) async throws -> ReportFiled {
        try await reporter.call(
            Routes.report,
            body: NewReport(userID: person.user, messageID: message, reason: .spam, comment: comment))
    }

    @Test("A person can be reported without a message, also when blocked or gone")
    func person() async throws {
        let two = try await TwoFriends()
        _ = try await report(two.alice, by: two.bob, comment: "keeps calling")
        _ = try await two.bob.block(two.alice)
        _ = try await report(two.alice, by: two.bob)
        _ = try await two.alice.call(Routes.deleteAccount)
        _ = try await report(two.alice, by: two.bob)
        await two.server.stop()
    }

    @Test("A message must be the reported person's, and one that the reporter can see")
    func message() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        let sent = try await two.alice.send("buy now", in: two.chat)
        let own = try await two.bob.send("no", in: two.chat)
        _ = try await report(two.alice, by: two.bob, message: sent.id)
        await refused(.notFound) { try await report(two.alice, by: two.bob, message: own.id) }
        await refused(.notFound) { try await report(two.alice, by: carol, message: sent.id) }
        await refused(.notFound) { try await report(two.alice, by: two.bob, message: ID("nothing")) }
        await refused(.validationFailed) { try await report(two.bob, by: two.bob) }
        await refused(.validationFailed) {
            try await report(two.alice, by: two.bob, comment: String(repeating: "x", count: 1001))
        }
        await two.server.stop()
    }

    @Test("The operator reads the text that was reported, after its deletion too, and never after before")
    func evidence() async throws {
        let two = try await TwoFriends()
        let workspace = try await two.server.server.createWorkspace(named: "reported")
        let alice = try await person("alice_r", in: workspace.clientKey, two.server)
        let bob = try await person("bobby_r", in: workspace.clientKey, two.server)
        try await alice.befriend(bob)
        let chat = try await alice.openChat(with: bob)
        let early = try await alice.send("reported in time", in: chat)
        let late = try await alice.send("deleted before", in: chat)
        let first = try await report(alice, by: bob, message: early.id)
        _ = try await alice.delete(early.id, .everyone)
        _ = try await alice.delete(late.id, .everyone)
        let second = try await report(alice, by: bob, message: late.id)

        let answer = await two.server.anonymous.send(
            "GET", "/v1/admin/reports", headers: ["x-client-secret": workspace.clientSecret])
        let page = try Wire.decode(Page<Report>.self, from: answer.body)
        let bodies = Dictionary(uniqueKeysWithValues: page.items.map { ($0.id, $0.messageBody) })
        #expect(bodies[first.id] == "reported in time")
        #expect(bodies[second.id] == "")
        await two.server.stop()
    }

    private func person(
        _ username: String, in clientKey: String, _ server: TestServer
    ) async throws -> TestDevice {
        let device = try await server.signIn(phone: server.newPhone(), clientKey: clientKey)
        _ = try await device.call(
            Routes.editProfile, body: EditProfile(displayName: username, username: username))
        return device
    }
}
