/// While the profile is being opened: a moment, mostly.
struct OpeningPage {
    let root: Widget

    init() {
        root = Box.column(HeaderBar().flat(), Spinner.alone("Opening…")).any
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
