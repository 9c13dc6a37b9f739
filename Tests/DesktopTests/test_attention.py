from chatter_ui import Scenario


class Attention(Scenario):
    """A window counts as looked at while it has the keyboard."""

    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.friends()
        self.alice.opens_chat_with(self.bob)

    # Field case 38
    def test_what_comes_into_an_open_chat_is_read_only_once_somebody_looks(self):
        alice, bob = self.alice, self.bob
        bob.opens_chat_with(alice)
        sent = ("One", "Two", "Three")
        for text in sent:
            bob.says(text)
        alice.sees_row("Bob: Three", among="Messages")
        alice.sees("(3) Chatter", "frame")
        alice.sees_tab("Chats", badge="3")
        for text in sent:
            bob.sees_row(text, among="Messages", ending="delivered")
        alice.looks()
        for text in sent:
            bob.sees_row(text, among="Messages", ending="read")
        alice.sees("Chatter", "frame")
        alice.sees_tab("Chats", badge=None)

    # Field case 39
    def test_what_one_sent_right_before_looking_away_is_not_new(self):
        alice, bob = self.alice, self.bob
        alice.cable.pull()
        alice.sees_text("Offline")
        alice.says("One")
        alice.says("Two")
        bob.opens_chat_with(alice)
        alice.cable.plug()
        bob.sees_row("Alice: Two", among="Messages")
        alice.sees_row("Two", among="Messages", ending="read")
        alice.looks()
        bob.says("Three")
        bob.sees_row("Three", among="Messages", ending="read")
        self.assertNotIn("New", alice.rows("Messages"))
        bob.looks()
        bob.says("Four")
        alice.sees_row("Bob: Four", among="Messages")
        alice.looks()
        alice.sees_row("New", among="Messages")
        rows = alice.rows("Messages")
        self.assertIn("Bob: Four", rows[rows.index("New") + 1])
