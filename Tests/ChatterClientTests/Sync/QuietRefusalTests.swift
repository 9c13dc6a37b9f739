import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Refusals that leave a person nothing to do")
struct QuietRefusalTests {
    /// The whole table: what is not here is shown as failed.
    private let quiet: [OutboxAction.Kind: Set<ErrorCode>] = [
        .send: [],
        .deleteMessage: [.notFound],
        .read: Set(ErrorCode.allCases),
        .editSettings: [.notFound],
        .editProfile: [],
        .sendFriendRequest: [.alreadyFriends],
        .acceptFriendRequest: [.alreadyFriends],
        .cancelFriendRequest: [.notFound, .requestClosed],
        .declineFriendRequest: [.notFound, .requestClosed],
        .removeFriend: [.notFound],
        .block: [.userDeleted],
        .unblock: [.notFound],
    ]

    @Test(
        "For every kind of action, every code either ends it quietly or is shown",
        arguments: OutboxAction.Kind.allCases)
    func table(kind: OutboxAction.Kind) throws {
        let expected = try #require(quiet[kind])
        let found = ErrorCode.allCases.filter { kind.isDone(whenRefusedWith: $0.rawValue) }
        #expect(Set(found) == expected)
    }

    @Test("Settings of a chat that is gone end quietly, and what the server has is shown again")
    func settingsOfNothing() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.server.set { server in
            server.callErrors = [
                ClientError(.refused(code: ErrorCode.notFound.rawValue), "gone", status: 404)
            ]
        }
        try await bench.store.edit(EditSettings(pinned: true), of: Samples.chat, at: bench.clock.now)
        #expect(
            try await bench.store.read { try $0.chats(archived: nil, now: Samples.noon).first?.isPinned }
                == true)
        await bench.engine.outbox.drain()
        try await bench.untilOutboxEmpty()
        #expect(
            try await bench.store.read { try $0.chats(archived: nil, now: Samples.noon).first?.isPinned }
                == false)
        await bench.stop()
    }
}
