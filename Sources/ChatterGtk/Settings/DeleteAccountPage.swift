import ChatterViewModels

/// The end of an account, behind a typed word.
struct DeleteAccountPage {
    let root: Widget

    init(_ model: AccountViewModel, _ pages: PageStack) {
        model.confirmationTyped("")
        let what = PreferencesGroup(
            "Delete This Account for Good?",
            "All your devices are signed out. Your phone number and username become free for others. Friends keep "
                + "your name and the messages you sent them. This can’t be undone.")
        let word = EntryRow("Type \(AccountViewModel.confirmation) to confirm")
            .bind({ model.typed }, typed: { model.confirmationTyped($0) })
            .onSubmit { await model.deleteTapped() }.focusWhenShown()
        word.observe { $0.isEditable = !model.isBusy }
        let delete = Button.working("Delete Account", while: { model.isBusy }) { await model.deleteTapped() }
            .css("pill", "destructive-action").align(.center)
        delete.observe { $0.isSensitive = model.canDelete }
        let page = PreferencesPage(
            "", icon: "", what, PreferencesGroup("", "", word), PreferencesGroup("", "", delete))
        root =
            SettingsSubpage("Delete Account", pages, page.expand(horizontally: true, vertically: true)).root
    }
}
