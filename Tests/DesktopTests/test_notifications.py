from chatter_ui import Scenario


class Notifications(Scenario):
    def test_a_message_is_announced_and_its_notification_leads_into_the_chat(self):
        alice, bob = self.friends()
        bob.closes_the_app()
        bob.types_command("send", alice.username, "Look here")
        shown = self.world.notifications
        self.sees(lambda: shown.find("Look here"), "a notification")
        alice.sees_row("Bob, 1 unread, Look here", among="Chats")
        alice.sees("(1) Chatter")
        shown.click(shown.find("Look here"))
        alice.sees_row("Bob", among="Chats", ending="open")
