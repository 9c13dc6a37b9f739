import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("What is written is a draft or a message, never both and never neither", .timeLimit(.minutes(5)))
@MainActor
struct DraftTests {
    private func app(_ desk: ChatScene) -> AppModel {
        AppModel(clock: desk.scenario.clock, words: words(desk.scenario.clock), notifier: RecordingNotifier())
        { desk.ann.client }
    }

    @Test("Sent and quit at once, it is sent and no draft any more")
    func sentAndQuit() async throws {
        let desk = try await ChatScene()
        try await showing(app(desk), { await $0.run() }) { app in
            await until { app.main != nil }
            app.main?.chatTapped(desk.chat)
            try await showing(#require(app.main?.conversation), { await $0.run() }) { model in
                await until { model.header != nil }
                await model.typed("once")
                let sending = Task.immediate { await model.sendTapped() }
                await app.quit()
                await sending.value
            }
        }
        try await desk.ann.relaunch()
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "")
        let content = try await desk.ann.client.messages.conversation(desk.chat).first("sent") { _ in true }
        #expect(content.items.map(\.body) == ["once"])
        await desk.stop()
    }

    @Test("Sent and left at once, it is no draft for who comes back")
    func sentAndLeft() async throws {
        let desk = try await ChatScene()
        let main = desk.main(RecordingNotifier())
        main.chatTapped(desk.chat)
        try await showing(#require(main.conversation), { await $0.run() }) { model in
            await until { model.header != nil }
            await model.typed("once")
            let sending = Task.immediate { await model.sendTapped() }
            main.conversationClosed()
            main.chatTapped(desk.chat)
            try await showing(#require(main.conversation), { await $0.run() }) { again in
                await until { again.texts == ["once"] }
                await sending.value
                #expect(again.draft == "")
            }
        }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "")
        await desk.stop()
    }

    @Test("What is typed right after sending is the next draft")
    func typedNext() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            await model.typed("once")
            let sending = Task.immediate { await model.sendTapped() }
            #expect(model.draft == "")
            await model.typed("next")
            await sending.value
            #expect(model.draft == "next")
        }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "next")
        await desk.stop()
    }

    @Test("Two messages sent at once are sent in their order")
    func twoAtOnce() async throws {
        let desk = try await ChatScene()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            var sending: [Task<Void, Never>] = []
            for number in 1...20 {
                await model.typed("\(number)")
                sending.append(Task.immediate { await model.sendTapped() })
            }
            for task in sending { await task.value }
            await until { model.texts == (1...20).map(String.init) }
        }
        await desk.stop()
    }

    @Test("What could not be stored comes back, before what was typed meanwhile, also to who comes back")
    func refused() async throws {
        let desk = try await ChatScene()
        let main = desk.main(RecordingNotifier())
        let long = String(repeating: "a", count: Limits.messageCharacters + 1)
        main.chatTapped(desk.chat)
        try await showing(#require(main.conversation), { await $0.run() }) { model in
            await until { model.header != nil }
            await model.typed(long)
            let sending = Task.immediate { await model.sendTapped() }
            await model.typed("next")
            main.conversationClosed()
            main.chatTapped(desk.chat)
            try await showing(#require(main.conversation), { await $0.run() }) { again in
                await until { again.draft == "\(long)\nnext" }
                await sending.value
            }
        }
        #expect(try await desk.ann.client.conversations.draft(in: desk.chat) == "\(long)\nnext")
        await desk.stop()
    }

    @Test("Quitting stores what was typed last in every chat")
    func quit() async throws {
        let desk = try await ChatScene()
        let cai = try await desk.scenario.person("cai", seed: 7)
        try await desk.scenario.befriend(desk.ann, cai)
        let other = try await desk.scenario.chat(desk.ann, cai)
        try await showing(app(desk), { await $0.run() }) { app in
            await until { app.main != nil }
            app.main?.chatTapped(desk.chat)
            await app.main?.conversation?.typed("for Bob")
            app.main?.chatTapped(other)
            await app.main?.conversation?.typed("for Cai")
            await app.quit()
        }
        try await desk.ann.relaunch()
        for (chat, text) in [(desk.chat, "for Bob"), (other, "for Cai")] {
            #expect(try await desk.ann.client.conversations.draft(in: chat) == text)
        }
        await cai.client.close()
        await desk.stop()
    }
}
