import ChatterViewModels

/// The first profile.
struct ProfileSetupPage {
    let root: Widget

    init(_ model: ProfileSetupViewModel) {
        root = Box.column(HeaderBar().flat(), StatusPage("Your Profile")).any
    }
}
