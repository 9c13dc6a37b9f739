import ChatterViewModels

/// Says when a person first sees their chats, then the first chat they open, then what they write there: for who measures
/// the start.
enum StartTrace {
    static func follow(_ model: MainViewModel, on page: Widget) {
        page.once({ model.chats.state != .loading }) { Trace.line("main page painted") }
        page.once({ model.conversation?.rows.isEmpty == false }) {
            Trace.line("chat painted")
            let draft = model.conversation?.draft
            page.once({ model.conversation?.draft != draft }) { Trace.line("draft painted") }
        }
    }
}

extension Widget {
    /// Runs `painted` after the frame that shows what has met the condition first.
    fileprivate func once(_ condition: @escaping () -> Bool, painted: @escaping () -> Void) {
        var isMet = false
        observe(condition) { page, isMetNow in
            guard isMetNow, !isMet else { return }
            isMet = true
            page.afterNextPaint(painted)
        }
    }
}
