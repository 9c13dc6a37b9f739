import ChatterViewModels

/// The six digits that came by message; the sixth submits.
struct CodeStep {
    let root: Widget

    init(_ model: OnboardingViewModel) {
        let phone = Label().leftToRight().css("phone-number").align(.center)
        // Stays while the page slides away.
        phone.observe { if case .code(let number) = model.step { $0.text = number } }
        let code = Entry("Code").forDigits(OnboardingViewModel.codeLength).css("code").align(.center)
        code.bind({ model.code }, typed: { await model.codeTyped($0) })
            .onSubmit { await model.codeSubmitted() }.focusWhenShown()
        code.observe {
            $0.isEditable = !model.isBusy
            $0.toggle("error", model.error != nil)
        }
        let spinner = Spinner().accessible("Checking the code").minimum(height: 20)
        spinner.observe { $0.isSpinning = model.isBusy }
        let error = Label.hint(keepingRoom: true) { model.error }.align(.center).centered().css("error")

        let again = Button("Send Again") { await model.resendTapped() }.css("flat").align(.center)
        again.observe {
            $0.title = model.resendTitle
            $0.isSensitive = model.canResend
        }
        root =
            StepForm(
                "Enter the Code", "Six digits, sent to", phone,
                Box.column(spacing: 12, code, error, spinner), again
            ).root
    }
}
