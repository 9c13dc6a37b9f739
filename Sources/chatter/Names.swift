import Arguments
import ChatterClient
import ChatterModel

extension Positional where Value == String {
    /// The NAME that most commands take.
    static var person: Positional {
        Positional("NAME", "A username, with or without @, or a display name that only one of them has.")
    }
}

/// Finds whom a typed name means.
enum Names {
    enum Match: Equatable {
        case one(User)
        case none
        case several([User])
    }

    /// A username wins over a display name: it is unique, a display name can imitate it.
    static func match(_ typed: String, among people: [User]) -> Match {
        let name = typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
        let wanted = name.lowercased()
        var unique: [ID<User>: User] = [:]
        for person in people { unique[person.id] = person }
        let all = unique.values.sorted { $0.id < $1.id }
        if let person = all.first(where: { $0.username == wanted }) { return .one(person) }
        guard !typed.hasPrefix("@") else { return .none }
        let named = all.filter { $0.displayName?.lowercased() == wanted }
        return switch named.count {
        case 0: .none
        case 1: .one(named[0])
        default: .several(named)
        }
    }
}

extension Account {
    /// Everybody stored on this machine: chats, friends, requests.
    func known() async -> [User] {
        let chats = await client.conversations.chats().first { _ in true } ?? []
        let friends = await client.friends.friends().first { _ in true } ?? []
        let requests = await client.friends.requests().first { _ in true } ?? []
        let blocked = await client.friends.blocked().first { _ in true } ?? []
        return chats.compactMap(\.peer) + friends.map(\.user) + requests.map(\.user) + blocked.map(\.user)
    }

    /// Whom `name` means among those stored here.
    func person(_ name: String) async throws -> User {
        try one(of: Names.match(name, among: await known()), name)
    }

    /// Whom `name` means among those stored here, else on the server: a whole username or phone number.
    func anybody(_ name: String) async throws -> User {
        if case .one(let user) = Names.match(name, among: await known()) { return user }
        guard !isOffline else {
            throw Failure(
                .unreachable, "The server can't be reached, and “\(Printable.line(name))” is not known here.")
        }
        let found = try await client.friends.search(name)
        if name.hasPrefix("+"), found.count == 1 { return found[0].user }
        return try one(of: Names.match(name, among: found.map(\.user)), name)
    }

    /// - Parameter missing: What to say when it means nobody.
    func one(of match: Names.Match, _ name: String, missing: String? = nil) throws -> User {
        switch match {
        case .one(let user): return user
        case .none where me.username == (name.hasPrefix("@") ? String(name.dropFirst()) : name).lowercased():
            throw Failure(.failure, code: "NOT_FOUND", "That is you. Say somebody else's name.")
        case .none:
            let shown = Printable.line(name)
            throw Failure(
                .failure, code: "NOT_FOUND",
                missing
                    ?? "There is nobody called “\(shown)” here. Look on the server with: chatter find \(shown)"
            )
        case .several(let users):
            let names = users.map { Words.fullName(of: $0) }.joined(separator: ", ")
            throw Failure(
                .failure, code: "AMBIGUOUS", "Several people have that name: \(names). Use the username.")
        }
    }

    /// The chat with whom `name` means. One that is stored here needs no connection; the first with somebody is made
    /// by the server, which gets its time to answer.
    func openChat(with name: String) async throws -> (user: User, id: ID<Conversation>) {
        if case .one(let user) = Names.match(name, among: await known()),
            let chat = await storedChat(with: user)
        {
            return (user, chat)
        }
        guard try await connect() else {
            throw Failure(
                .unreachable,
                "The server can't be reached, and there is no chat with “\(Printable.line(name))” on this machine yet."
            )
        }
        let user = try await person(name)
        return (user, try await client.conversations.openDirect(with: user.id))
    }

    private func storedChat(with user: User) async -> ID<Conversation>? {
        let chats = await client.conversations.chats().first { _ in true } ?? []
        return chats.first { $0.type == .direct && $0.peer?.id == user.id }?.id
    }
}
