import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("Finding and reaching friends", .timeLimit(.minutes(5)))
@MainActor
struct FindingFriendsTests {
    @Test("Friends are found by the beginning of a word of the name, or by username, in any case and accent")
    func search() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let people = [("bob", "Bob Ångström"), ("cai", "Cai"), ("dora", "Anna Dora")]
        var others: [TestClient] = []
        for (number, (username, name)) in people.enumerated() {
            let other = try await scenario.person(username, seed: UInt64(number) + 2)
            _ = try await other.client.profile.edit(EditProfile(displayName: name))
            try await scenario.befriend(ann, other)
            others.append(other)
        }
        let model = FriendsViewModel(client: ann.client, words: words(scenario.clock))
        try await showing(model, { await $0.run() }) { model in
            await until { model.friends.count == 3 }
            let found = { (query: String) -> Set<String> in
                model.typed(query)
                return Set(model.friends.map(\.name))
            }
            #expect(found("bo") == ["Bob Ångström"])
            #expect(found("ANGS") == ["Bob Ångström"])
            #expect(found("@dor") == ["Anna Dora"])
            #expect(found("do") == ["Anna Dora"])
            #expect(found("nna").isEmpty && model.findsNobody)
            #expect(model.offersSearch)
            #expect(found(" ").count == 3 && !model.findsNobody)
            #expect(found("").count == 3 && !model.offersSearch)
        }
        for other in others { await other.client.close() }
        await scenario.stop(ann)
    }

    @Test("A pasted phone number finds its owner, however it is written")
    func pastedNumber() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", phone: "+4915123456789", seed: 2)
        let model = AddFriendViewModel(client: ann.client, clock: scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            for text in ["\u{202A}+49 151\u{2011}234-567 89\u{202C}", "0049/151/23456789", "\u{200E}@bob"] {
                model.typed(text)
                #expect(model.state == .searching)
                scenario.clock.advance(by: AddFriendViewModel.quiet)
                await until { model.state != .searching }
                #expect(model.results.map(\.handle) == ["@bob"])
                model.typed("")
            }
            model.typed("+49x")
            #expect(model.state == .hint)
        }
        await scenario.stop(ann, bob)
    }

    @Test("From a contact's page one writes to them, or asks to be friends again")
    func contact() async throws {
        let desk = try await ChatScene()
        let bob = try await desk.id(of: desk.bob)
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            main.chatTapped(desk.chat)
            let contact = main.contact(bob)
            main.conversationClosed()
            try await showing(contact, { await $0.run() }) { contact in
                await until { contact.canMessage && contact.presence == "online" }
                #expect(contact.blockQuestion.title == "Block Bob?")
                #expect(contact.removeQuestion.title == "Remove Bob from your friends?")
                #expect(contact.report().question.title == "Report Bob?")
                await contact.messageTapped()
                #expect(main.conversation?.id == desk.chat)
                desk.ann.goOffline()
                // One's own connection is gone: whether they are online is not known.
                await until { contact.presence != "online" }
                desk.ann.goOnline()
                await contact.removeTapped()
                await until { contact.standing == .strangers && !contact.canMessage }
                await contact.addTapped()
                await until { contact.standing == .asked }
            }
        }
        await desk.stop()
    }

    // Field case 82
    @Test("Two friends of one name are told apart in the list of friends and of chats")
    func namesakes() async throws {
        let desk = try await ChatScene()
        let twin = try await desk.scenario.person("bob.two", seed: 9)
        _ = try await twin.client.profile.edit(EditProfile(displayName: "Bоb"))
        try await desk.scenario.befriend(desk.ann, twin)
        _ = try await desk.scenario.chat(desk.ann, twin)
        try await showing(desk.main(RecordingNotifier()), { await $0.run() }) { main in
            let names: Set = ["Bob (@bob)", "\u{2068}Bоb\u{2069} (@bob.two)"]
            await until { Set(main.friends.friends.map(\.name)) == names }
            await until { Set(main.chats.chats.map(\.title)) == names }
            #expect(main.chats.chats.allSatisfy { $0.face.initials == "B" })
        }
        await twin.client.close()
        await desk.stop()
    }
}
