from chatter_ui import Scenario
from notifications import GnomeNotifications


class Notifications(Scenario):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.friends()
        self.bob.closes_the_app()
        self.shown = self.world.notifications

    def bob_writes(self, text):
        self.bob.types_command("send", self.alice.username, text)
        self.sees(lambda: self.shown.find(text), "a notification")

    # Field case 118
    def test_a_message_is_announced_and_its_notification_leads_into_the_chat(self):
        alice, other = self.alice, self.world.person("Carol")
        self.bob_writes("Look here")
        alice.sees_row("Bob, 1 unread, Look here", among="Chats")
        alice.sees("(1) Chatter")
        alice.sees_tab("Chats", badge="1")
        other.opens_the_app()
        other.looks()
        other.sees_their_window_in_front()
        self.shown.click(self.shown.find("Look here"))
        alice.sees_their_window_in_front()
        alice.sees_row("Bob", among="Chats", ending="open")
        alice.sees("Chatter", "frame")
        alice.sees_tab("Chats", badge=None)

    def test_a_friend_request_is_announced_and_counted_until_it_is_answered(self):
        alice, carol = self.alice, self.world.person("Carol")
        alice.sees_tab("Friends", badge=None)
        carol.has_an_account()
        carol.types_command("friend", "add", alice.username)
        self.sees(lambda: self.shown.find("Carol"), "a notification")
        alice.sees_tab("Friends", badge="1")
        self.shown.click(self.shown.find("Carol"))
        alice.clicks("Accept Carol")
        alice.sees_tab("Friends", badge=None)

    def test_what_was_announced_goes_with_the_app_since_it_would_lead_nowhere(self):
        self.bob_writes("Look here")
        self.alice.closes_the_app()
        self.sees(lambda: not self.shown.shown, "an end of the notification")


class NotificationsOfGnome(Scenario):
    """It takes them from apps that have a desktop file."""

    def setUp(self):
        super().setUp()
        self.shown = GnomeNotifications()
        self.addCleanup(self.shown.close)
        # What people begin with is what the desktop file starts; the others have none.
        self.alice, self.bob = self.world.person("Alice"), self.world.person("Bob")
        self.alice.profile = "default"
        for person in (self.alice, self.bob):
            person.has_an_account()
        self.alice.types_command("friend", "add", self.bob.username)
        self.bob.types_command("friend", "accept", self.alice.username)

    def test_a_profile_without_a_desktop_file_notifies_where_it_is_taken(self):
        self.bob.opens_the_app()
        self.alice.types_command("send", self.bob.username, "Look here")
        self.sees(lambda: self.world.notifications.find("Look here"), "a notification")
        self.assertEqual(self.shown.shown, {})

    def test_one_from_before_a_crash_goes_when_its_chat_is_opened(self):
        alice, bob, shown = self.alice, self.bob, self.shown
        alice.opens_the_app()
        bob.types_command("send", alice.username, "Look here")
        self.sees(lambda: shown.has("Look here"), "a notification")
        alice.loses_power()
        alice.opens_the_app()
        alice.looks()
        alice.chooses("Bob", among="Chats")
        self.sees(lambda: not shown.shown, "that the notification went")
