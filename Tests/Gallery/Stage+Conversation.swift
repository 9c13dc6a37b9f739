import ChatterClient
import ChatterGtk
import ChatterModel
import ChatterViewModels

// An open chat.
extension Stage {
    /// A chat with Tom as chats are, open.
    @discardableResult
    func conversation(
        _ act: (ConversationViewModel) async throws -> Void = { _ in }
    ) async throws -> ConversationViewModel {
        try await signUp()
        let tom = try await befriend(.tom)
        try await say("Did you get the photos from Sunday?", "هل وصلتك صور يوم الأحد؟", in: tom)
        try await say(
            "All of them! The one on the pier is my favourite.", "كلها! صورة الرصيف هي المفضلة لدي.", in: tom,
            byMe: true)
        try await say("Same here 😄", "وأنا أيضًا 😄", in: tom)
        try await later(23 * 60)
        try await say("Are we still on for tonight?", "هل ما زلنا على موعدنا الليلة؟", in: tom)
        try await say("I booked a table at eight.", "حجزت طاولة في الثامنة.", in: tom)
        try await say("Of course.", "بالطبع.", in: tom, byMe: true)
        try await say(
            "I come straight from the harbour, so I may be a few minutes late. Order me something with mushrooms, will you?",
            "سآتي من الميناء مباشرة، فقد أتأخر بضع دقائق. اطلب لي شيئًا بالفطر من فضلك.", in: tom, byMe: true)
        try await receipt(tom, read: 7)
        try await receipt(tom, read: 5, byMe: true)
        try await later(2)
        try await say("And tell Priya!", "وأخبر بريا!", in: tom, byMe: true)
        try await receipt(tom, delivered: 8)
        try await say("She has never been there.", "لم تذهب إلى هناك من قبل.", in: tom, byMe: true)
        try await signIn()
        try tom.comeOnline()
        let model = try await open(tom)
        try await until("the messages") { model.rows.count >= 11 }
        try await act(model)
        return model
    }

    /// Somebody writes: said in the header, and nothing else is drawn for it.
    func typing() async throws {
        let model = try await conversation()
        _ = try await exhibit.picture()
        let drawn = Exhibit.drawnRows
        let tom = try person(.tom)
        try tom.connection?.send(.typingStart(TypingIn(conversationID: chat(tom))))
        try await until("the typing") { model.header?.isTyping == true }
        _ = try await exhibit.picture()
        guard Exhibit.drawnRows == drawn else { throw Gallery.Failure("typing drew rows") }
    }

    /// Opens the app, and in it the chat.
    func open(_ friend: Person) async throws -> ConversationViewModel {
        let main = try await openMain()
        try await until("the list") { !main.chats.chats.isEmpty }
        main.chatTapped(try chat(friend))
        return try await reached("the chat") { main.conversation }
    }
}
