import ChatterClient
import Observation

/// Leaving: log out, or delete the account.
@Observable
public final class AccountViewModel {
    /// What has to be typed before an account is deleted.
    public static let confirmation = "DELETE"

    public private(set) var typed = ""
    public private(set) var isBusy = false
    public private(set) var notice: String?
    /// Messages that were not sent yet and would be lost.
    public private(set) var unsent = 0

    @ObservationIgnored private let client: ChatterClient

    init(client: ChatterClient) { self.client = client }

    /// Counts what would be lost, until the task is cancelled.
    public func run() async {
        for await items in client.outbox.items() { unsent = items.count { $0.kind == "message.send" } }
    }

    /// Asked before the log-out: with what it takes from this device.
    public var logOutQuestion: Question {
        Question(title: "Log Out?", explanation: logOutWarning, answer: "Log Out")
    }

    private var logOutWarning: String {
        let chats = "Your chats leave this device, and come back when you sign in again."
        switch unsent {
        case 0: return chats
        case 1: return "One message was not sent yet and would be lost. \(chats)"
        case let count: return "\(count) messages were not sent yet and would be lost. \(chats)"
        }
    }

    public func logOutTapped() async {
        await end { () async throws(ClientError) in try await client.auth.logOut() }
    }

    /// What the page of deleting says; the typed word is the answer.
    public static let deleteQuestion = Question(
        title: "Delete This Account for Good?",
        explanation:
            "All your devices are signed out. Your phone number and username become free for others. Friends keep "
            + "your name and the messages you sent them. This can’t be undone.",
        answer: "Delete Account")

    public static let confirmationLabel = "Type \(confirmation) to confirm"

    /// A word that was typed before and given up counts no more.
    public func deletePageOpened() { typed = "" }

    public func confirmationTyped(_ text: String) { if text != typed { typed = text } }

    public var canDelete: Bool { !isBusy && typed == Self.confirmation }

    public func deleteTapped() async {
        guard canDelete else { return }
        await end { () async throws(ClientError) in try await client.auth.deleteAccount() }
    }

    public func noticeClosed() { notice = nil }

    /// The app hears of the end of the session by itself.
    private func end(_ session: () async throws(ClientError) -> Void) async {
        guard !isBusy else { return }
        isBusy = true
        notice = await attempt(session)
        isBusy = false
    }
}
