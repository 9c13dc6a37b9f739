import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("A message's details", .timeLimit(.minutes(5)))
@MainActor
struct MessageDetailsTests {
    /// 2026-01-01T00:00:00Z by the tests' clock.
    private let clock = ManualClock()

    private func item(
        _ status: DeliveryStatus?, delivered: Int64? = nil, read: Int64? = nil, isSent: Bool = true
    ) -> MessageItem {
        func time(_ minute: Int64) -> Timestamp { clock.now.advanced(by: .seconds(minute * 60)) }
        return MessageItem(
            id: .init(senderID: ID("me"), clientMessageID: ClientMessageID(UUID())),
            conversationID: ID("chat"), messageID: nil, seq: isSent ? 1 : nil, sender: nil,
            isMine: status != nil, type: .text, body: "hello", createdAt: clock.now, status: status,
            deliveredAt: delivered.map(time), readAt: read.map(time))
    }

    private func lines(_ item: MessageItem) -> [String] {
        MessageDetails(item, title: "Bob", words: words(clock)).lines.map { "\($0.label): \($0.value)" }
    }

    @Test("They tell when it was sent, delivered and read, as far as it got")
    func steps() {
        let sent = "Sent: Today, 00:00"
        #expect(lines(item(.sent)) == [sent])
        #expect(lines(item(.delivered, delivered: 1)) == [sent, "Delivered: Today, 00:01"])
        #expect(
            lines(item(.read, delivered: 1, read: 62))
                == [sent, "Delivered: Today, 00:01", "Read: Today, 01:02"])
        #expect(lines(item(nil)) == [sent])
    }

    @Test("A step whose time nobody knows is named without one")
    func unknown() {
        #expect(lines(item(.read, read: 2)) == ["Sent: Today, 00:00", "Delivered: ", "Read: Today, 00:02"])
        #expect(lines(item(.delivered)) == ["Sent: Today, 00:00", "Delivered: "])
    }

    @Test("What waits was written; what failed says why")
    func unsent() {
        #expect(
            lines(item(.pending, isSent: false)) == ["Written: Today, 00:00", "Status: Waits to be sent"])
        #expect(
            lines(item(.failed(FailureReason(code: "NOT_FRIENDS")), isSent: false))
                == ["Written: Today, 00:00", "Status: Not sent", "Reason: You are not friends."])
    }

    @Test("While they are open, a tick that comes shows in them, with the server's time")
    func live() async throws {
        let desk = try await ChatScene()
        desk.scenario.clock.set(desk.scenario.server.clock.now)
        desk.ann.goOffline()
        try await showing(desk.conversation(), { await $0.run() }) { model in
            await until { model.isEmpty }
            await model.typed("hello")
            await model.sendTapped()
            await until { model.bubble("hello") != nil }
            let key = try #require(model.bubble("hello")).key
            model.detailsTapped(key)
            @MainActor func labels() -> [String] { model.details?.lines.map(\.label) ?? [] }
            #expect(labels() == ["Written", "Status"])
            desk.ann.goOnline()
            await until { labels() == ["Sent", "Delivered"] }
            try await showing(desk.conversation(of: desk.bob), { await $0.run() }) { theirs in
                await until { theirs.texts == ["hello"] }
                _ = try await desk.bob.client.outbox.items().first("receipt") { !$0.isEmpty }
                desk.scenario.advance(by: .seconds(60))
                await until { labels() == ["Sent", "Delivered", "Read"] }
            }
            let clock = desk.scenario.server.clock.now
            #expect(model.details?.lines.last?.value == words(desk.scenario.clock).full(clock))
            await model.deleteTapped(key, .forMe)
            await until { model.details == nil }
        }
        await desk.stop()
    }
}
