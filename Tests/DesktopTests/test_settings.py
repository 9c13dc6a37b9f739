from chatter_ui import Scenario


class Settings(Scenario):
    def test_a_screen_reader_hears_a_row_once_and_its_value_after_it(self):
        alice, bob = self.friends()
        alice.opens_settings()
        alice.hears("Alice", f"Your profile, @{alice.username}")
        alice.hears("Devices", "Where you are signed in")
        alice.clicks("Status")
        alice.hears("Waiting to be sent", "0")
