import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("Messages are announced once, and not for longer than they are new", .timeLimit(.minutes(5)))
@MainActor
struct AnnouncementTests {
    /// A device of Ann's beside the one of the scene.
    private func phone(of desk: ChatScene) async throws -> TestClient {
        let number = try await desk.ann.client.profile.me().first("me") { _ in true }.phone
        return try await desk.scenario.person("ann", phone: number, seed: 9)
    }

    private func read(_ text: String, on device: TestClient, _ desk: ChatScene) async throws {
        let content = try await device.client.messages.conversation(desk.chat).first("the message") {
            $0.items.contains { $0.body == text && $0.seq != nil }
        }
        let newest = content.items.compactMap(\.seq).max()
        try await device.client.messages.markRead(desk.chat, upTo: #require(newest))
        desk.scenario.advance(by: .seconds(5))
        try await device.settle()
    }

    @Test("What was read on another device while this one was closed is not announced")
    func readElsewhere() async throws {
        let desk = try await ChatScene()
        let phone = try await phone(of: desk)
        try await desk.ann.relaunch(start: false)
        try await desk.bob.client.messages.send("read on the phone", in: desk.chat)
        try await read("read on the phone", on: phone, desk)
        let notifier = RecordingNotifier()
        try await showing(desk.main(notifier), { await $0.run() }) { main in
            await until { main.chats.chats.count == 1 }
            main.becameActive(false)
            await desk.ann.client.start()
            await until { main.isOnline }
            try await desk.bob.client.messages.send("new", in: desk.chat)
            await until { notifier.posted.contains { $0.body == "new" } }
            #expect(notifier.posted.map(\.body) == ["new"] && notifier.posted.map(\.title) == ["Bob"])
        }
        await phone.client.close()
        await desk.stop()
    }

    @Test("A chat that is read on another device takes its notification back here")
    func withdrawn() async throws {
        let desk = try await ChatScene()
        let phone = try await phone(of: desk)
        let notifier = RecordingNotifier()
        try await showing(desk.main(notifier), { await $0.run() }) { main in
            await until { main.chats.chats.count == 1 && main.isOnline }
            try await desk.bob.client.messages.send("second", in: desk.chat)
            await until { notifier.posted.contains { $0.body == "second" } }
            #expect(notifier.withdrawn.isEmpty)
            try await read("second", on: phone, desk)
            await until { notifier.withdrawn == [desk.chat] }
        }
        await phone.client.close()
        await desk.stop()
    }

    @Test(
        "What came while this device was closed is one notification a chat, with the newest text and a count")
    func caughtUp() async throws {
        let desk = try await ChatScene()
        try await desk.ann.relaunch(start: false)
        for text in ["one", "two", "three"] {
            try await desk.bob.client.messages.send(text, in: desk.chat)
        }
        try await desk.bob.settle()
        let notifier = RecordingNotifier()
        try await showing(desk.main(notifier), { await $0.run() }) { main in
            await until { main.chats.chats.count == 1 }
            main.becameActive(false)
            await desk.ann.client.start()
            await until { !notifier.posted.isEmpty && main.isOnline }
            try await desk.bob.client.messages.send("four", in: desk.chat)
            await until { notifier.posted.contains { $0.body == "four" } }
            #expect(notifier.posted.map(\.body) == ["three", "four"])
            #expect(notifier.posted.map(\.title) == ["Bob (3 new messages)", "Bob (4 new messages)"])
        }
        await desk.stop()
    }

    @Test("Who looks at the app is not told of what was missed: the list says it")
    func caughtUpInSight() async throws {
        let desk = try await ChatScene()
        try await desk.ann.relaunch(start: false)
        for text in ["one", "two"] { try await desk.bob.client.messages.send(text, in: desk.chat) }
        try await desk.bob.settle()
        let notifier = RecordingNotifier()
        try await showing(desk.main(notifier), { await $0.run() }) { main in
            await until { main.chats.chats.count == 1 }
            await desk.ann.client.start()
            await until { main.chats.unread == 2 && main.isOnline }
            try await desk.bob.client.messages.send("three", in: desk.chat)
            await until { notifier.posted.contains { $0.body == "three" } }
            #expect(notifier.posted.map(\.body) == ["three"])
        }
        await desk.stop()
    }
}
