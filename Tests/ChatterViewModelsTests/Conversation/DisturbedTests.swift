import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite(
    "What is shown of a chat stays in its order, whatever happens to clocks and history",
    .timeLimit(.minutes(5)))
@MainActor
struct DisturbedTests {
    // Field case 17
    @Test("While a jump in history is filled, no less is shown than before, and what waits stays below")
    func historyJump() async throws {
        let desk = try await ChatScene()
        for number in 1...30 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
        try await desk.bob.settle()
        try await desk.ann.settle()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts.count == 30 }
            desk.ann.goOffline()
            await model.typed("waits")
            await model.sendTapped()
            await until { model.texts.last == "waits" }
            for number in 31...400 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
            try await desk.bob.settle()
            desk.ann.network.hold()
            desk.ann.goOnline()
            // The newest is there already.
            await until { check(model) && model.missing > 0 }
            desk.ann.network.release()
            await until { check(model) && model.missing == 0 && model.bubble("waits")?.tick == .delivered }
            while model.hasOlder { await model.topReached() }
            await until { model.texts == (1...400).map(String.init) + ["waits"] }
        }
        await desk.stop()
    }

    /// A page ends at the newest; none shows less than was there before.
    private func check(_ model: ConversationViewModel) -> Bool {
        let texts = model.texts
        let numbers = texts.dropLast().compactMap { Int($0) }
        #expect(texts.last == "waits" && numbers.count == texts.count - 1 && numbers.count >= 30)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        return true
    }

    // Field case 17
    @Test("What one reads above stays and all that comes in below is counted, until one is at the end again")
    func readingAbove() async throws {
        let desk = try await ChatScene()
        for number in 1...60 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
        try await desk.bob.settle()
        try await desk.ann.settle()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.texts.first == "11" }
            await model.scrolled(toEnd: false)
            for number in 61...130 { try await desk.bob.client.messages.send("\(number)", in: desk.chat) }
            await until { model.texts.last == "130" }
            #expect(model.texts == (11...130).map(String.init) && model.newBelow == 70)
            await model.topReached()
            await until { model.texts.first == "1" && !model.hasOlder }
            #expect(model.texts == (1...130).map(String.init))
            await model.scrolled(toEnd: true)
            try await desk.bob.client.messages.send("131", in: desk.chat)
            await until { model.texts.last == "131" }
        }
        await desk.stop()
    }

    // Field case 34
    @Test("Devices whose clocks go wrong show one order, the server's times, and what waits at the end")
    func wrongClocks() async throws {
        let scenario = try await Scenario()
        let now = scenario.server.clock.now
        let clocks = [420, 0, -10_800].map { ManualClock(now: now.advanced(by: .seconds($0))) }
        let phone = scenario.server.newPhone()
        let ann = try await scenario.person("ann", phone: phone, seed: 1, clock: clocks[0])
        let bob = try await scenario.person("bob", seed: 2, clock: clocks[1])
        try await scenario.befriend(ann, bob)
        let chat = try await scenario.chat(ann, bob)
        let tablet = try await scenario.client(seed: 3, clock: clocks[2])
        try await tablet.signIn(phone: phone)
        try await tablet.connection(is: .online)
        let writers = [ann, bob, tablet]
        var expected: [String] = []
        for number in 1...30 {
            scenario.server.clock.advance(by: .seconds(1))
            for clock in clocks { clock.advance(by: .seconds(1)) }
            let writer = writers[number % 3]
            try await writer.client.messages.send("\(number)", in: chat)
            try await writer.settle()
            expected.append("\(number)")
        }
        for writer in writers {
            try await writer.settle()
            writer.goOffline()
            try await writer.client.messages.send("waits", in: chat)
            try await writer.client.messages.send("waits too", in: chat)
            let model = ConversationViewModel(
                chat, client: writer.client, clock: writer.clock, words: words(writer.clock))
            try await showing(model, { await $0.run() }) { model in
                await until { model.texts.count == 32 }
                #expect(model.texts == expected + ["waits", "waits too"])
                let times = Set(expected.compactMap { model.bubble($0)?.time })
                #expect(times == [words(clocks[1]).time(now.advanced(by: .seconds(1)))])
            }
        }
        await scenario.stop(ann, bob, tablet)
    }
}
