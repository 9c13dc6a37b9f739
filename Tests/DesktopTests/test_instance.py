from chatter_ui import Scenario


class OneInstance(Scenario):
    def test_a_second_start_brings_the_window_that_is_open_to_the_front(self):
        alice, bob = self.friends()
        bob.looks()
        bob.sees_their_window_in_front()
        self.assertEqual(alice.opens_the_app_again(), 0)
        alice.sees_their_window_in_front()

    def test_a_start_while_the_app_is_ending_opens_it_again_with_what_was_being_written(self):
        alice, bob = self.friends()
        alice.opens_chat_with(bob)
        with alice.busy_disk():
            alice.writes("Half a tho", into="Message")
            alice.asks_the_app_to_end()
            alice.sees_no_window()
            self.assertEqual(alice.opens_the_app_again(), 0)
        alice.sees_row("Draft: Half a tho", among="Chats")

    def test_asked_to_end_twice_it_still_stores_what_was_being_written(self):
        alice, bob = self.friends()
        alice.opens_chat_with(bob)
        with alice.busy_disk():
            alice.writes("Half a tho", into="Message")
            alice.asks_the_app_to_end()
            alice.sees_no_window()
            alice.asks_the_app_to_end()
        alice.closes_the_app()
        alice.opens_the_app()
        alice.sees_row("Draft: Half a tho", among="Chats")
