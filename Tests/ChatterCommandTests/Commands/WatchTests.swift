import ChatterClient
import ChatterModel
import Testing

@testable import chatter

@Suite("What watch tells")
struct WatchTests {
    private func chat(_ preview: MessageItem?, typing: Bool = false) -> ChatItem {
        ChatItem(
            id: ID("chat"), type: .direct, title: "Bob", peer: bob, preview: preview, lastActivityAt: moment,
            typing: typing ? [bob.id] : [])
    }

    @Test("The ticks of the newest message, typing and deletions")
    func chats() {
        let sent = chat(message(1, "hi", .sent))
        let read = chat(message(1, "hi", .read))
        #expect(WatchDiff.chats([sent], [read]) == [.status(message(1, "hi", .read))])
        #expect(
            WatchDiff.chats([sent], [chat(message(1, "hi", .sent), typing: true)]) == [.typing(bob, true)])
        #expect(WatchDiff.chats([sent], [chat(message(2, "new"))]) == [])
        #expect(WatchDiff.chats([], [sent]) == [])
        let gone = message(1, "", .sent, isDeleted: true)
        #expect(WatchDiff.chats([sent], [chat(gone)]) == [.deleted(gone)])
    }

    @Test("Friends who come, go, and are online")
    func friends() {
        let here = FriendItem(user: bob, since: moment, presence: presence(online: true))
        let away = FriendItem(user: bob, since: moment, presence: presence(online: false))
        #expect(WatchDiff.friends([], [away]) == [.friend(bob)])
        #expect(WatchDiff.friends([away], [here]) == [.presence(bob, presence(online: true))])
        #expect(WatchDiff.friends([here], [here]) == [])
        #expect(WatchDiff.friends([here], []) == [.friendRemoved(bob)])
    }

    @Test("Requests that come and are closed")
    func requests() {
        let request = RequestItem(user: bob, direction: .incoming, createdAt: moment, isQueued: false)
        #expect(WatchDiff.requests([], [request]) == [.request(request)])
        #expect(WatchDiff.requests([request], []) == [.requestClosed(request)])
        #expect(ChatEvent.request(request).text(utc) == "-- Bob (@bob) wants to be your friend")
    }

    @Test("An event for programs is one line of JSON with keys in order")
    func json() throws {
        let event = ChatEvent.status(
            message(1, "a/b", .failed(FailureReason(code: "BLOCKED")), seq: .some(nil)))
        #expect(
            try JSONText.encode(event.shape) == """
                {"event":"status","message":{"body":"a/b","clientMessageId":"00000000-0000-4000-8000-000000000001",\
                "conversationId":"chat","createdAt":"2026-11-30T14:14:20.000Z","id":"message-1","isDeleted":false,\
                "isMine":true,"reason":"BLOCKED","sender":{"about":"","displayName":"Alice","id":"alice-id",\
                "isDeleted":false,"username":"alice"},"status":"failed","type":"text"}}
                """)
        #expect(
            try JSONText.encode(ChatEvent.connection(.offline(.noNetwork, retryAt: nil)).shape)
                == #"{"connection":"offline","event":"connection"}"#)
    }
}
