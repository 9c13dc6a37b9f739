import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("Bringing events to whoever is connected", .timeLimit(.minutes(5)))
struct HubTests {
    private let clock = ServerTestClock()
    private let metrics = Metrics()
    private let hub: Hub

    init() { hub = Hub(clock: clock, metrics: metrics) }

    private func open(_ user: String, device: String = "d") -> (LiveConnection, FrameSink) {
        let sink = FrameSink()
        let session = Session(
            workspace: ID("w"), user: ID(user), device: ID(device),
            expiresAt: clock.now.advanced(by: .seconds(3600)), isProfileComplete: true)
        let connection = hub.open(session, sink: sink)
        sink.clear()
        return (connection, sink)
    }

    private func frame(_ text: String) -> ServerFrame { ServerFrame(.unknown(text)) }

    @Test("Events go to every connection of a user, in order, and to nobody else")
    func delivery() {
        let (_, first) = open("ann")
        let (_, second) = open("ann")
        let (_, other) = open("bob")
        hub.deliver(["one", "two", "three"].map { Outgoing(frame($0), to: .user(ID("ann"))) })
        #expect(first.types == ["one", "two", "three"])
        #expect(second.types == ["one", "two", "three"])
        #expect(other.types.isEmpty)
    }

    @Test("The connection that caused an event can be left out, and one alone can be addressed")
    func targets() {
        let (mine, first) = open("ann")
        let (_, second) = open("ann")
        let (_, other) = open("bob")
        hub.deliver([
            Outgoing(frame("echo"), to: .user(ID("ann")), except: mine.id),
            Outgoing(frame("answer"), to: .connection(mine.id)),
            Outgoing(frame("all"), to: .users([ID("ann"), ID("bob"), ID("nobody")])),
        ])
        #expect(first.types == ["answer", "all"])
        #expect(second.types == ["echo", "all"])
        #expect(other.types == ["all"])
    }

    @Test("A user's first connection and last disconnection are told, and those between are not")
    func presenceHooks() {
        let steps = Recorder<String>()
        hub.onFirstConnection { steps.add("+\($0)") }
        hub.onLastDisconnection { steps.add("-\($0)") }
        let (first, _) = open("ann")
        let (second, _) = open("ann")
        #expect(hub.isOnline(ID("ann")) && hub.connectionCount == 2)
        hub.closed(first)
        hub.closed(first)
        #expect(steps.values == ["+ann"])
        hub.closed(second)
        #expect(steps.values == ["+ann", "-ann"])
        #expect(!hub.isOnline(ID("ann")) && hub.connectionCount == 0)
    }

    @Test("A closed connection gets nothing more")
    func afterClose() {
        let (connection, sink) = open("ann")
        hub.closed(connection)
        hub.deliver([
            Outgoing(frame("late"), to: .user(ID("ann"))),
            Outgoing(frame("late"), to: .connection(connection.id)),
        ])
        #expect(sink.types.isEmpty)
    }

    // Field case 62
    @Test(
        "A slow reader loses typing and presence first, then is closed with 4008; the others notice nothing")
    func slowConsumer() {
        let (_, slow) = open("ann")
        let (_, quick) = open("bob")
        let both = Outgoing.Target.users([ID("ann"), ID("bob")])
        let typing = ServerFrame(
            .typing(Typing(conversationID: ID("c"), userID: ID("x"), isTyping: true)))
        let presence = ServerFrame(
            .presenceUpdated(Presence(userID: ID("x"), online: true, lastSeenAt: nil, at: clock.now)))
        slow.queuedBytes = LiveLimits.queueBytes / 2
        hub.deliver([Outgoing(typing, to: both)])
        slow.queuedBytes = LiveLimits.queueBytes / 2 + 1
        hub.deliver([
            Outgoing(typing, to: both), Outgoing(presence, to: both), Outgoing(frame("message"), to: both),
        ])
        #expect(slow.types == ["typing", "message"])
        #expect(slow.closeCode == nil)
        slow.isFull = true
        hub.deliver([Outgoing(frame("lost"), to: both), Outgoing(frame("too"), to: both)])
        #expect(slow.closeCode == CloseCode.slowConsumer.rawValue)
        #expect(quick.types == ["typing", "typing", "presence.updated", "message", "lost", "too"])
        let page = metrics.page(connections: 0, storage: GroupStatistics(), process: .now())
        #expect(page.contains("chatter_slow_consumers_total 1\n"))
    }

    @Test("Sockets are closed by device, by user and by the end of their token")
    func closing() {
        let (_, phone) = open("ann", device: "phone")
        let (_, laptop) = open("ann", device: "laptop")
        let (_, other) = open("bob", device: "other")
        hub.close(device: ID("phone"), code: .signedOut)
        #expect([phone, laptop, other].map(\.closeCode) == [4003, nil, nil])
        hub.close(user: ID("ann"), code: .signedOut)
        #expect([phone, laptop, other].map(\.closeCode) == [4003, 4003, nil])
        hub.closeExpired()
        #expect(other.closeCode == nil)
        hub.extend(device: ID("other"), until: clock.now.advanced(by: .seconds(7200)))
        clock.advance(by: .seconds(3600))
        hub.closeExpired()
        #expect(other.closeCode == nil)
        clock.advance(by: .seconds(3600))
        hub.closeExpired()
        #expect(other.closeCode == 4001)
    }

    @Test("What was closed on purpose is not counted as slow")
    func closedOnPurpose() {
        let (connection, sink) = open("ann")
        connection.close(.signedOut)
        sink.isFull = true
        hub.deliver([Outgoing(frame("late"), to: .user(ID("ann")))])
        #expect(sink.closeCode == CloseCode.signedOut.rawValue)
        let page = metrics.page(connections: 0, storage: GroupStatistics(), process: .now())
        #expect(page.contains("chatter_slow_consumers_total 0\n"))
    }
}

/// Keeps frames by their type; used on one thread.
private final class FrameSink: ConnectionSink, @unchecked Sendable {  // the tests above are synchronous
    private(set) var types: [String] = []
    private(set) var closeCode: UInt16?
    var queuedBytes = 0
    var isFull = false

    func clear() { types = [] }

    func send(_ bytes: [UInt8]) -> Bool {
        guard !isFull, closeCode == nil else { return false }
        do {
            types.append(try Wire.decode(ServerFrame.self, from: bytes).event.type)
        } catch {
            Issue.record(error)
        }
        return true
    }

    func close(code: UInt16, reason: String) {
        if closeCode == nil { closeCode = code }
    }
}
