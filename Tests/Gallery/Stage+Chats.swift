import ChatterClient
import ChatterModel
import ChatterViewModels
import Foundation

// The chats list.
extension Stage {
    func chatsEmpty() async throws {
        try await signUp()
        try await signIn()
        let main = try await openMain()
        try await until("the empty list") { main.chats.state == .empty }
    }

    /// A list with one of each kind; `open` looks at it.
    @discardableResult
    func chats(_ act: (MainViewModel) async throws -> Void = { _ in }) async throws -> MainViewModel {
        try await populate()
        try await signIn()
        try person(.tom).comeOnline()
        let main = try await openMain()
        try await until("the list") { main.chats.chats.count == 6 && !main.chats.archived.isEmpty }
        try await act(main)
        return main
    }

    /// Somebody types, something is half written, something was not sent.
    func chatsActivity() async throws {
        let main = try await chats()
        let (tom, priya, sam) = (try person(.tom), try person(.priya), try person(.sam))
        try await me.client.conversations.setDraft(
            text("On my way, but the tram", "أنا في الطريق ولكن القطار"), in: chat(priya))
        me.goOffline()
        try await until("the banner") { main.banner != nil }
        try await me.client.messages.send(text("Did you hear about Lena?", "هل سمعت عن لينا؟"), in: chat(sam))
        _ = try await sam.device.call(Routes.removeFriend, ["userId": myself.id.rawValue])
        me.goOnline()
        try await until("the refusal") {
            main.chats.chats.contains { if case .message(_, .failed) = $0.preview { true } else { false } }
        }
        try await until("the connection") { main.banner == nil }
        try tom.connection?.send(.typingStart(TypingIn(conversationID: chat(tom))))
        try await until("the typing") { main.chats.chats.contains { $0.preview == .typing } }
    }

    func chatsOffline() async throws {
        let main = try await chats()
        me.goOffline()
        try await until("the banner") { main.banner != nil }
    }

    /// On a new device, whose first answers are still to come.
    func loading(_ section: MainViewModel.Section) async throws {
        try await populate()
        try await me.signIn(phone: myself.device.phone)
        me.network.hold()
        let main = try await openMain()
        main.sectionTapped(section)
        try await until("the wait") { main.banner != nil && main.chats.state == .loading }
    }

    func chatsAllArchived() async throws {
        try await signUp()
        try await settings(befriend(.tom), EditSettings(archived: true))
        try await signIn()
        let main = try await openMain()
        try await until("the empty list") { main.chats.page == .allArchived }
    }

    /// Names and texts that are read from the other side than the app.
    func chatsMixed() async throws {
        try await signUp()
        let layla = try await befriend(.layla)
        let tom = try await befriend(.tom)
        try await say("متى تصلين؟ 5 pm?", in: layla)
        try await say("Say شكرا to Layla!", in: tom, byMe: true)
        try await signIn()
        let main = try await openMain()
        try await until("the list") { main.chats.chats.count == 2 }
        try await me.client.conversations.setDraft("سأصل في الخامسة", in: chat(tom))
        try await until("the draft") {
            main.chats.chats.contains { if case .draft = $0.preview { true } else { false } }
        }
    }

    /// The last run found damage, and left its mark.
    func storage() async throws {
        try await populate()
        try await signIn()
        await me.client.close()
        let marker = "profile/accounts/\(myself.id.rawValue)/messages.db.damaged"
        try Data().write(to: me.directory.file(marker))
        try await me.relaunch()
        try await me.connection(is: .online)
        let main = try await openMain()
        try await until("the notice") { main.storageNotice != nil && main.chats.chats.count == 6 }
    }

    func person(_ role: Role) throws -> Person {
        guard let person = people.first(where: { $0.role == role }) else {
            throw Gallery.Failure("no \(role)")
        }
        return person
    }

    private func populate() async throws {
        try await signUp()
        let jonas = try await befriend(.jonas)
        let gerda = try await befriend(.gerda)
        try await say("Bring the tent back when you can!", "أعد الخيمة عندما تستطيع!", in: jonas)
        try await receipt(jonas, read: 1, byMe: true)
        try await settings(jonas, EditSettings(archived: true))
        try await say("Your cake recipe, please 🍰", "وصفة الكعكة من فضلك 🍰", in: gerda, byMe: true)
        try await receipt(gerda, delivered: 1, read: 1)
        try await later(48 * 60)
        let long = try await befriend(.longname)
        try await say(
            "The minutes of the meeting are in the shared folder, together with all that was decided.",
            "محضر الاجتماع في المجلد المشترك مع كل ما تقرر.", in: long)
        try await settings(
            long, EditSettings(mutedUntil: scenario.clock.now.advanced(by: .seconds(7 * 86_400))))
        try await later(27 * 60 + 25)
        let zoe = try await befriend(.zoe)
        for _ in 0..<120 { try await say("Look at this one 😍", "انظري إلى هذا 😍", in: zoe) }
        let priya = try await befriend(.priya)
        try await say("See you at the station.", "أراكِ في المحطة.", in: priya, byMe: true)
        try await receipt(priya, delivered: 1)
        try await settings(priya, EditSettings(pinned: true))
        try await later(45)
        let tom = try await befriend(.tom)
        try await say("Are we still on for tonight?", "هل ما زلنا على موعدنا الليلة؟", in: tom)
        try await say("I booked a table at eight.", "حجزت طاولة في الثامنة.", in: tom)
        let sam = try await befriend(.sam)
        try await say("ok", "حسنًا", in: sam, byMe: true)
        try await later(3)
    }
}
