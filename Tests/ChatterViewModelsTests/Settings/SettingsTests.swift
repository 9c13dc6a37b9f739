import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("Settings", .timeLimit(.minutes(5)))
@MainActor
struct SettingsTests {
    @Test("A profile is edited, saved, and offline queued; what is typed survives an echo")
    func profile() async throws {
        let desk = try await ChatScene()
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.displayName == "Ann" }
            #expect(!model.canSave && !model.canCancel)
            #expect(model.handle == "@ann" && model.spoken == "Your profile, @ann")
            model.nameTyped("Anna")
            #expect(model.canCancel)
            model.aboutTyped("At sea")
            #expect(model.canSave)
            await model.saveTapped()
            await until { model.me?.displayName == "Anna" && !model.hasChanges }
            #expect(!model.isQueued)
            model.nameTyped(String(repeating: "n", count: 65))
            #expect(model.hint == "A name must be at most 64 characters." && !model.canSave)
            model.cancelTapped()
            #expect(model.displayName == "Anna")
            desk.ann.goOffline()
            model.aboutTyped("Ashore")
            await model.saveTapped()
            #expect(
                model.isQueued && model.queuedNote == "Saved here. It is sent when there is a connection.")
            await until { model.me?.about == "Ashore" }
            desk.ann.goOnline()
            await until { !model.isQueued && model.queuedNote == nil }
        }
        await desk.stop()
    }

    @Test("Blanks around what is saved are no change: there is nothing left to save")
    func blanks() async throws {
        let desk = try await ChatScene()
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.me != nil }
            model.nameTyped("Ann ")
            #expect(!model.hasChanges && !model.canSave)
            model.nameTyped(" Anna ")
            #expect(model.canSave)
            await model.saveTapped()
            await until { model.displayName == "Anna" && !model.hasChanges }
        }
        await desk.stop()
    }

    @Test("A taken username is refused, and stays typed")
    func taken() async throws {
        let desk = try await ChatScene()
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.me != nil }
            model.username.typed("bob")
            desk.scenario.clock.advance(by: .milliseconds(300))
            await until { model.username.state == .taken("@bob is taken.") }
            #expect(!model.canSave && model.username.text == "bob")
        }
        await desk.stop()
    }

    @Test("A change that waited and is then refused says why, and can be tried again or given up")
    func refusedLater() async throws {
        let desk = try await ChatScene()
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.displayName == "Ann" }
            desk.ann.goOffline()
            model.username.typed("bob")
            await model.saveTapped()
            #expect(model.isQueued && model.refusal == nil)
            desk.ann.goOnline()
            await until { model.refusal == "That username is taken." }
            #expect(!model.isQueued)
            await until { model.username.text == "ann" }
            await model.retryRefusedTapped()
            await until { model.refusal == nil }
            await until { model.refusal != nil }
            await model.discardRefusedTapped()
            await until { model.refusal == nil && !model.isQueued }
        }
        await desk.stop()
    }

    @Test("What waits or was refused before a restart is known after it")
    func queuedBefore() async throws {
        let desk = try await ChatScene()
        desk.ann.goOffline()
        _ = try await desk.ann.client.profile.edit(EditProfile(username: "bob"))
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.isQueued }
            desk.ann.goOnline()
            await until { model.refusal != nil }
        }
        await desk.stop()
    }

    @Test("The switch stays where it was put, whatever else of the profile changes meanwhile")
    func switching() async throws {
        let desk = try await ChatScene()
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.me != nil }
            let before = try #require(model.me)
            let off = Task.immediate { await model.lastSeenSwitched(false) }
            // An event from before the change.
            model.show(before)
            #expect(!model.showsLastSeen)
            let on = Task.immediate { await model.lastSeenSwitched(true) }
            await off.value
            #expect(model.showsLastSeen)
            await on.value
            #expect(model.showsLastSeen && model.me?.lastSeenVisibility == .friends)
        }
        await desk.stop()
    }

    @Test("Last seen can be hidden and shown")
    func privacy() async throws {
        let desk = try await ChatScene()
        let model = ProfileViewModel(client: desk.ann.client, clock: desk.scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            await until { model.me != nil && model.showsLastSeen }
            await model.lastSeenSwitched(false)
            await until { !model.showsLastSeen }
            await model.lastSeenSwitched(true)
            await until { model.showsLastSeen }
            try await desk.ann.client.auth.logOut()
            await model.lastSeenSwitched(false)
            #expect(model.notice != nil && model.showsLastSeen)
        }
        await desk.stop()
    }

    @Test("Blocked people are listed and can be unblocked")
    func blocked() async throws {
        let desk = try await ChatScene()
        let model = BlockedViewModel(client: desk.ann.client)
        try await showing(model, { await $0.run() }) { model in
            #expect(model.state == .loading)
            await until { model.state == .empty }
            #expect(model.state.placeholder?.title == "Nobody Is Blocked")
            try await desk.ann.client.friends.block(desk.id(of: desk.bob))
            await until { model.people.map(\.name) == ["Bob"] && model.state == .list }
            #expect(model.people[0].unblockSpoken == "Unblock Bob" && model.state.placeholder == nil)
            await model.unblockTapped(model.people[0].id)
            await until { model.state == .empty && model.people.isEmpty }
        }
        await desk.stop()
    }

    @Test(
        "Devices are listed, this one first; another can be signed out; offline there is a word and a retry")
    func devices() async throws {
        let desk = try await ChatScene()
        let phone = try await desk.ann.client.profile.me().first("me") { _ in true }.phone
        let second = try await desk.scenario.client(seed: 3)
        try await second.signIn(phone: phone)
        let model = DevicesViewModel(client: desk.ann.client, words: words(desk.scenario.clock))
        desk.ann.goOffline()
        await model.run()
        guard case .failed(let why) = model.state else { throw Scenario.Failure("\(model.state)") }
        #expect(model.state.placeholder == Placeholder("Devices Can’t Be Shown", why))
        desk.ann.goOnline()
        await model.retryTapped()
        #expect(model.state == .list && model.devices.map(\.isCurrent) == [true, false])
        #expect(model.devices.map(\.canSignOut) == [false, true])
        #expect(model.devices[1].signOutQuestion.title == "Sign Out “\(model.devices[1].name)”?")
        await model.signOutTapped(model.devices[1].id)
        #expect(model.devices.count == 1)
        _ = try await second.client.session.first("signed out") {
            if case .signedOut = $0 { true } else { false }
        }
        await desk.scenario.stop(second)
        await desk.stop()
    }

    @Test("The status page counts what waits and what failed, and lets one try again or give up")
    func status() async throws {
        let desk = try await ChatScene()
        let model = StatusViewModel(client: desk.ann.client)
        func value(_ label: String) -> String? { model.lines.first { $0.label == label }?.value }
        try await showing(model, { await $0.run() }) { model in
            await until { value("Connection") == "online" }
            #expect(value("Waiting to be sent") == "0")
            try await desk.bob.client.friends.remove(desk.id(of: desk.ann))
            desk.ann.goOffline()
            try await desk.bob.settle()
            try await desk.ann.client.messages.send("late", in: desk.chat)
            await until { value("Waiting to be sent") == "1" }
            desk.ann.goOnline()
            await until { model.failed.count == 1 }
            #expect(model.failed[0].title == "A message" && model.failed[0].reason == "You are not friends.")
            await model.discardTapped(model.failed[0].id)
            await until { model.failed.isEmpty && value("Failed") == "0" }
        }
        await desk.stop()
    }

    @Test("Who logs out hears how many messages would be lost")
    func unsent() async throws {
        let desk = try await ChatScene()
        let model = AccountViewModel(client: desk.ann.client)
        try await showing(model, { await $0.run() }) { model in
            #expect(model.logOutQuestion.explanation.hasPrefix("Your chats leave this device"))
            desk.ann.goOffline()
            try await desk.ann.client.messages.send("one", in: desk.chat)
            await until {
                model.logOutQuestion.explanation.hasPrefix("One message was not sent yet and would be lost.")
            }
            try await desk.ann.client.messages.send("two", in: desk.chat)
            await until {
                model.logOutQuestion.explanation.hasPrefix("2 messages were not sent yet and would be lost.")
            }
        }
        await desk.stop()
    }

    @Test("Deleting an account takes the typed word, logging out does not")
    func leaving() async throws {
        let desk = try await ChatScene()
        let model = AccountViewModel(client: desk.ann.client)
        model.confirmationTyped("delete")
        #expect(!model.canDelete)
        await model.deleteTapped()
        desk.ann.goOffline()
        model.confirmationTyped(AccountViewModel.confirmation)
        // The page was left, and is opened again.
        model.deletePageOpened()
        #expect(!model.canDelete)
        model.confirmationTyped(AccountViewModel.confirmation)
        #expect(model.canDelete)
        await model.deleteTapped()
        #expect(model.notice == "The server can't be reached. Check your connection.")
        desk.ann.goOnline()
        await model.deleteTapped()
        #expect(model.notice == nil)
        _ = try await desk.ann.client.session.first("deleted") { $0 == .signedOut(.accountDeleted) }
        let other = AccountViewModel(client: desk.bob.client)
        await other.logOutTapped()
        _ = try await desk.bob.client.session.first("signed out") { $0 == .signedOut(nil) }
        await desk.stop()
    }
}
