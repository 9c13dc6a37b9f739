import ChatterViewModels

/// A username to type, and how its check stands: beside it as a sign, below it in words.
struct UsernameRow {
    let row: EntryRow
    /// Goes below the group that holds the row.
    let hint: Label

    /// - Parameter check: asked anew each time, since a saved profile brings another one.
    init(_ check: @escaping () -> UsernameCheck) {
        let spinner = Spinner()
        let sign = Image(icon: "object-select-symbolic")
        let signs = Box.row(spinner, sign)
        row = EntryRow("Username").suffix(signs)
        row.bind({ check().text }, typed: { check().typed($0) })
        hint = Label.hint(keepingRoom: true) { check().sentence }.css("form-hint")
        row.observe { [hint] row in
            let look = check().sign
            spinner.isSpinning = look == .working
            spinner.isVisible = look == .working
            sign.isVisible = look.icon != nil
            signs.isVisible = look != .none
            if let icon = look.icon { sign.show(icon: icon) }
            for style in Set(UsernameCheck.Sign.allCases.map(\.style)) {
                sign.toggle(style, look.style == style)
                hint.toggle(style, look.style == style)
            }
            row.toggle("error", look == .refused)
            row.accessible(description: check().sentence ?? "")
        }
    }
}

extension UsernameCheck.Sign {
    fileprivate var icon: String? {
        switch self {
        case .none, .working: nil
        case .good: "object-select-symbolic"
        case .refused: "dialog-error-symbolic"
        case .unsure: "dialog-warning-symbolic"
        }
    }

    fileprivate var style: String {
        switch self {
        case .none, .working: "dim-label"
        case .good: "success"
        case .refused: "error"
        case .unsure: "warning"
        }
    }
}
