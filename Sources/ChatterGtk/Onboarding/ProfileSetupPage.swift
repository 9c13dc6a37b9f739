import ChatterViewModels

/// The first profile: a name and a username.
struct ProfileSetupPage {
    let root: Widget

    init(_ model: ProfileSetupViewModel) {
        let avatar = Avatar(size: 96)
        avatar.observe { $0.show(name: model.displayName) }
        let name = EntryRow("Name").bind({ model.displayName }, typed: { model.nameTyped($0) })
            .focusWhenShown()
        name.observe { $0.toggle("error", model.nameHint != nil) }
        let username = UsernameRow { model.username }
        // From the name to the username, and from there on.
        name.onSubmit { username.row.focus() }
        username.row.onSubmit { await model.submitted() }
        for row in [name, username.row] { row.observe { $0.isEditable = !model.isBusy } }

        let rows = PreferencesGroup("", "", name, username.row)
        let nameHint = Label.hint { model.nameHint }.css("error", "form-hint")
        let error = Label.hint { model.error }.css("error", "form-hint")
        let next = Button.working("Continue", while: { model.isBusy }) { await model.submitted() }
            .css("pill", "suggested-action").align(.center)
        next.observe { $0.isSensitive = model.canSubmit }
        let other = Button("Use Another Number") { await model.logOutTapped() }.css("flat").align(.center)
        let form = StepForm(
            picture: avatar, "Your Profile", "Friends see your name and find you by your username.",
            Box.column(rows, nameHint, username.hint, error), Box.column(spacing: 12, next, other))
        root = Box.column(HeaderBar(title: Label()).flat(), form.root).any
    }
}
