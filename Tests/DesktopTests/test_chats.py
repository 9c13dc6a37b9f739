from chatter_ui import Scenario


class Chats(Scenario):
    def test_a_chat_is_pinned_muted_archived_and_back(self):
        alice, bob = self.friends()
        bob.closes_the_app()
        bob.types_command("send", alice.username, "Hello")
        alice.sees_row("Bob, 1 unread, Hello", among="Chats")
        alice.hovers("Bob", among="Chats")
        alice.clicks("Pin")
        alice.sees_row("Bob", among="Chats", ending="pinned")
        alice.clicks("Mute")
        alice.picks("Mute always")
        alice.sees_row("Bob", among="Chats", ending="pinned, muted")
        alice.clicks("Unpin")
        alice.clicks("Archive")
        alice.sees("All Chats Are Archived")
        alice.clicks("Archived (1)")
        alice.sees_row("Bob", among="Archived Chats", ending="muted")
        alice.hovers("Bob", among="Archived Chats")
        alice.clicks("Unmute")
        alice.clicks("Unarchive")
        alice.sees_row("Bob, 1 unread, Hello", among="Chats")
