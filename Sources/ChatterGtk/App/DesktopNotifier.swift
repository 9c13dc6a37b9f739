import ChatterModel
import ChatterViewModels

/// Messages that came while nobody looked, as the desktop's notifications.
final class DesktopNotifier: Notifier {
    private let app: Application
    private var posted: Set<ID<Conversation>> = []

    init(_ app: Application) { self.app = app }

    func post(_ notification: Notification) {
        app.notify(
            id: id(notification.conversation), title: notification.title, body: notification.body,
            action: Actions.openChat, target: notification.conversation.rawValue)
        posted.insert(notification.conversation)
    }

    func withdraw(_ conversation: ID<Conversation>) {
        guard posted.remove(conversation) != nil else { return }
        app.withdrawNotification(id: id(conversation))
    }

    func withdrawAll() { for conversation in posted { withdraw(conversation) } }

    private func id(_ conversation: ID<Conversation>) -> String { "chat-\(conversation.rawValue)" }
}
