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

    # Field case 21
    def test_what_is_sent_right_before_another_chat_opens_stays_in_its_own_on_a_slow_disk(self):
        alice, bob = self.strangers()
        carol = self.world.person("Carol")
        carol.has_an_account()
        for friend in (carol, bob):
            alice.types_command("friend", "add", friend.username)
            friend.types_command("friend", "accept", alice.username)
            friend.types_command("send", alice.username, f"{friend.name} is here")
        alice.opens_the_app()
        alice.chooses("Bob", among="Chats")
        alice.sees_row("Bob is here", among="Messages")
        alice.looks()
        with alice.busy_disk():
            alice.types(*"bob", "Return", "alt+Down")
            alice.writes_by_hand("carol")
            alice.sees_row("Carol is here", among="Messages")
            alice.sees_in("carol", "Message")
        alice.types("Return")
        alice.sees_row("You: carol", among="Messages", ending="sent")
        alice.sees_in_order(["Carol is here", "You: carol"])
        alice.chooses("Bob", among="Chats")
        alice.sees_row("You: bob", among="Messages", ending="sent")
        alice.sees_in_order(["Bob is here", "You: bob"])
        for friend in (bob, carol):
            friend.opens_the_app()
            friend.sees_row(f"Alice, 1 unread, {friend.name.lower()}", among="Chats")
