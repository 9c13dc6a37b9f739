import ChatterModel
import ChatterViewModels

/// Messages and requests that came while nobody looked, as the desktop's notifications.
final class DesktopNotifier: Notifier {
    private let app: Application
    /// What this process has shown, as far as we know: the system has no answer to that.
    private var posted: Set<String> = []

    init(_ app: Application) { self.app = app }

    func post(_ notification: Notification) {
        post(
            chat(notification.conversation), notification.title, notification.body, leadsTo: Actions.openChat,
            notification.conversation.rawValue)
    }

    func post(_ request: RequestNotification) {
        post(
            self.request(request.user), request.title, request.body, leadsTo: Actions.openRequests,
            request.user.rawValue)
    }

    func withdraw(_ conversation: ID<Conversation>) { withdraw(chat(conversation)) }
    func withdrawRequest(of user: ID<User>) { withdraw(request(user)) }
    func withdrawAll() { for id in posted { withdraw(id) } }

    private func post(_ id: String, _ title: String, _ body: String, leadsTo action: String, _ target: String)
    {
        app.notify(id: id, title: title, body: body, action: action, target: target)
        posted.insert(id)
    }

    private func withdraw(_ id: String) {
        posted.remove(id)
        // It may stand there from before a crash.
        app.withdrawNotification(id: id)
    }

    private func chat(_ id: ID<Conversation>) -> String { "chat-\(id.rawValue)" }
    private func request(_ id: ID<User>) -> String { "request-\(id.rawValue)" }
}
