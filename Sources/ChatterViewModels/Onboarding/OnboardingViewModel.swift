import ChatterClient
import ChatterModel
import Foundation
import Observation

/// From the welcome page to a signed-in account.
@Observable
public final class OnboardingViewModel {
    public enum Step: Hashable, Sendable {
        case welcome
        case phone
        /// The number as the server understood it.
        case code(phone: String)
    }

    public private(set) var step = Step.welcome
    /// Why the person is here again; nil for somebody new.
    public private(set) var reason: String?
    public private(set) var phone: PhoneEntry
    public private(set) var code = ""
    public private(set) var isBusy = false
    public private(set) var error: String?
    /// When another code may be asked for, in seconds from now; nil: now.
    public private(set) var resendIn: Int?

    public static let codeLength = 6
    private static let resendAfter = 30

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let clock: any ChatterClock
    @ObservationIgnored private let locale: Locale
    @ObservationIgnored private var countdown: Task<Void, Never>?
    /// Counts what was asked of the server: the answer to an earlier question changes nothing any more.
    @ObservationIgnored private var question = 0

    init(_ reason: SignOutReason?, client: ChatterClient, clock: any ChatterClock, locale: Locale) {
        self.client = client
        self.clock = clock
        self.locale = locale
        phone = PhoneEntry(country: .current(locale))
        self.reason =
            switch reason {
            case .refreshRefused: "You were signed out. Sign in again: nothing stored here is lost."
            case .accountDeleted: "Your account was deleted."
            case nil: nil
            }
    }

    // MARK: - Welcome and phone

    public func startTapped() { step = .phone }

    public var country: CountryRow { CountryRow(phone.country, in: locale) }

    /// To choose one from, by their names in this person's language.
    public func countries() -> CountriesViewModel { CountriesViewModel(locale: locale) }

    public func countryChosen(_ country: Country) {
        // While the server is asked, it is asked about the number that stands there.
        guard !isBusy else { return }
        phone.choose(country)
        error = nil
    }

    public func phoneTyped(_ text: String) {
        guard text != phone.text, !isBusy else { return }
        phone.type(text)
        error = nil
    }

    /// What is wrong with the number so far; nil while that is not worth a word.
    public var phoneHint: String? {
        switch phone.state {
        case .tooLong: "This number is too long."
        case .malformed: "Only digits, please."
        case .noSuchCode: "No country has this calling code."
        case .empty, .tooShort, .complete: nil
        }
    }

    /// What is wrong with the number, or why it could not be sent; nil while nothing is.
    public var phoneProblem: String? { phoneHint ?? error }

    public var canAskForCode: Bool {
        if case .complete = phone.state { !isBusy } else { false }
    }

    public func phoneSubmitted() async {
        guard case .complete(let number) = phone.state, !isBusy else { return }
        await ask(number)
    }

    private func ask(_ number: String) async {
        let question = begin()
        defer { end(question) }
        do throws(ClientError) {
            let asked = try await client.auth.requestCode(phone: number)
            guard question == self.question else { return }
            (step, code) = (.code(phone: asked.phone), "")
            startCountdown()
        } catch {
            guard question == self.question else { return }
            self.error = ErrorWords.sentence(error)
        }
    }

    private func begin() -> Int {
        (isBusy, error) = (true, nil)
        question += 1
        return question
    }

    private func end(_ question: Int) {
        if question == self.question { isBusy = false }
    }

    // MARK: - Code

    /// The sixth digit submits.
    public func codeTyped(_ text: String) async {
        let digits = String(WrittenNumber.digits(in: text).prefix(Self.codeLength))
        guard digits != code, !isBusy else { return }
        (code, error) = (digits, nil)
        if code.count == Self.codeLength { await verify() }
    }

    public func codeSubmitted() async {
        if code.count == Self.codeLength { await verify() }
    }

    private func verify() async {
        guard case .code(let number) = step, !isBusy else { return }
        let question = begin()
        defer { end(question) }
        do throws(ClientError) {
            // The app hears of the session by itself.
            _ = try await client.auth.verify(phone: number, code: code)
            countdown?.cancel()
        } catch {
            guard question == self.question else { return }
            self.error = ErrorWords.sentence(error)
            // Typed again from the start; a code that could not be checked stays.
            if error.code == .codeInvalid || error.code == .codeExpired { code = "" }
        }
    }

    public var canResend: Bool { resendIn == nil && !isBusy }
    public var resendTitle: String { resendIn.map { "Send Again in \($0) s" } ?? "Send Again" }

    public func resendTapped() async {
        guard case .code(let number) = step, canResend else { return }
        await ask(number)
    }

    public var canGoBack: Bool { step != .welcome }

    public func backTapped() {
        countdown?.cancel()
        question += 1
        (isBusy, error, code, resendIn) = (false, nil, "", nil)
        switch step {
        case .code: step = .phone
        case .phone, .welcome: step = .welcome
        }
    }

    private func startCountdown() {
        countdown?.cancel()
        resendIn = Self.resendAfter
        let start = clock.monotonic
        countdown = Task { [clock, weak self] in
            for second in 1...Self.resendAfter {
                do {
                    try await clock.sleep(until: start + .seconds(second))
                } catch {
                    return  // Back, or signed in.
                }
                let left = Self.resendAfter - second
                self?.resendIn = left == 0 ? nil : left
            }
        }
    }
}
