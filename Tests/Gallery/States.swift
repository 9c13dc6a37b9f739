/// Everything there is to see. A line is a state: its name, the variants that are of interest, how it comes about.
extension State {
    static let all: [State] = beginning + lists + conversations

    private static let beginning = [
        State("opening") { try await $0.opening() },
        State("unavailable", .narrow) { try await $0.unavailable() },
        State("onboarding-welcome", .every) { try await $0.onboarding { _ in } },
        State("onboarding-phone", .every) { try await $0.onboarding { $0.startTapped() } },
        State("onboarding-phone-invalid") {
            try await $0.onboarding {
                $0.startTapped()
                $0.phoneTyped("+49 30 abc")
            }
        },
    ]

    private static let lists = [
        State("chats-empty", .every) { try await $0.chatsEmpty() },
        State("chats", .every) { try await $0.chats() },
    ]

    private static let conversations = [
        State("conversation", .every) { try await $0.conversation() },
        State("conversation-typing") { try await $0.typing() },
    ]
}
