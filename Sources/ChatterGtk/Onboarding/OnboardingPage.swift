import ChatterViewModels

/// From the welcome page to a signed-in account.
struct OnboardingPage {
    let root: Widget

    init(_ model: OnboardingViewModel) {
        root = Box.column(HeaderBar().flat(), StatusPage("Welcome to Chatter")).any
    }
}
