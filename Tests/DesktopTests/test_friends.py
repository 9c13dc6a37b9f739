from chatter_ui import Scenario


class Friends(Scenario):
    def strangers_look(self):
        alice, bob = self.strangers()
        alice.opens_the_app()
        bob.opens_the_app()
        return alice, bob

    def asks(self, person, other):
        person.presses("ctrl+n")
        person.writes(other.username, into="Search")
        person.clicks(f"Add Friend, {other.name}")

    def test_a_request_is_sent_seen_and_accepted(self):
        alice, bob = self.strangers_look()
        self.asks(bob, alice)
        bob.sees(f"Cancel Request, {alice.name}")
        bob.presses("Escape")
        bob.clicks("Friends")
        bob.sees_row("Alice", among="Requests")
        alice.clicks("Friends")
        alice.sees_row("Bob", among="Requests")
        alice.clicks("Accept Bob")
        alice.sees_row("Bob, online", among="Friends")
        bob.sees_row("Alice, online", among="Friends")
        bob.sees_no("Requests")

    def test_a_request_is_taken_back_and_another_is_declined(self):
        alice, bob = self.strangers_look()
        self.asks(bob, alice)
        alice.clicks("Friends")
        alice.sees_row("Bob", among="Requests")
        bob.clicks(f"Cancel Request, {alice.name}")
        bob.sees(f"Add Friend, {alice.name}")
        alice.sees_no("Requests")
        bob.clicks(f"Add Friend, {alice.name}")
        alice.sees_row("Bob", among="Requests")
        alice.clicks("Decline Bob")
        alice.sees_no("Requests")

    def test_who_asks_the_one_who_asked_accepts(self):
        alice, bob = self.strangers_look()
        self.asks(bob, alice)
        alice.clicks("Friends")
        alice.sees_row("Bob", among="Requests")
        alice.presses("ctrl+n")
        alice.writes(bob.username, into="Search")
        alice.clicks(f"Accept, {bob.name}")
        alice.sees(f"Chat, {bob.name}")
        bob.sees(f"Chat, {alice.name}")

    def test_who_is_removed_is_no_friend_any_more_on_both_sides(self):
        alice, bob = self.friends()
        bob.clicks("Friends")
        bob.sees_row("Alice", among="Friends")
        alice.clicks("Friends")
        alice.clicks("Contact info of Bob")
        alice.clicks("Remove Friend…")
        alice.clicks("Remove")
        bob.sees("No Friends Yet")
        alice.presses("Escape")
        alice.sees("No Friends Yet")
