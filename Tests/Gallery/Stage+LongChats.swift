import ChatterClient
import ChatterModel
import ChatterViewModels

// Chats of more than a page.
extension Stage {
    /// A chat with Tom of numbered messages, the last of them new; open at its end.
    @discardableResult
    func longConversation(_ count: Int, new: Int = 0) async throws -> ConversationViewModel {
        try await signUp()
        let tom = try await befriend(.tom)
        for number in 1...count { try await say(number, in: tom) }
        try await receipt(tom, read: Int64(count - new))
        try await receipt(tom, delivered: Int64(count), read: Int64(count - new), byMe: true)
        try await signIn()
        // As on a device that was here before: what the first look finds is a page.
        try await me.client.messages.loadOlder(chat(tom), fetches: true)
        let model = try await open(tom)
        try await until("the messages") { model.rows.count > 40 }
        try await exhibit.painted()
        return model
    }

    /// Of several lengths; every fourth is one's own.
    private func say(_ number: Int, in friend: Person) async throws {
        let more = [
            ("", ""), (" Call me when you are there.", " اتصل بي عندما تصل."),
            (
                " The wind has turned, and so have we: back past the lighthouse and into the old harbour for the night.",
                " تغيّر اتجاه الريح فعدنا: مررنا بالمنارة القديمة ودخلنا الميناء القديم لقضاء الليل."
            ),
        ][number % 3]
        try await say(
            "Day \(number)." + more.0, "اليوم \(number)." + more.1, in: friend, byMe: number % 4 == 0)
    }

    /// What is new begins above what is in sight.
    @discardableResult
    func conversationUnread() async throws -> ConversationViewModel {
        let model = try await longConversation(90, new: 38)
        try await until("what is new") { model.unreadCount > 0 }
        try await appears(model.unreadSpoken)
        return model
    }

    /// The jump led to the line.
    func conversationUnreadLine() async throws {
        let model = try await conversationUnread()
        try await click(model.unreadSpoken)
        try await until("the line in sight") { model.unreadCount == 0 }
    }

    /// Scrolled past the line, in one go.
    func conversationUnreadBelow() async throws {
        let model = try await conversationUnread()
        try await scroll("Messages", by: -100)
        try await until("the way down") { model.isUnreadBelow }
    }

    /// Scrolled up, while more comes in.
    func conversationNewBelow() async throws {
        let model = try await longConversation(60)
        try await scrollUp(model, by: 2) { !model.isAtEnd }
        for number in 61...63 where number % 4 != 0 { try await say(number, in: person(.tom)) }
        try await until("the new ones") { model.newBelow == 3 }
    }

    /// Some pages up in a chat of years.
    func conversationHuge() async throws {
        let model = try await longConversation(10_000)
        for _ in 0..<5 {
            let known = model.rows.count
            try await scroll("Messages", by: -100)
            try await until("an older page") { model.rows.count > known && !model.isLoadingOlder }
            try await exhibit.painted()
        }
    }

    /// At the top, while the server takes its time.
    func conversationOlder() async throws {
        let model = try await longConversation(600)
        me.network.hold()
        try await scrollUp(model) { model.isLoadingOlder && me.network.heldCount > 0 }
    }

    /// At the top, and the server's answer never comes.
    func conversationOlderFailed() async throws {
        let model = try await longConversation(600)
        me.network.loseAnswers(1000)
        try await scrollUp(model) { model.notice != nil }
    }

    /// - Parameter pages: at once, again and again until `isThere`.
    private func scrollUp(
        _ model: ConversationViewModel, by pages: Double = 100, until isThere: () -> Bool
    ) async throws {
        for _ in 0..<60 {
            guard !isThere() else { return }
            try await scroll("Messages", by: -pages)
            try await exhibit.painted()
        }
        throw Gallery.Failure("the top is never reached")
    }
}
