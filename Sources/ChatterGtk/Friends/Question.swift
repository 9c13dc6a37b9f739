/// What is asked before something that is hard to take back, or that another person may notice.
enum Question {
    case remove, block, unblock

    func ask(_ question: String, over parent: some WidgetHandle, _ action: @escaping () async -> Void) {
        let answer = MessageDialog.Response(
            title: answer, appearance: self == .unblock ? .suggested : .destructive, action: action)
        MessageDialog(over: parent, question, explanation, [MessageDialog.Response(title: "Cancel"), answer])
            .present()
    }

    private var answer: String {
        switch self {
        case .remove: "Remove"
        case .block: "Block"
        case .unblock: "Unblock"
        }
    }

    private var explanation: String {
        switch self {
        case .remove:
            "You keep the chat, but neither of you can write in it until you are friends again."
        case .block:
            "Nothing they write reaches you, and neither of you sees the other online. They are not told."
        case .unblock:
            "They can write to you again. What they wrote meanwhile does not come."
        }
    }
}
