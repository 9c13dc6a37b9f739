import ChatterViewModels

/// The phone number and its country.
struct PhoneStep {
    let root: Widget

    init(_ model: OnboardingViewModel) {
        let number = EntryRow("Phone number")
        let country = ActionRow(
            "Country",
            leadsTo: { [number] in
                CountryWindow(model, over: number, chosen: { number.focus() }).present()
            })
        country.observe {
            $0.show("Country", model.country.title)
            $0.accessible(description: model.country.name)
        }
        let code = Label().css("dim-label", "numeric")
        code.observe { $0.text = model.country.code }
        number.prefix(code).forPhone().bind({ model.phone.text }, typed: { model.phoneTyped($0) })
            .onSubmit { await model.phoneSubmitted() }.focusWhenShown()
        number.observe {
            $0.isEditable = !model.isBusy
            $0.toggle("error", model.phoneProblem != nil)
        }

        let rows = PreferencesGroup("", "", country, number)
        let hint = Label.hint(keepingRoom: true) { model.phoneProblem }.css("error", "form-hint")
        let next = Button.working("Next", while: { model.isBusy }) { await model.phoneSubmitted() }
            .css("pill", "suggested-action").align(.center)
        next.observe { $0.isSensitive = model.canAskForCode }
        root =
            StepForm(
                "Your Phone Number", "Chatter sends a code to it, to be sure that it is yours.",
                Box.column(rows, hint), next
            ).root
    }
}
