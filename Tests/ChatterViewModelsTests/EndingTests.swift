import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("One person after another on one device", .timeLimit(.minutes(5)))
@MainActor
struct EndingTests {
    // Field case 68
    @Test(
        "Whoever signs in next finds nothing of the one before, however that session ended",
        arguments: Ending.allCases)
    func nextPerson(ending: Ending) async throws {
        let desk = try await ChatScene()
        let notifier = RecordingNotifier()
        let app = AppModel(
            clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: notifier
        ) { desk.ann.client }
        try await showing(app, { await $0.run() }) { app in
            await until { app.main != nil }
            try await showing(#require(app.main), { await $0.run() }) { main in
                await until { main.chats.chats.count == 1 }
                await app.becameActive(false)
                try await desk.bob.client.messages.send("for Ann", in: desk.chat)
                await until { app.title == "(1) Chatter" && notifier.posted.count == 1 }
                main.chatTapped(desk.chat)
                await main.conversation?.typed("half a th")
                try await ending.end(desk)
                await until { if case .onboarding = app.root { true } else { false } }
            }
            #expect(app.title == "Chatter" && notifier.posted.isEmpty)
            try await desk.ann.signIn(phone: desk.scenario.server.newPhone(), username: "cai")
            await until { app.main != nil }
            try await showing(#require(app.main), { await $0.run() }) { main in
                await until { main.chats.state == .empty && main.friends.state == .empty }
                #expect(main.conversation == nil && main.notice == nil)
                #expect(app.title == "Chatter" && notifier.posted.isEmpty)
                await main.notificationTapped(desk.chat)
                await until { main.notice == "That chat is no longer here." }
            }
        }
        await desk.stop()
    }
}

/// How a session ends.
enum Ending: CaseIterable {
    case logOut, deletion, elsewhere

    func end(_ desk: ChatScene) async throws {
        switch self {
        case .logOut: try await desk.ann.client.auth.logOut()
        case .deletion: try await desk.ann.client.auth.deleteAccount()
        case .elsewhere: try await Self.endElsewhere(desk)
        }
    }

    private static func endElsewhere(_ desk: ChatScene) async throws {
        let phone = try await desk.ann.client.profile.me().first("profile") { _ in true }.phone
        let other = try await desk.scenario.client(seed: 9)
        try await other.signIn(phone: phone)
        for device in try await other.client.devices.list() where !device.isCurrent {
            try await other.client.devices.signOut(device.id)
        }
        await other.client.close()
    }
}
