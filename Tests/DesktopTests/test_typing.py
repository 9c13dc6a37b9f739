from chatter_ui import Scenario


class Typing(Scenario):
    """With real keys, faster than the window draws."""

    def test_what_is_typed_right_after_return_is_the_next_message_alone(self):
        alice, bob = self.friends()
        alice.opens_chat_with(bob)
        alice.looks()
        for number in "12345":
            alice.types(*"one", number, "Return", *"two", number, "Return", *"rest")
            alice.sees_in("rest", "Message")
            alice.types(*["BackSpace"] * 4)
            alice.sees_in("", "Message")
        sent = [f"{text}{number}" for number in "12345" for text in ("one", "two")]
        alice.sees_row("two5", among="Messages")
        self.assertEqual([row.split(": ")[1].split(", ")[0] for row in alice.rows("Messages") if ": " in row], sent)
