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

    # Field case 68
    def test_who_signs_in_after_somebody_else_finds_nothing_of_theirs(self):
        alice, bob = self.strangers()
        carol, dora = self.world.person("Carol"), self.world.person("Dora")
        carol.has_an_account()
        dora.has_an_account()
        for person, friend in ((alice, bob), (alice, carol), (dora, bob)):
            person.types_command("friend", "add", friend.username)
            friend.types_command("friend", "accept", person.username)
        alice.opens_the_app()
        alice.opens_chat_with(bob)
        carol.types_command("send", alice.username, "For Alice alone")
        self.sees(lambda: self.world.notifications.find("For Alice alone"), "a notification")
        alice.sees("(1) Chatter", "frame")
        alice.cable.pull()
        alice.sees_text("Offline")
        alice.says("Never sent")
        alice.writes("Never finished", into="Message")
        alice.opens_settings()
        alice.clicks("Log Out")
        alice.sees_text("would be lost")
        alice.clicks("Log Out")
        alice.sees("Chatter", "frame")
        self.sees(lambda: not self.world.notifications.shown, "an end of the notification")
        alice.cable.plug()
        # From here on it is Dora who sits there.
        alice.phone = dora.phone
        alice.signs_in()
        alice.sees("Chats")
        alice.sees("Chatter", "frame")
        alice.sees_tab("Chats", badge=None)
        alice.opens_chat_with(bob)
        alice.sees_in("", "Message")
        alice.says("Hello from Dora")
        self.assertEqual([row for row in alice.rows("Messages") if "Never" in row], [])
        alice.sees_no("For Alice alone")
        bob.opens_the_app()
        bob.sees_row("Dora, 1 unread, Hello from Dora", among="Chats")
        bob.sees_no("Never sent")

    def test_an_account_is_deleted_only_after_typing_so(self):
        alice, bob = self.friends()
        alice.opens_settings()
        alice.clicks("Delete Account")
        alice.cannot_click("Delete Account")
        alice.writes("DELETE", into="Type DELETE to confirm")
        alice.clicks("Delete Account")
        alice.sees_text("Your account was deleted.")
        alice.sees("Get Started")
