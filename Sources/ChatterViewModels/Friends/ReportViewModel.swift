import ChatterModel
import Observation

/// A report of a person, or of one of their messages, while it is written. The reason is the person's to choose.
@Observable
public final class ReportViewModel {
    public private(set) var reason: Report.Reason?
    public private(set) var comment = ""
    private var isSent = false

    public let question: Question

    @ObservationIgnored private let send: (Report.Reason, _ comment: String?) async -> Void

    /// What is said once it has arrived.
    nonisolated static let thanks = "Thank you. Your report was sent."

    init(_ question: Question, send: @escaping (Report.Reason, _ comment: String?) async -> Void) {
        self.question = question
        self.send = send
    }

    public func reasonChosen(_ reason: Report.Reason) { self.reason = reason }

    public func commentTyped(_ text: String) { if text != comment { comment = text } }

    public var canSend: Bool { reason != nil && !isSent }

    /// Once: the page then goes away.
    public func sendTapped() async {
        guard canSend, let reason else { return }
        isSent = true
        await send(reason, comment.isEmpty ? nil : comment)
    }
}

extension Report.Reason {
    public nonisolated var title: String {
        switch self {
        case .spam: "Spam"
        case .harassment: "Harassment"
        case .hate: "Hate"
        case .violence: "Violence"
        case .nudity: "Nudity"
        case .impersonation: "Pretends to be somebody"
        case .other: "Something else"
        }
    }
}
