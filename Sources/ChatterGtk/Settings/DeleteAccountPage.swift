import ChatterViewModels

/// The end of an account, behind a typed word.
struct DeleteAccountPage {
    let root: Widget

    init(_ model: AccountViewModel, _ pages: PageStack) {
        let question = AccountViewModel.deleteQuestion
        model.deletePageOpened()
        let what = PreferencesGroup(question.title, question.explanation)
        let word = EntryRow(AccountViewModel.confirmationLabel)
            .bind({ model.typed }, typed: { model.confirmationTyped($0) })
            .onSubmit { await model.deleteTapped() }.focusWhenShown()
        word.observe { $0.isEditable = !model.isBusy }
        let delete = Button.working(question.answer, while: { model.isBusy }) { await model.deleteTapped() }
            .css("pill", "destructive-action").align(.center)
        delete.observe { $0.isSensitive = model.canDelete }
        let page = PreferencesPage(
            "", icon: "", what, PreferencesGroup("", "", word), PreferencesGroup("", "", delete))
        root =
            SettingsSubpage("Delete Account", pages, page.expand(horizontally: true, vertically: true)).root
    }
}
