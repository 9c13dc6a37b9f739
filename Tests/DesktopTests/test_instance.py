from chatter_ui import Scenario


class OneInstance(Scenario):
    def test_a_second_start_brings_the_window_that_is_open_to_the_front(self):
        alice, bob = self.friends()
        bob.looks()
        bob.sees_their_window_in_front()
        self.assertEqual(alice.opens_the_app_again(), 0)
        alice.sees_their_window_in_front()
