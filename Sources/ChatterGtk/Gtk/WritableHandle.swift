/// What holds a text that a person can change.
protocol WritableHandle: WidgetHandle {
    var text: String { get nonmutating set }
    /// After each change of the text, whoever made it.
    func onChanged(_ action: @escaping () -> Void)
}

extension WritableHandle {
    /// The model's text, and what is typed into it. The model may have changed its text a moment ago, as when a message
    /// was sent, and the next key comes before that is drawn: it is typed into the model's text then.
    ///
    /// - Parameter typed: takes the text before its first wait.
    @discardableResult func bind(_ text: @escaping () -> String, typed: @escaping (String) async -> Void)
        -> Self
    {
        let shown = ShownText()
        let show = {
            // Some widgets tell of an empty text between the old one and the new one.
            shown.isChanging = true
            self.text = text()
            shown.isChanging = false
            shown.text = self.text
        }
        onChanged {
            guard !shown.isChanging else { return }
            let (kept, written) = (text(), self.text)
            let change = TextChange(from: shown.text, to: written)
            let new = change.after(TextChange(from: shown.text, to: kept))
            shown.text = written
            if new != kept { perform { await typed(new) } }
            // What the model does not take goes again. Not now: the widget may be in the middle of its own change.
            if written != text() { nextFrame(show) }
        }
        return observe { _ in show() }
    }
}

/// What a widget held when it was last looked at.
private final class ShownText {
    var text = ""
    var isChanging = false
}
