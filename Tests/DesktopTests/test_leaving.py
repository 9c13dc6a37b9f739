from chatter_ui import Scenario


class Leaving(Scenario):
    def test_who_logs_out_finds_the_welcome_page_and_their_chats_after_signing_in_again(self):
        alice, bob = self.friends()
        bob.closes_the_app()
        bob.types_command("send", alice.username, "See you")
        alice.sees_row("See you", among="Chats")
        alice.opens_settings()
        alice.clicks("Log Out")
        alice.sees_text("Your chats leave this device")
        alice.clicks("Log Out")
        alice.sees("Get Started")
        alice.signs_in()
        alice.sees_row("See you", among="Chats")

    def test_an_account_is_deleted_only_after_typing_so(self):
        alice, bob = self.friends()
        alice.opens_settings()
        alice.clicks("Delete Account")
        alice.cannot_click("Delete Account")
        alice.writes("DELETE", into="Type DELETE to confirm")
        alice.clicks("Delete Account")
        alice.sees_text("Your account was deleted.")
        alice.sees("Get Started")
