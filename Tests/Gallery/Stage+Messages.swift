import ChatterClient
import ChatterModel
import ChatterViewModels

// Single messages, and what one does with them.
extension Stage {
    func conversationEmpty() async throws {
        try await signUp()
        let tom = try await befriend(.tom)
        try await signIn()
        let model = try await open(tom)
        try await until("the empty chat") { model.isEmpty }
    }

    /// Half an answer, of several lines.
    func conversationDraft() async throws {
        let model = try await conversation()
        await model.typed(
            text(
                "Priya says she’d love to come.\nShe brings:\n– her brother\n– a cake",
                "تقول بريا إنها تود المجيء.\nستحضر معها:\n– أخاها\n– كعكة"))
    }

    /// Written offline to somebody who meanwhile ended the friendship.
    func conversationFailed() async throws {
        let model = try await conversationOffline()
        _ = try await person(.tom).device.call(Routes.removeFriend, ["userId": myself.id.rawValue])
        me.goOnline()
        try await until("the refusal") { model.bubbles.contains(where: \.canRetry) }
        try await until("the closed composer") { model.composer != .open }
    }

    /// Without a connection, and something waits for it.
    @discardableResult
    func conversationOffline() async throws -> ConversationViewModel {
        let model = try await conversation()
        me.goOffline()
        try await until("the banner") { [app] in
            if case .main(let main) = app?.root { main.banner != nil } else { false }
        }
        await model.typed(text("Wait for me at the station!", "انتظرني في المحطة!"))
        await model.sendTapped()
        try await until("the waiting message") { model.bubbles.last?.tick == .sending }
        return model
    }

    func conversationDeleted() async throws {
        let model = try await conversation()
        for bubble in model.bubbles.suffix(2) { await model.deleteTapped(bubble.key, .forEveryone) }
        try await until("the deleted messages") { model.bubbles.count(where: \.isDeleted) == 2 }
    }

    func conversationDetails() async throws {
        let model = try await conversation()
        model.detailsTapped(try first(model) { $0.tick == .read })
        try await appears("Message Details")
    }

    func conversationFailedDetails() async throws {
        try await conversationFailed()
        guard case .main(let main)? = app?.root, let model = main.conversation else { return }
        model.detailsTapped(try first(model, where: \.canRetry))
        try await appears("Reason")
    }

    /// What opens with a message: its menu, and the question that a line of it asks.
    func conversationMenu(ofMine isMine: Bool, clicking line: String? = nil, asks question: String? = nil)
        async throws
    {
        let model = try await conversation()
        let key = try first(model) { $0.isMine == isMine && $0.tick != .read }
        guard let bubble = model.bubbles.last(where: { $0.key == key }) else { return }
        try await click(bubble.spoken)
        try await appears("Copy")
        if let line { try await click(line) }
        if let question { try await appears(question) }
    }

    private func first(
        _ model: ConversationViewModel, where isMeant: (Bubble) -> Bool
    ) throws -> MessageItem.Key {
        guard let bubble = model.bubbles.first(where: isMeant) else {
            throw Gallery.Failure("there is no such message")
        }
        return bubble.key
    }

    // MARK: - Texts

    /// A chat with Tom that holds these, by turns theirs and one's own.
    @discardableResult
    func conversation(of texts: [String]) async throws -> ConversationViewModel {
        try await signUp()
        let tom = try await befriend(.tom)
        for (index, text) in texts.enumerated() { try await say(text, in: tom, byMe: index % 2 == 1) }
        try await receipt(tom, read: Int64(texts.count))
        try await receipt(tom, read: Int64(texts.count), byMe: true)
        try await signIn()
        let model = try await open(tom)
        try await until("the messages") { model.bubbles.count == texts.count }
        return model
    }

    func conversationEmoji() async throws {
        try await conversation(of: [
            "😄", "🎉🎂🥳", "👨‍👩‍👧‍👦 the whole family is here", "👍🏽", "Look 👀 at https://example.org/🦊", "❤️",
            "🇩🇪🇸🇬🏳️‍🌈", "⛵️⚓️🌊🐟🦀🐚🦑🐙",
        ])
    }

    func conversationLong() async throws {
        let words = text(
            "The harbour was built in the year of the great flood. ", "بُني الميناء في عام الفيضان العظيم. ")
        try await conversation(of: [
            String(repeating: words, count: 60), String(repeating: "0123456789", count: 40),
            "https://example.org/" + String(repeating: "a-long-path/", count: 12) + "end", "ok",
        ])
    }

    /// As long as a message can be, of each kind.
    func conversationLongest() async throws {
        let size = Limits.messageCharacters
        let kinds = [
            String(repeating: "x", count: size), "a" + String(repeating: "\na", count: size / 2 - 1),
            String(repeating: "😄", count: size), String(repeating: "http://a.b ", count: size / 11),
        ]
        try await conversation(of: (0..<10).map { kinds[$0 % kinds.count] })
    }

    /// Both directions in one chat, and in one message.
    func conversationDirections() async throws {
        try await conversation(of: [
            "שלום! מה שלומך היום?", "I’m fine, thanks.", "مرحبا، سأصل في الساعة 8:30 مساءً إلى Hamburg Hbf.",
            "The sign says “שלום” and nothing else.",
            "סיפור ארוך מאוד שנמשך על פני כמה שורות כדי שנראה איפה עומדות השעה והווים כאשר השורה האחרונה קצרה.",
            "هذه رسالة مني، طويلة بما يكفي لتمتد على أكثر من سطر واحد في النافذة الضيقة والواسعة معًا.",
            "abc 123 שלום!",
        ])
    }

    func conversationName() async throws {
        try await signUp()
        let friend = try await befriend(.longname)
        try await say("Do call me Bart.", "نادني عبدو.", in: friend)
        try await signIn()
        try friend.comeOnline()
        let model = try await open(friend)
        try await until("the presence") { model.header?.subtitle == "online" }
    }

    // MARK: - Closed

    func conversationBlocked() async throws {
        let model = try await conversation()
        try await me.client.friends.block(person(.tom).id)
        try await until("the closed composer") { model.composer != .open }
    }

    func conversationUnfriended() async throws {
        let model = try await conversation()
        _ = try await person(.tom).device.call(Routes.removeFriend, ["userId": myself.id.rawValue])
        try await until("the closed composer") { model.composer != .open }
    }

    func conversationAbandoned() async throws {
        let model = try await conversation()
        _ = try await person(.tom).device.call(Routes.deleteAccount)
        try await until("the closed composer") { model.composer != .open }
    }
}

extension ConversationViewModel {
    var bubbles: [Bubble] {
        rows.compactMap { if case .message(let bubble) = $0.content { bubble } else { nil } }
    }
}
