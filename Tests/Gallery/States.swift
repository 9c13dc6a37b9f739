// Computed and not stored: in Swift 6.3.1 the closures of a stored property's first value are not the main actor's.

/// Everything there is to see. A line is a state: its name, the variants that are of interest, how it comes about.
extension State {
    static var all: [State] {
        [beginning, lists, people, conversations, settings, leaving, windows].flatMap { $0 }
    }

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
            State("country", .every) { try await $0.country("") },
            State("country-search") { try await $0.country("united") },
            State("country-none", .narrow) { try await $0.country("Atlantis") },
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
            State("chats-loading", .narrow) { try await $0.loading(.chats) },
            State("chats-empty", .every) { try await $0.chatsEmpty() },
            State("chats", .every) { try await $0.chats() },
            State("chats-activity", .every) { try await $0.chatsActivity() },
            State("chats-archived", .narrow) { try await $0.chats { $0.chats.showsArchived = true } },
            State("chats-offline", .every) { try await $0.chatsOffline() },
            State("chats-all-archived", .narrow) { try await $0.chatsAllArchived() },
            State("chats-mixed", .narrow) { try await $0.chatsMixed() },
            State("chats-storage", .every) { try await $0.storage() },
            State("friends-loading") { try await $0.loading(.friends) },
            State("friends-empty", .narrow) { try await $0.friendsEmpty() },
            State("friends", .every) { try await $0.friends() },
            State("friends-search", .narrow) { try await $0.friendsSearch("to") },
            State("friends-search-nobody", .narrow) { try await $0.friendsSearch("xyz") },
            State("friends-requests", .every) { try await $0.requests() },
            State("friends-offline", .narrow) { try await $0.friendsOffline() },
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

    private static var conversations: [State] { messages + places + texts }

    private static var messages: [State] {
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
            State("conversation-empty", .every) { try await $0.conversationEmpty() },
            State("conversation-draft", .every) { try await $0.conversationDraft() },
            State("conversation-failed", .every) { try await $0.conversationFailed() },
            State("conversation-offline", .every) { try await $0.conversationOffline() },
            State("conversation-deleted", .narrow) { try await $0.conversationDeleted() },
            State("conversation-details", .every) { try await $0.conversationDetails() },
            State("conversation-details-failed") { try await $0.conversationFailedDetails() },
            State("conversation-message-menu", .narrow) { try await $0.conversationMenu(ofMine: false) },
            State("conversation-delete-question", .narrow) {
                try await $0.conversationMenu(ofMine: true, clicking: "Delete…", asks: "Cancel")
            },
            State("conversation-report", .narrow) {
                try await $0.conversationMenu(ofMine: false, clicking: "Report…", asks: "Cancel")
            },
        ]
    }

    private static var places: [State] {
        [
            State("conversation-unread", .every) { try await $0.conversationUnread() },
            State("conversation-unread-below", .every) { try await $0.conversationUnreadBelow() },
            State("conversation-unread-line", .every) { try await $0.conversationUnreadLine() },
            State("conversation-new-below", .every) { try await $0.conversationNewBelow() },
            State("conversation-10000") { try await $0.conversationHuge() },
            State("conversation-older", .narrow) { try await $0.conversationOlder() },
            State("conversation-older-failed", .narrow) { try await $0.conversationOlderFailed() },
        ]
    }

    private static var texts: [State] {
        [
            State("conversation-emoji", .narrow) { try await $0.conversationEmoji() },
            State("conversation-long", .every) { try await $0.conversationLong() },
            // Field case 76
            State("conversation-longest", .narrow) { try await $0.conversationLongest() },
            // Field case 80
            State("conversation-directions", .every) { try await $0.conversationDirections() },
            // Field case 80
            State("conversation-name", .every) { try await $0.conversationName() },
            State("conversation-blocked", .every) { try await $0.conversationBlocked() },
            State("conversation-unfriended", .narrow) { try await $0.conversationUnfriended() },
            // Field case 99
            State("conversation-account-deleted", .narrow) { try await $0.conversationAbandoned() },
        ]
    }

    private static var settings: [State] {
        [
            State("settings", .every) { try await $0.settings() },
            State("settings-private") {
                try await $0.settings(before: { await $0.profile.lastSeenSwitched(false) })
            },
            State("settings-profile", .every) { try await $0.profile() },
            State("settings-profile-available") { try await $0.profileUsername("maya.l") },
            State("settings-profile-taken", .narrow) { try await $0.profileUsername("tom") },
            State("settings-profile-unreachable", .narrow) {
                try await $0.profileUsername("maya.l", isOffline: true)
            },
            State("settings-profile-refused", .narrow) { try await $0.profileRefused() },
            State("settings-profile-saving") { try await $0.profileSaving() },
            State("settings-profile-queued", .narrow) { try await $0.profileQueued() },
            State("settings-blocked", .every) { try await $0.blocked(.tom, .longname) },
            State("settings-blocked-empty", .narrow) { try await $0.blocked() },
            State("settings-devices", .every) { try await $0.devices() },
            State("settings-devices-loading") { try await $0.devicesLoading() },
            State("settings-devices-failed", .narrow) { try await $0.devicesFailed() },
            State("settings-devices-question", .narrow) { try await $0.devicesQuestion() },
            State("settings-devices-refused", .narrow) { try await $0.devicesRefused() },
            State("settings-status", .every) { try await $0.status() },
            State("settings-status-clock") { try await $0.status(minutes: 3) },
            State("settings-status-fetching") { try await $0.statusFetching() },
            State("settings-status-queue", .every) { try await $0.statusQueue() },
        ]
    }

    private static var leaving: [State] {
        [
            State("log-out", .narrow) { try await $0.logOut() },
            State("log-out-unsent", .every) { try await $0.logOut(unsent: 2) },
            State("delete-account", .every) { try await $0.deleteAccount() },
            State("delete-account-wrong") { try await $0.deleteAccount(typing: "delete") },
            State("delete-account-right", .narrow) { try await $0.deleteAccount(typing: "DELETE") },
            State("delete-account-offline", .narrow) { try await $0.deleteAccountOffline() },
            State("delete-account-done") { try await $0.deleteAccountDone() },
        ]
    }

    private static var windows: [State] {
        [
            State("shortcuts", .every) { try await $0.over { $0.showShortcuts() } },
            State("about") { try await $0.over { $0.showAbout() } },
        ]
    }
}
