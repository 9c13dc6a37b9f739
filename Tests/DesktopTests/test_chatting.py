from chatter_ui import Scenario


class Chatting(Scenario):
    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.friends()

    # Field case 121
    def test_ticks_tell_how_far_a_message_came(self):
        alice, bob = self.alice, self.bob
        alice.opens_chat_with(bob)
        bob.cable.pull()
        alice.says("Are you there?")
        alice.sees_row("Are you there?", among="Messages", ending="sent")
        bob.cable.plug()
        alice.sees_row("Are you there?", among="Messages", ending="delivered")
        bob.opens_chat_with(alice)
        alice.sees_row("Are you there?", among="Messages", ending="read")
        alice.cable.pull()
        alice.says("And now?")
        alice.sees_row("And now?", among="Messages", ending="sending")
        alice.cable.plug()
        alice.sees_row("And now?", among="Messages", ending="delivered")

    def test_somebody_who_writes_is_seen_typing_until_the_message_comes(self):
        alice, bob = self.alice, self.bob
        alice.opens_chat_with(bob)
        bob.opens_chat_with(alice)
        alice.writes("Wait", into="Message")
        bob.sees("typing…")
        alice.says("Wait for me")
        bob.sees_row("Alice: Wait for me", among="Messages")
        bob.sees_no("typing…")

    def test_who_looks_at_a_chat_gets_no_notification_of_it(self):
        alice, bob = self.alice, self.bob
        alice.opens_chat_with(bob)
        bob.closes_the_app()
        alice.looks()
        bob.types_command("send", alice.username, "Look here")
        alice.sees_row("Bob: Look here", among="Messages")
        alice.sees_row("Bob, Look here", among="Chats")
        self.assertFalse(self.world.notifications.shown)

    # Field case 111
    def test_a_draft_waits_in_its_chat_also_when_the_app_is_killed(self):
        alice, bob = self.alice, self.bob
        alice.opens_chat_with(bob)
        alice.writes("Half a tho", into="Message")
        alice.sees_row("Draft: Half a tho", among="Chats")
        alice.loses_power()
        alice.opens_the_app()
        alice.sees_row("Draft: Half a tho", among="Chats")
        alice.opens_chat_with(bob)
        alice.sees_in("Half a tho", "Message")
