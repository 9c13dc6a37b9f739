import ChatterClient
import ChatterModel
import Observation

/// A username while it is typed: the contract's rules at once, the server's word after a moment.
@Observable
public final class UsernameCheck {
    public enum State: Hashable, Sendable {
        case empty
        /// Breaks a rule.
        case invalid(String)
        case checking
        /// What one has already.
        case own
        case available
        case taken(String)
        /// The server could not be asked; it has the last word anyway.
        case unknown(String)
    }

    public private(set) var text = ""
    public private(set) var state = State.empty

    /// After the last key.
    static let quiet = Duration.milliseconds(300)

    /// Without an answer it is asked again, more and more seldom.
    static let retries = (first: Duration.seconds(5), last: Duration.seconds(60))

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let pause: QuietPeriod
    /// One's own name is not taken.
    @ObservationIgnored private let own: String?
    /// What the server is, or is to be, asked about.
    @ObservationIgnored private var wanted: String?
    @ObservationIgnored private var retry = UsernameCheck.retries.first

    init(client: ChatterClient, clock: any ChatterClock, own: String? = nil) {
        self.client = client
        pause = QuietPeriod(Self.quiet, clock: clock)
        self.own = own
        text = own ?? ""
        if own != nil { state = .own }
    }

    public func typed(_ text: String) {
        guard text != self.text else { return }
        self.text = text
        (self.wanted, retry) = (nil, Self.retries.first)
        pause.cancel()
        let wanted: String
        do throws(APIError) {
            wanted = try Username.canonical(text)
        } catch {
            state =
                text.isEmpty ? .empty : .invalid(ErrorWords.sentence(error))
            return
        }
        guard wanted != own else { return state = .own }
        self.wanted = wanted
        state = .checking
        pause.after { [weak self] in await self?.ask(wanted) }
    }

    /// Asks at once; returns when there is an answer, or a reason why there is none.
    func settle() async {
        guard state == .checking, let wanted else { return }
        pause.cancel()
        await ask(wanted)
    }

    private func ask(_ wanted: String) async {
        do throws(ClientError) {
            let answer = try await client.profile.availability(of: wanted)
            guard wanted == self.wanted else { return }
            state = answer.available ? .available : .taken(Self.words(answer))
        } catch {
            guard wanted == self.wanted, error.kind != .cancelled else { return }
            state = .unknown(ErrorWords.sentence(error))
            askAgain(wanted, error)
        }
    }

    private func askAgain(_ wanted: String, _ error: ClientError) {
        guard error.kind == .outage || error.kind == .fault else { return }
        pause.after(max(retry, error.retryAfter ?? .zero)) { [weak self] in await self?.ask(wanted) }
        retry = min(retry * 2, Self.retries.last)
    }

    private static func words(_ answer: UsernameAvailability) -> String {
        switch answer.reason {
        case "reserved": "@\(answer.username) is reserved."
        case "invalid": "@\(answer.username) can't be used."
        default: "@\(answer.username) is taken."
        }
    }

    /// What is to be said about it; nil while there is nothing.
    public var sentence: String? {
        switch state {
        case .empty, .own: nil
        case .checking: "Checking…"
        case .available: "This username is free."
        case .invalid(let why), .taken(let why): why
        case .unknown(let why): "It could not be checked yet. \(why)"
        }
    }

    /// How it stands, at a glance.
    public enum Sign: Hashable, Sendable, CaseIterable { case none, working, good, refused, unsure }

    public var sign: Sign {
        switch state {
        case .empty, .own: .none
        case .checking: .working
        case .available: .good
        case .invalid, .taken: .refused
        case .unknown: .unsure
        }
    }

    /// Good enough to submit.
    public var isUsable: Bool {
        switch state {
        case .own, .available, .unknown: true
        case .empty, .invalid, .checking, .taken: false
        }
    }
}
