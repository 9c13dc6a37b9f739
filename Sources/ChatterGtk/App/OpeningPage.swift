/// While the profile is being opened: a moment, mostly.
struct OpeningPage {
    let root: Widget

    init() {
        let spinner = Spinner().accessible("Opening…").align(.center, .center).minimum(width: 32, height: 32)
        spinner.isSpinning = true
        root = Box.column(HeaderBar().flat(), spinner.expand(horizontally: true, vertically: true)).any
    }
}

/// The profile cannot be opened: why, and another try.
struct UnavailablePage {
    let root: Widget

    init(_ sentence: String, retry: @escaping () async -> Void) {
        let button = Button("Try Again", action: retry).css("pill", "suggested-action").align(.center)
        let page = StatusPage(icon: "dialog-warning-symbolic", "Chatter Can’t Open", sentence, child: button)
        root = Box.column(HeaderBar().flat(), page).any
    }
}
