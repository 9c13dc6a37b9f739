import ChatterViewModels

/// One's own name, username and line about oneself.
struct ProfilePage {
    let root: Widget

    init(_ model: ProfileViewModel, _ pages: PageStack) {
        let avatar = Avatar(size: 96).align(.center)
        avatar.observe { $0.show(name: model.face.name) }
        let name = EntryRow("Name").bind({ model.displayName }, typed: { model.nameTyped($0) })
        let username = UsernameRow { model.username }
        let about = EntryRow("About").bind({ model.about }, typed: { model.aboutTyped($0) })
        for row in [name, username.row, about] {
            row.onSubmit { await model.saveTapped() }
            row.observe { $0.isEditable = !model.isSaving }
        }

        let rows = PreferencesGroup("", "", name, username.row, about)
        let hint = Label.hint { model.hint }.css("error", "form-hint")
        let queued = Label.hint { model.queuedNote }.css("dim-label", "form-hint")
        for line in [username.hint, hint, queued] { rows.add(line) }

        let cancel = Button("Cancel") { model.cancelTapped() }.css("pill")
        cancel.observe { $0.isSensitive = model.canCancel }
        let save = Button.working("Save", while: { model.isSaving }) { await model.saveTapped() }
            .css("pill", "suggested-action")
        save.observe { $0.isSensitive = model.canSave }
        let buttons = PreferencesGroup("", "", Box.row(spacing: 12, cancel, save).align(.center))
        let page = PreferencesPage(
            "", icon: "", PreferencesGroup("", "", avatar), Self.refused(model), rows, buttons)
        root = SettingsSubpage("Profile", pages, page.expand(horizontally: true, vertically: true)).root
    }

    /// A change that was saved here and that the server refused later.
    private static func refused(_ model: ProfileViewModel) -> PreferencesGroup {
        let row = ActionRow().subtitleLines(0).titleLines(2)
            .suffix(
                Button(icon: "view-refresh-symbolic", "Try Again") { await model.retryRefusedTapped() }
                    .css("flat")
            )
            .suffix(
                Button(icon: "user-trash-symbolic", "Discard") { await model.discardRefusedTapped() }
                    .css("flat"))
        row.observe { $0.show("A Change Was Refused", model.refusal ?? "") }
        return PreferencesGroup("", "", row).observe { $0.isVisible = model.refusal != nil }
    }
}
