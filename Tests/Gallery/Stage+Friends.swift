import ChatterClient
import ChatterGtk
import ChatterModel
import ChatterViewModels

// Friends, people one looks for, and what opens over the app's window.
extension Stage {
    func friendsEmpty() async throws {
        try await signUp()
        try await signIn()
        let main = try await openMain()
        main.sectionTapped(.friends)
        try await until("the empty list") { main.friends.state == .empty }
    }

    @discardableResult
    func friends(_ prepare: () async throws -> Void = {}) async throws -> MainViewModel {
        try await signUp()
        for role in [Role.tom, .priya, .zoe, .longname] { try await befriend(role) }
        let zoe = try person(.zoe)
        try zoe.comeOnline()
        zoe.goOffline()
        try await later(70)
        try await prepare()
        try await signIn()
        try person(.tom).comeOnline()
        let main = try await openMain()
        main.sectionTapped(.friends)
        try await until("the friends") { main.friends.friends.contains(where: \.isOnline) }
        return main
    }

    func friendsSearch(_ query: String) async throws {
        let main = try await friends { [self] in
            for role in [Role.jonas, .gerda, .sam, .anna, .layla] { try await befriend(role) }
        }
        try await type(query, into: "Search Friends")
        try await until("the search") { main.friends.query == query }
    }

    func friendsOffline() async throws {
        try await offline(friends())
    }

    func requests() async throws {
        let main = try await friends { [self] in
            try await ask(from: add(.jonas), myself)
            try await ask(from: add(.sam), myself)
            try await ask(from: myself, add(.gerda))
        }
        try await until("the requests") {
            main.requests.incoming.count == 2 && !main.requests.outgoing.isEmpty
        }
    }

    private func ask(from: Person, _ other: Person) async throws {
        _ = try await from.device.call(Routes.sendFriendRequest, body: NewFriendRequest(userID: other.id))
    }

    // MARK: - Add friend

    /// - Parameter sign: what is on screen once the search has ended.
    func addFriend(_ query: String, finds sign: String = "Find People") async throws {
        _ = try await friends()
        try exhibit.showAddFriend()
        try await search(query, finds: sign)
    }

    private func search(_ query: String, finds sign: String) async throws {
        try await appears("Search")
        if !query.isEmpty {
            try await type(query, into: "Search")
            scenario.clock.advance(by: .seconds(1))
        }
        try await appears(sign)
    }

    /// One of each button: names that begin alike.
    func addFriendResults() async throws {
        _ = try await friends { [self] in
            try await ask(from: add(.anna, username: "to_anna"), myself)
            try await ask(from: myself, add(.sam, username: "to_sam"))
            try await add(.jonas, username: "to_jonas")
        }
        try exhibit.showAddFriend()
        try await search("to", finds: Role.jonas.name(variant))
    }

    func addFriendOffline() async throws {
        let main = try await friends()
        me.goOffline()
        try await until("the banner") { main.banner != nil }
        try exhibit.showAddFriend()
        try await search("tom", finds: "Try Again")
    }

    // MARK: - Contact

    func contact(clicking button: String? = nil) async throws {
        _ = try await friends { [self] in
            _ = try await person(.tom).device.call(
                Routes.editProfile,
                body: EditProfile(about: text("Coffee first. Then the rest.", "القهوة أولًا ثم الباقي.")))
        }
        try exhibit.showContact(person(.tom).id)
        try await appears("Remove Friend…")
        if let button { try await click(button) }
        try await appears(button == nil ? "Message" : "Cancel")
    }

    func contactBlocked() async throws {
        try await friends()
        try await me.client.friends.block(person(.tom).id)
        try exhibit.showContact(person(.tom).id)
        try await appears("Unblock")
    }

    /// A window over the list.
    func over(_ open: (Exhibit) -> Void) async throws {
        try await chatsEmpty()
        open(try exhibit)
    }
}
