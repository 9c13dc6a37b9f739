from chatter_ui import Scenario


class Blocking(Scenario):
    def test_somebody_is_blocked_reported_and_unblocked(self):
        alice, bob = self.friends()
        bob.opens_chat_with(alice)
        bob.says("Buy my watches")
        alice.opens_chat_with(bob)
        alice.sees_row("Buy my watches", among="Messages")
        alice.clicks("Friends")
        alice.clicks("Contact info of Bob")
        alice.clicks("Report…")
        alice.clicks("Spam")
        alice.clicks("Report")
        alice.sees_text("Thank you")
        alice.clicks("Block…")
        alice.clicks("Block")
        alice.sees_text("You have blocked this person.")
        bob.says("Why?")
        bob.sees_row("Why?", among="Messages", ending="sent")
        alice.clicks("Unblock")
        alice.sees_no("You have blocked this person.")
        alice.says("Stop it")
        bob.sees_row("Alice: Stop it", among="Messages")
        alice.sees_no_row("Why?", among="Messages")
