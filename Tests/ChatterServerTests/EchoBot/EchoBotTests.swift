import ChatterModel
import ChatterServer
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("The echo bot", .timeLimit(.minutes(5)))
struct EchoBotTests {
    /// Somebody who has befriended the bot.
    private struct Scene {
        let server: TestServer
        let person: TestDevice
        let bot: ID<User>
        let chat: ID<Conversation>
        let live: TestConnection

        init(path: String? = nil) async throws {
            server = try await TestServer {
                $0.hasEchoBot = true
                if let path { $0.databasePath = path }
            }
            // A workspace that was made while the server runs gets its bot within seconds.
            server.clock.advance(by: .seconds(5))
            await server.settle()
            person = try await server.signUp("person")
            let found = try await person.search("echo")
            bot = try #require(found.first?.user.id)
            _ = try await person.call(Routes.sendFriendRequest, body: NewFriendRequest(userID: bot))
            await server.settle()
            chat = try await person.call(Routes.openDirect, body: OpenDirect(userID: bot)).id
            live = try person.connect()
            await server.settle()
            _ = live.take()
        }

        /// Moves the clock in small steps, letting the bot act at each.
        func wait(_ duration: Duration) async {
            var left = duration
            while left > .zero {
                let step = min(left, .milliseconds(500))
                await server.settle()
                server.clock.advance(by: step)
                await server.settle()
                left -= step
            }
        }

        func answers() async throws -> [String] {
            try await person.messages(chat, ["limit": "200"]).messages
                .filter { $0.senderID == bot }.map(\.body)
        }
    }

    @Test("It is found, online, and accepts whoever asks")
    func accepts() async throws {
        let scene = try await Scene()
        let found = try await scene.person.search("echo").first
        #expect(found?.user.displayName == "Echo" && found?.user.username == "echo")
        #expect(found?.friendshipStatus == .friends)
        #expect(try await scene.person.friends().first?.presence.online == true)
        await scene.server.stop()
    }

    @Test("A message is delivered, read, typed for and answered with its own words, in this order")
    func echoes() async throws {
        let scene = try await Scene()
        let sent = try await scene.person.send("Hello, 👋 world", in: scene.chat)
        _ = scene.live.take()
        await scene.server.settle()
        #expect(scene.live.events.compactMap(\.receipt).map(\.lastDeliveredSeq) == [1])
        #expect(scene.live.events.compactMap(\.receipt).map(\.lastReadSeq) == [0])
        _ = scene.live.take()
        await scene.wait(.milliseconds(500))
        let reading = scene.live.take()
        #expect(reading.compactMap(\.receipt).map(\.lastReadSeq) == [1])
        #expect(reading.compactMap(\.typing?.isTyping) == [true])
        await scene.wait(.seconds(1))
        let answer = try #require(scene.live.take().compactMap(\.message).first)
        #expect(answer.body == "Hello, 👋 world" && answer.senderID == scene.bot && answer.seq == 2)
        #expect(answer.clientMessageID == EchoQueries.answerID(sent.id, 0))
        await scene.wait(.seconds(60))
        #expect(try await scene.answers().count == 1)
        await scene.server.stop()
    }

    @Test("Messages in a row are answered in their order")
    func order() async throws {
        let scene = try await Scene()
        for number in 1...20 { _ = try await scene.person.send("\(number)", in: scene.chat) }
        await scene.wait(.seconds(3))
        #expect(try await scene.answers() == (1...20).map(String.init))
        await scene.server.stop()
    }

    @Test("burst N answers N times, late S after S seconds, quiet never, help with the list")
    func commands() async throws {
        let scene = try await Scene()
        _ = try await scene.person.send("burst 3", in: scene.chat)
        _ = try await scene.person.send("Late 30", in: scene.chat)
        await scene.wait(.seconds(29))
        #expect(try await scene.answers() == ["1 of 3", "2 of 3", "3 of 3"])
        await scene.wait(.seconds(1))
        #expect(try await scene.answers().last == "Late 30")

        let quiet = try await scene.person.send(" QUIET ", in: scene.chat)
        await scene.wait(.seconds(30))
        let member = try await scene.person.conversation(scene.chat).other(than: scene.person)
        #expect(member?.lastDeliveredSeq == quiet.seq)
        #expect(member.map { $0.lastReadSeq < quiet.seq } == true)
        #expect(try await scene.answers().count == 4)
        _ = try await scene.person.send("burst 101", in: scene.chat)
        await scene.wait(.seconds(2))
        #expect(try await scene.answers().last?.contains("late S") == true)
        await scene.server.stop()
    }

    @Test(
        "A restart forgets no message and answers none twice, at whatever moment it comes", arguments: 0...4)
    func restart(_ halfSeconds: Int) async throws {
        let directory = try ChatterTestSupport.TemporaryDirectory()
        let path = directory.file("chatter.db").path
        let scene = try await Scene(path: path)
        for text in ["one", "two", "late 20"] { _ = try await scene.person.send(text, in: scene.chat) }
        await scene.wait(.milliseconds(500 * halfSeconds))
        await scene.server.stop()

        let again = try await TestServer(clock: scene.server.clock) {
            $0.hasEchoBot = true
            $0.databasePath = path
        }
        for _ in 0..<80 {
            await again.settle()
            scene.server.clock.advance(by: .milliseconds(500))
        }
        await again.settle()
        let history = try await scene.person.on(again).messages(scene.chat).messages
        #expect(history.filter { $0.senderID == scene.bot }.map(\.body) == ["one", "two", "late 20"])
        await again.stop()
    }

    @Test("What was sent while no bot ran is answered when one starts")
    func untaken() async throws {
        let directory = try ChatterTestSupport.TemporaryDirectory()
        let path = directory.file("chatter.db").path
        let scene = try await Scene(path: path)
        await scene.server.stop()
        let without = try await TestServer(clock: scene.server.clock) { $0.databasePath = path }
        _ = try await scene.person.on(without).send("anybody?", in: scene.chat)
        await without.stop()
        scene.server.clock.advance(by: .seconds(7 * 86_400))
        let again = try await TestServer(clock: scene.server.clock) {
            $0.hasEchoBot = true
            $0.databasePath = path
        }
        for _ in 0..<4 {
            await again.settle()
            scene.server.clock.advance(by: .milliseconds(500))
        }
        await again.settle()
        let person = try await scene.person.on(again).refreshed()
        let history = try await person.messages(scene.chat).messages
        #expect(history.map(\.body) == ["anybody?", "anybody?"])
        await again.stop()
    }

    @Test("It does not answer what was taken back, nor whoever unfriended it")
    func nobodyWaits() async throws {
        let scene = try await Scene()
        let sent = try await scene.person.send("oops", in: scene.chat)
        _ = try await scene.person.delete(sent.id, .everyone)
        await scene.wait(.seconds(3))
        _ = try await scene.person.send("late 10", in: scene.chat)
        await scene.server.settle()
        _ = try await scene.person.call(Routes.removeFriend, ["userId": scene.bot.rawValue])
        await scene.wait(.seconds(15))
        #expect(try await scene.answers().isEmpty)
        await scene.server.stop()
    }

    @Test(
        "Commands are read as people type them",
        arguments: [
            ("burst 5", EchoCommand.burst(5)), (" Burst  100 ", .burst(100)), ("burst 0", .help),
            ("burst 101", .help), ("burst x", .help), ("burst", .echo), ("burst 5 please", .echo),
            ("late 1", .late(1)), ("LATE 600", .late(600)), ("late 601", .help), ("quiet", .quiet),
            ("Quiet!", .echo), ("help", .help), ("help me", .echo), ("", .echo),
        ])
    func parsing(_ text: String, _ command: EchoCommand) {
        #expect(EchoCommand(text) == command)
    }
}
