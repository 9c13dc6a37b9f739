from chatter_ui import Scenario


class OneInstance(Scenario):
    def test_a_second_start_raises_the_window_that_is_open(self):
        alice = self.world.person("Alice")
        alice.opens_the_app()
        self.assertEqual(alice.opens_the_app_again(), 0)
        alice.closes_the_app()
