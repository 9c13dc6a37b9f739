import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation

// What happened before the app was opened.
extension Stage {
    /// A text in the language of the picture.
    func text(_ latin: String, _ arabic: String) -> String { variant == .rtl ? arabic : latin }

    /// Makes the account of the person whose app is shown.
    func signUp() async throws {
        try await add(.maya)
        _ = try await myself.device.call(
            Routes.editProfile, body: EditProfile(about: text("At sea until Friday", "في البحر حتى الجمعة")))
    }

    @discardableResult
    func add(_ role: Role, username: String? = nil) async throws -> Person {
        let phone = scenario.server.newPhone()
        let name = role.name(variant)
        let device = try await scenario.server.signIn(phone: phone, name: "\(role.rawValue)'s phone")
        let profile = EditProfile(displayName: name, username: username ?? role.rawValue)
        _ = try await device.call(Routes.editProfile, body: profile)
        let person = Person(role, name, device)
        people.append(person)
        return person
    }

    /// The telephone of the person whose app is shown.
    var myself: Person { people[0] }

    /// A new friend, with a chat.
    @discardableResult
    func befriend(_ role: Role) async throws -> Person {
        let friend = try await add(role)
        let request = try await myself.device.call(
            Routes.sendFriendRequest, body: NewFriendRequest(userID: friend.id))
        _ = try await friend.device.call(Routes.acceptFriendRequest, ["id": request.id.rawValue])
        friend.chat = try await myself.device.call(Routes.openDirect, body: OpenDirect(userID: friend.id)).id
        return friend
    }

    /// A message in the chat of `friend`, by them unless told.
    @discardableResult
    func say(_ latin: String, _ arabic: String? = nil, in friend: Person, byMe: Bool = false) async throws
        -> Int64
    {
        let ack = try await (byMe ? myself : friend).device.call(
            Routes.sendMessage, ["id": chat(friend).rawValue],
            body: NewMessage(
                clientMessageID: ClientMessageID(UUID()), body: text(latin, arabic ?? latin)))
        return ack.seq
    }

    func chat(_ friend: Person) throws -> ID<Conversation> {
        guard let chat = friend.chat else { throw Gallery.Failure("there is no chat with \(friend.name)") }
        return chat
    }

    /// How far somebody got in the chat of `friend`: they themselves unless told.
    func receipt(_ friend: Person, delivered: Int64? = nil, read: Int64? = nil, byMe: Bool = false)
        async throws
    {
        _ = try await (byMe ? myself : friend).device.call(
            Routes.moveReceipts, ["id": chat(friend).rawValue],
            body: MoveReceipts(delivered: delivered, read: read))
    }

    func settings(_ friend: Person, _ edit: EditSettings) async throws {
        _ = try await myself.device.call(Routes.editSettings, ["id": chat(friend).rawValue], body: edit)
    }

    func later(_ minutes: Int) async throws {
        scenario.jump(by: .seconds(minutes * 60))
        for person in people { try await person.renew() }
    }

    /// The shown app's device signs in, and has everything.
    func signIn() async throws {
        try await me.signIn(phone: myself.device.phone)
        try await me.connection(is: .online)
        try await me.settle()
    }
}
