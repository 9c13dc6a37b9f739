from chatter_ui import Scenario
from desktop_settings import DesktopSettings


class Manners(Scenario):
    def alice_with_a_chat(self):
        alice, bob = self.strangers()
        alice.types_command("friend", "add", bob.username)
        bob.types_command("friend", "accept", alice.username)
        bob.types_command("send", alice.username, "Hello")
        return alice

    def test_a_narrow_window_shows_the_list_or_the_chat_and_a_wide_one_both(self):
        alice = self.alice_with_a_chat()
        alice.opens_the_app()
        alice.sees_row("Bob", among="Chats")
        alice.resizes(360, 680)
        alice.chooses("Bob", among="Chats")
        alice.sees_row("Bob: Hello", among="Messages")
        alice.sees_no("Add Friend")
        alice.clicks("Back")
        alice.sees_row("Bob", among="Chats")
        alice.sees_no("Messages")
        alice.chooses("Bob", among="Chats")
        alice.sees("Back")
        alice.resizes(980, 720)
        alice.sees_row("Bob", among="Chats", ending="open")
        alice.sees_row("Bob: Hello", among="Messages")
        alice.sees_no("Back")

    def test_the_window_opens_in_the_size_it_was_closed_in(self):
        alice = self.world.person("Alice")
        alice.opens_the_app()
        alice.looks()
        alice.resizes(700, 600)
        alice.presses("ctrl+w")
        alice.sees_the_app_end()
        alice.opens_the_app()
        alice.looks()
        self.assertEqual(alice.size(), (700, 600))

    def test_the_window_is_as_dark_as_the_desktop(self):
        settings = DesktopSettings()
        self.addCleanup(settings.close)
        alice = self.world.person("Alice")
        alice.opens_the_app()
        alice.looks()
        self.sees(lambda: alice.brightness() > 0.7, "a light window")
        settings.turn_dark(True)
        self.sees(lambda: alice.brightness() < 0.4, "a dark window")
        settings.turn_dark(False)
        self.sees(lambda: alice.brightness() > 0.7, "a light window")

    def test_who_reads_from_the_right_has_the_lists_there(self):
        alice = self.alice_with_a_chat()
        alice.opens_the_app()
        alice.chooses("Bob", among="Chats")
        self.assertLess(alice.left_edge("Chats", "list"), alice.left_edge("Messages", "list"))
        alice.closes_the_app()
        alice.environment = {"LANGUAGE": "he"}
        alice.opens_the_app()
        alice.chooses("Bob", among="Chats")
        self.assertGreater(alice.left_edge("Chats", "list"), alice.left_edge("Messages", "list"))

    # Field case 121
    def test_a_screen_reader_speaks_who_wrote_what_when_and_how_far_it_came(self):
        alice = self.alice_with_a_chat()
        alice.environment = {"LC_TIME": "de_DE.UTF-8"}
        alice.opens_the_app()
        alice.chooses("Bob", among="Chats")
        alice.says("Hi")
        alice.sees_row("You: Hi", among="Messages", ending="sent")
        time = "[0-2][0-9]:[0-5][0-9]"
        spoken = ("Today", f"Bob: Hello, {time}", f"You: Hi, {time}, sent")
        for row, words in zip(alice.rows("Messages"), spoken, strict=True):
            self.assertRegex(row, f"^{words}$")

    # Field case 121
    def test_everything_one_can_work_has_a_name_of_its_own(self):
        alice, carol = self.alice_with_a_chat(), self.world.person("Carol")
        carol.opens_the_app()
        carol.sees("Get Started")
        self.assertEqual(carol.unnamed(), [])
        carol.clicks("Get Started")
        carol.sees("Phone number")
        self.assertEqual(carol.unnamed(), [])
        alice.opens_the_app()
        alice.chooses("Bob", among="Chats")
        alice.sees_row("Bob: Hello", among="Messages")
        self.assertEqual(alice.unnamed(), [])
        alice.presses("alt+2")
        alice.sees_row("Bob", among="Friends")
        self.assertEqual(alice.unnamed(), [])
        alice.presses("ctrl+n")
        alice.sees("Search")
        self.assertEqual(alice.unnamed(), [])
        alice.presses("Escape")
        alice.sees_no("Search")
        alice.opens_settings()
        self.assertEqual(alice.unnamed(), [])
        pages = {
            "Alice": "Username", "Devices": "This device", "Status": "Connection", "Blocked Users": "Nobody",
            "Delete Account": "Type DELETE",
        }
        for page, sign in pages.items():
            alice.clicks(page)
            alice.sees_text(sign)
            self.assertEqual(alice.unnamed(), [], page)
            alice.presses("Escape")
            alice.sees("Log Out")
