import ChatterClient
import ChatterModel
import Observation

/// Somebody the search found, and what one can do about them.
nonisolated public struct FoundRow: Identifiable, Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case add, cancel, accept, chat
        /// It is oneself.
        case none

        public var title: String {
            switch self {
            case .add: Remedy.add.title
            case .cancel: Remedy.cancel.title
            case .accept: Remedy.accept.title
            case .chat: "Chat"
            case .none: "That is you"
            }
        }
    }

    public var id: ChatterModel.ID<User>
    public var name: String
    public var handle: String
    public var face: Face
    public var action: Action

    /// What a screen reader says.
    public var spoken: String { "\(name), \(handle)" }
    /// The same of its button.
    public var actionSpoken: String { "\(action.title), \(name)" }
}

/// Finding people: results follow the typed text, buttons follow the friendship.
@Observable
public final class AddFriendViewModel {
    public enum State: Hashable, Sendable {
        /// Too short to search.
        case hint
        case searching
        case results
        case nobody
        case failed(String)

        /// What is said where there are no results.
        public var placeholder: Placeholder? {
            switch self {
            case .hint:
                Placeholder(
                    "Find People",
                    "Type the beginning of a username, or a whole phone number with its + and country code.")
            case .nobody:
                Placeholder("Nobody Found", "Check the spelling. A phone number needs its country code.")
            case .failed(let sentence): Placeholder("That Did Not Work", sentence)
            case .searching, .results: nil
            }
        }
    }

    public private(set) var query = ""
    public private(set) var state = State.hint
    public private(set) var results: [FoundRow] = []
    public private(set) var notice: String?

    /// After the last key.
    static let quiet = Duration.milliseconds(300)

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let pause: QuietPeriod
    @ObservationIgnored private var found: [FoundUser] = []
    @ObservationIgnored private var friends: Set<ID<User>>?
    @ObservationIgnored private var requests: [ID<User>: FriendRequest.Direction]?
    @ObservationIgnored private var me: ID<User>?

    init(client: ChatterClient, clock: any ChatterClock) {
        self.client = client
        pause = QuietPeriod(Self.quiet, clock: clock)
    }

    /// Keeps the buttons right until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followFriends() }
            group.addTask { await self.followRequests() }
            group.addTask { await self.followMe() }
        }
        pause.cancel()
    }

    private func followFriends() async {
        for await items in client.friends.friends() {
            friends = Set(items.map(\.id))
            show()
        }
    }

    private func followRequests() async {
        for await items in client.friends.requests() {
            requests = Dictionary(
                items.map { ($0.id, $0.direction) }, uniquingKeysWith: { first, _ in first })
            show()
        }
    }

    private func followMe() async {
        for await me in client.profile.me() {
            self.me = me.id
            show()
        }
    }

    // MARK: - Searching

    public func typed(_ text: String) {
        guard text != query else { return }
        query = text
        pause.cancel()
        guard let wanted = Self.searchable(text) else {
            (state, found) = (.hint, [])
            return show()
        }
        state = .searching
        pause.after { [weak self] in await self?.find(wanted) }
    }

    /// What the server can look for; nil while it is too short.
    private static func searchable(_ text: String) -> String? {
        if let number = WrittenNumber(text)?.international {
            return number.count >= 7 ? "+\(number)" : nil
        }
        let text = String(text.unicodeScalars.filter { !WrittenNumber.isInvisible($0) })
        let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
        // Not a whole number, or not a number at all.
        guard !name.hasPrefix("+") else { return nil }
        return name.count >= Limits.searchPrefixLength ? name : nil
    }

    public func retryTapped() async {
        guard let wanted = Self.searchable(query) else { return }
        state = .searching
        await find(wanted)
    }

    private func find(_ wanted: String) async {
        do throws(ClientError) {
            let found = try await client.friends.search(wanted)
            // The answer to what was typed before.
            guard Self.searchable(query) == wanted else { return }
            self.found = found
            state = found.isEmpty ? .nobody : .results
            show()
        } catch {
            guard Self.searchable(query) == wanted, error.kind != .cancelled else { return }
            (state, found) = (.failed(ErrorWords.sentence(error)), [])
            show()
        }
    }

    private func show() {
        let rows = found.map { found in
            FoundRow(
                id: found.user.id, name: PersonLabel.name(of: found.user),
                handle: PersonLabel.handle(of: found.user) ?? "", face: Face(found.user),
                action: action(found))
        }
        if results != rows { results = rows }
    }

    /// As things stand here; as the server said until that is known.
    private func action(_ found: FoundUser) -> FoundRow.Action {
        if found.user.id == me { return .none }
        guard let friends, let requests else {
            return switch found.friendshipStatus {
            case .none: .add
            case .requestSent: .cancel
            case .requestReceived: .accept
            case .friends: .chat
            }
        }
        if friends.contains(found.user.id) { return .chat }
        return switch requests[found.user.id] {
        case .outgoing: .cancel
        case .incoming: .accept
        case nil: .add
        }
    }

    // MARK: - Buttons

    /// Add, cancel or accept. `chat` is for whoever shows this.
    public func actionTapped(_ id: ID<User>) async {
        guard let found = found.first(where: { $0.user.id == id }) else { return }
        let action = action(found)
        notice = nil
        do throws(ClientError) {
            switch action {
            case .add: try await client.friends.sendRequest(to: found.user)
            case .cancel: try await client.friends.cancel(to: id)
            case .accept: try await client.friends.accept(from: id)
            case .chat, .none: break
            }
        } catch {
            notice = ErrorWords.sentence(error)
        }
    }

    public func noticeClosed() { notice = nil }
}
