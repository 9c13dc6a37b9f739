import ChatterClient
import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("Friends and requests", .timeLimit(.minutes(5)))
@MainActor
struct FriendsTests {
    @Test("A friend is online while connected, then was last seen; and can be removed")
    func friends() async throws {
        let desk = try await ChatScene()
        let model = FriendsViewModel(client: desk.ann.client, words: words(desk.scenario.clock))
        try await showing(model, { await $0.run() }) { model in
            await until { model.friends.first?.isOnline == true }
            #expect(model.friends[0].subtitle == "online")
            #expect(model.friends[0].spoken == "Bob, online" && model.state.placeholder == nil)
            #expect(model.friends[0].infoSpoken == "Contact info of Bob")
            desk.ann.goOffline()
            await until { model.friends[0].isOnline == false }
            #expect(model.friends[0].subtitle != "online")
            desk.ann.goOnline()
            await model.removeTapped(model.friends[0].id)
            await until { model.state == .empty }
            #expect(model.state.placeholder?.title == "No Friends Yet")
        }
        await desk.stop()
    }

    @Test("The button of a found person follows the friendship, from both sides")
    func adding() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let model = AddFriendViewModel(client: ann.client, clock: scenario.clock)
        let theirs = RequestsViewModel(client: bob.client, words: words(scenario.clock))
        try await showing(theirs, { await $0.run() }) { theirs in
            try await showing(model, { await $0.run() }) { model in
                model.typed("b")
                #expect(model.state == .hint && model.state.placeholder?.title == "Find People")
                model.typed("@bo")
                #expect(model.state == .searching)
                scenario.clock.advance(by: .milliseconds(300))
                await until { model.state == .results }
                #expect(model.results.map(\.action) == [.add] && model.state.placeholder == nil)
                #expect(
                    model.results[0].spoken == "Bob, @bob"
                        && model.results[0].actionSpoken == "Add Friend, Bob")
                let bobID = model.results[0].id
                await model.actionTapped(bobID)
                await until { model.results[0].action == .cancel }
                await until { theirs.count == 1 }
                await model.actionTapped(bobID)
                await until { model.results[0].action == .add && theirs.isEmpty }
                await model.actionTapped(bobID)
                await until { theirs.count == 1 }
                #expect(theirs.incoming[0].handle == "@ann")
                await theirs.acceptTapped(theirs.incoming[0].id)
                await until { model.results[0].action == .chat && theirs.isEmpty }
            }
        }
        await scenario.stop(ann, bob)
    }

    @Test("Oneself cannot be added; nobody and no connection each have a word")
    func nobody() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let model = AddFriendViewModel(client: ann.client, clock: scenario.clock)
        try await showing(model, { await $0.run() }) { model in
            model.typed("ann")
            scenario.clock.advance(by: .milliseconds(300))
            await until { model.state == .results || model.state == .nobody }
            #expect(model.results.allSatisfy { $0.action == .none })
            model.typed("zzz")
            scenario.clock.advance(by: .milliseconds(300))
            await until { model.state == .nobody }
            #expect(model.state.placeholder?.title == "Nobody Found")
            ann.goOffline()
            model.typed("zzzz")
            scenario.clock.advance(by: AddFriendViewModel.quiet)
            await until { if case .failed = model.state { true } else { false } }
            #expect(
                model.state.placeholder?.sentence == "The server can't be reached. Check your connection.")
            ann.goOnline()
            await model.retryTapped()
            #expect(model.state == .nobody)
        }
        await scenario.stop(ann)
    }

    @Test("Requests can be declined and cancelled; one made offline says that it waits")
    func requests() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let model = RequestsViewModel(client: ann.client, words: words(scenario.clock))
        let found = try #require(try await ann.client.friends.search("bob").first)
        let me = try await ann.client.profile.me().first("me") { _ in true }
        try await showing(model, { await $0.run() }) { model in
            await until { !model.isLoading }
            ann.goOffline()
            try await ann.client.friends.sendRequest(to: found.user)
            await until { model.outgoing.first?.when == "Waits for a connection" }
            #expect(model.all[0].subtitle == "@bob · Waits for a connection")
            #expect(model.all[0].spoken == "Bob, @bob, asked by you, Waits for a connection")
            #expect(model.all[0].cancelSpoken == "Cancel request to Bob")
            ann.goOnline()
            await until { model.outgoing.first?.when != "Waits for a connection" }
            await model.cancelTapped(found.user.id)
            await until { model.isEmpty }
            let annSeen = try #require(
                try await bob.client.friends.search("ann").first { $0.user.id == me.id })
            try await bob.client.friends.sendRequest(to: annSeen.user)
            await until { model.count == 1 }
            #expect(model.all[0].spoken.hasPrefix("Bob, @bob, asks to be your friend, "))
            await model.declineTapped(model.incoming[0].id)
            await until { model.isEmpty }
        }
        await scenario.stop(ann, bob)
    }

    @Test("A contact's page blocks, unblocks, reports and removes")
    func contact() async throws {
        let desk = try await ChatScene()
        let bob = try await desk.id(of: desk.bob)
        let model = ContactViewModel(
            bob, client: desk.ann.client, words: words(desk.scenario.clock))
        try await showing(model, { await $0.run() }) { model in
            await until { model.name == "Bob" && model.isFriend && model.presence == "online" }
            #expect(model.handle == "@bob" && model.standing == .friends)
            #expect(model.actions == [.message, .remove, .block, .report])
            await model.blockTapped()
            await until { model.isBlocked }
            #expect(model.standing?.sentence == "You have blocked this person.")
            #expect(model.actions == [.remove, .unblock, .report])
            await model.unblockTapped()
            await until { !model.isBlocked }
            let report = model.report()
            #expect(report.reason == nil && !report.canSend)
            await report.sendTapped()
            #expect(model.notice == nil)
            report.reasonChosen(.spam)
            report.commentTyped("sends adverts")
            #expect(report.canSend)
            await report.sendTapped()
            #expect(model.notice == "Thank you. Your report was sent." && !report.canSend)
            model.noticeClosed()
            let long = model.report()
            long.reasonChosen(.other)
            long.commentTyped(String(repeating: "x", count: 1001))
            await long.sendTapped()
            #expect(model.notice == "The comment must be at most 1000 characters.")
            await model.removeTapped()
            await until { !model.isFriend }
            #expect(model.standing == .strangers && model.presence == nil)
            #expect(model.name == "Bob" && model.actions == [.add, .block, .report])
            await model.addTapped()
            await until { model.standing == .asked }
            #expect(model.standing?.sentence == "You have asked to be friends.")
            #expect(model.actions == [.cancel, .block, .report])
            #expect(model.actions.map(\.title) == ["Cancel Request", "Block…", "Report…"])
            await model.cancelTapped()
            await until { model.actions == [.add, .block, .report] }
        }
        await desk.stop()
    }

    @Test("The page of an account that has gone says so, and offers only what still makes sense")
    func contactGone() async throws {
        let desk = try await ChatScene()
        let model = ContactViewModel(
            try await desk.id(of: desk.bob), client: desk.ann.client,
            words: words(desk.scenario.clock))
        try await showing(model, { await $0.run() }) { model in
            await until { model.isFriend && !model.actions.isEmpty }
            try await desk.bob.client.auth.deleteAccount()
            await until { model.isDeleted && !model.isFriend }
            #expect(model.name == "Bob" && model.handle.isEmpty)
            #expect(model.standing == .gone && model.actions == [.report])
        }
        await desk.stop()
    }

    @Test("Who asked to be a friend has a page before being one")
    func contactAsking() async throws {
        let scenario = try await Scenario()
        let ann = try await scenario.person("ann", seed: 1)
        let bob = try await scenario.person("bob", seed: 2)
        let found = try #require(try await bob.client.friends.search("ann").first)
        try await bob.client.friends.sendRequest(to: found.user)
        let id = try await bob.client.profile.me().first("profile") { _ in true }.id
        let model = ContactViewModel(id, client: ann.client, words: words(scenario.clock))
        try await showing(model, { await $0.run() }) { model in
            await until { model.actions == [.accept, .block, .report] }
            #expect(model.name == "Bob" && model.standing == .asksYou)
            #expect(model.standing?.sentence == "This person asks to be your friend.")
            await model.acceptTapped()
            await until { model.standing == .friends && model.actions.first == .message }
        }
        await scenario.stop(ann, bob)
    }
}
