import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Tokens with the real server", .timeLimit(.minutes(5)))
struct TokenTests {
    private let refresh = "POST /v1/auth/refresh"

    // Field case 48
    @Test("Thirty calls, a connect and a send with an ended token make one refresh")
    func oneRefresh() async throws {
        let scene = try await ChatScene()
        // Only the server's clock moves: the client believes that its token holds.
        scene.scenario.server.clock.jump(by: .seconds(86_400))
        let client = scene.ann.client
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<30 { group.addTask { _ = try await client.devices.list() } }
            group.addTask { try await scene.ann.say("meanwhile", in: scene.chat) }
            try await group.waitForAll()
        }
        #expect(scene.ann.network.requests.filter { $0 == refresh }.count == 1)
        #expect(try await isSignedIn(scene.ann))
        await scene.stop()
    }

    // Field case 49
    @Test(
        "A refresh whose answer is lost is asked for again, now or after a relaunch, and nobody is signed out"
    )
    func lostAnswer() async throws {
        let scene = try await ChatScene()
        for round in 0..<2 {
            let before = try #require(try await scene.ann.secrets.session())
            // Before the time moves: the socket that ends with its token asks too.
            scene.ann.network.loseAnswers(1, of: "/v1/auth/refresh")
            scene.scenario.server.clock.jump(by: .seconds(86_400))
            _ = await clientError { () throws(ClientError) in try await scene.ann.client.devices.list() }
            if round == 1 { try await scene.ann.relaunch() }
            #expect(try await scene.ann.client.devices.list().count == 1)
            #expect(try await scene.ann.secrets.session() != before)
        }
        #expect(try await isSignedIn(scene.ann))
        #expect(scene.ann.network.requests.filter { $0 == refresh }.count >= 4)
        await scene.stop()
    }

    @Test(
        "Three hours on one connection: tokens are renewed beside it, and messages flow both ways at the end")
    func standingConnection() async throws {
        let scene = try await ChatScene()
        let people = [scene.ann, scene.bob]
        var texts: [String] = []
        // Each round until just before the tokens' end; the server looks for ended ones every five seconds.
        for round in 1...4 {
            for person in people { try await person.settle() }
            let before = [try await scene.ann.secrets.session(), try await scene.bob.secrets.session()]
            scene.scenario.advance(by: .seconds(3558))
            for (person, old) in zip(people, before) { try await person.isRenewed(since: old, pings: round) }
            // The acks stand behind the pongs: once they are here, nothing waits for the clock.
            for (number, person) in people.enumerated() {
                texts.append("\(round).\(number)")
                try await person.say(texts[texts.count - 1], in: scene.chat)
                try await person.status(of: texts[texts.count - 1], is: .delivered, in: scene.chat)
            }
        }
        for person in people { try await person.sees(texts, in: scene.chat) }
        for person in people {
            #expect(person.network.openSockets == 1 && person.network.openedSockets == 1)
            #expect(person.network.requests.filter { $0 == refresh }.count == 4)
        }
        await scene.stop()
    }

    private func isSignedIn(_ client: TestClient) async throws -> Bool {
        if case .signedIn = try await client.client.session.first("state", { _ in true }) {
            true
        } else {
            false
        }
    }
}

extension TestClient {
    /// Waits for a new token and for so many pings to have reached the server. No stream tells of either.
    fileprivate func isRenewed(since old: StoredSession?, pings: Int) async throws {
        while try await secrets.session() == old { try await Self.letOthersRun() }
        while network.sentFrames("ping") < pings { try await Self.letOthersRun() }
    }

    private static func letOthersRun() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
