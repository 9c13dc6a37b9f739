// Computed and not stored: in Swift 6.3.1 the closures of a stored property's first value are not the main actor's.

/// Everything there is to see. A line is a state: its name, the variants that are of interest, how it comes about.
extension State {
    static var all: [State] { [beginning, lists, people, conversations, windows].flatMap { $0 } }

    private static var beginning: [State] {
        [
            State("opening") { try await $0.opening() },
            State("unavailable", .narrow) { try await $0.unavailable() },
            State("onboarding-welcome", .every) { try await $0.onboarding() },
            State("onboarding-signed-out", .narrow) { try await $0.signedOut() },
            State("onboarding-phone", .every) { try await $0.phone("") },
            State("onboarding-phone-invalid", .narrow) { try await $0.phone("+49 30 abc") },
            State("onboarding-phone-complete") { try await $0.phone("+49 30 12345678") },
            State("onboarding-phone-offline", .narrow) { try await $0.phoneOffline() },
            State("onboarding-code", .every) { try await $0.code("123") },
            State("onboarding-code-wrong", .narrow) { try await $0.code("123456") },
            State("onboarding-code-busy") { try await $0.codeBusy() },
            State("profile-setup", .every) { try await $0.profileSetup(username: "") },
            State("profile-setup-taken", .narrow) { try await $0.profileSetup(username: "tom") },
            State("profile-setup-available", .narrow) { try await $0.profileSetup(username: "maya.l") },
            State("profile-setup-offline") { try await $0.profileSetup(username: "maya.l", isOffline: true) },
        ]
    }

    private static var lists: [State] {
        [
            State("chats-empty", .every) { try await $0.chatsEmpty() },
            State("chats", .every) { try await $0.chats() },
            State("chats-activity", .every) { try await $0.chatsActivity() },
            State("chats-archived", .narrow) { try await $0.chats { $0.chats.showsArchived = true } },
            State("chats-offline", .every) { try await $0.chatsOffline() },
            State("friends-empty", .narrow) { try await $0.friendsEmpty() },
            State("friends", .every) { try await $0.friends() },
            State("friends-requests", .every) { try await $0.requests() },
        ]
    }

    private static var people: [State] {
        [
            State("add-friend", .every) { try await $0.addFriend("") },
            State("add-friend-results", .every) { try await $0.addFriendResults() },
            State("add-friend-nobody") { try await $0.addFriend("nobody", finds: "Nobody Found") },
            State("add-friend-failed") { try await $0.addFriendOffline() },
            State("contact", .every) { try await $0.contact() },
            State("contact-block-question", .narrow) { try await $0.contact(clicking: "Block…") },
            State("contact-blocked", .narrow) { try await $0.contactBlocked() },
            State("contact-report", .every) { try await $0.contact(clicking: "Report…") },
        ]
    }

    private static var conversations: [State] {
        [
            State("conversation", .every) { try await $0.conversation() },
            State("conversation-typing") { try await $0.typing() },
            State("conversation-menu", .every) {
                try await $0.conversation()
                try await $0.click("Chat Menu")
            },
            State("main-menu") {
                try await $0.conversation()
                try await $0.click("Main Menu")
            },
        ]
    }

    private static var windows: [State] {
        [
            State("shortcuts", .every) { try await $0.over { $0.showShortcuts() } },
            State("about") { try await $0.over { $0.showAbout() } },
        ]
    }
}
