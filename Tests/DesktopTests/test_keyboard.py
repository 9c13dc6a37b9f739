from accessible import children, find
from chatter_ui import Scenario


class Keyboard(Scenario):
    def setUp(self):
        super().setUp()
        alice, bob = self.strangers()
        carol = self.world.person("Carol")
        carol.has_an_account()
        for friend in (carol, bob):
            alice.types_command("friend", "add", friend.username)
            friend.types_command("friend", "accept", alice.username)
            friend.types_command("send", alice.username, f"{friend.name} is here")
        self.alice, self.bob = alice, bob

    def test_each_key_of_the_shortcuts_window_does_what_it_says(self):
        for number in range(12):
            self.bob.types_command("send", self.alice.username, f"{number}\n" * 8)
        self.alice.opens_the_app()
        self.alice.sees_row("Carol", among="Chats")
        keys = {
            "Add a friend": self.add_a_friend,
            "Chats": self.lists,
            "Friends": self.lists,
            "Next chat": self.chats,
            "Previous chat": self.chats,
            "New line": self.new_line,
            "Send": self.send,
            "What one can do with a message": self.message_menu,
            "Newest message": self.newest,
            "Close the chat": self.close_chat,
            "Settings": self.settings,
            "Keyboard shortcuts": self.shortcuts,
            "Close the window": self.close_window,
            "Quit": self.quit,
        }
        self.assertEqual(set(self.listed()), set(keys))
        for act in dict.fromkeys(keys.values()):
            act()

    def listed(self):
        """What the shortcuts window has."""
        alice = self.alice
        alice.presses("F1")
        window = alice.sees("Keyboard Shortcuts", "frame")
        groups = [find(window, name, "list") for name in ("Chats", "Messages", "General")]
        rows = [row.get_name() for group in groups for row in children(group)]
        alice.presses("Escape")
        alice.sees_no("Keyboard Shortcuts")
        return rows

    def add_a_friend(self):
        self.alice.presses("ctrl+n")
        self.alice.sees("Search")
        self.alice.presses("Escape")
        self.alice.sees_no("Search")

    def lists(self):
        self.alice.presses("alt+2")
        self.alice.sees_row("Bob", among="Friends")
        self.alice.presses("alt+1")
        self.alice.sees_row("Bob", among="Chats")

    def chats(self):
        for key, name in (
            ("alt+Down", "Bob"), ("alt+Down", "Carol"), ("alt+Up", "Bob"),
            ("ctrl+Page_Down", "Carol"), ("ctrl+Page_Up", "Bob"),
        ):
            self.alice.presses(key)
            self.alice.sees_row(name, among="Chats", ending="open")

    def new_line(self):
        self.alice.writes_by_hand("One")
        self.alice.presses("shift+Return")
        self.alice.writes_by_hand("Two")
        self.alice.sees_in("One\nTwo", "Message")

    def send(self):
        self.alice.presses("Return")
        self.alice.sees_row("You: One\nTwo", among="Messages", ending="sent")
        self.alice.sees_in("", "Message")

    def message_menu(self):
        self.alice.presses("shift+Tab", "End", "Menu")
        self.alice.sees("Copy", "menu item")
        self.alice.presses("Escape")
        self.alice.sees_no("Copy")
        # A letter takes the keyboard back to where one writes.
        self.alice.writes_by_hand("P")
        self.alice.sees_in("P", "Message")

    def newest(self):
        self.alice.presses("Page_Up")
        self.alice.sees("Newest message", "push button")
        self.alice.presses("ctrl+End")
        self.alice.sees_no("Newest message")

    def close_chat(self):
        self.alice.presses("alt+Left")
        self.alice.sees("No Chat Open", "label")

    def settings(self):
        self.alice.presses("ctrl+comma")
        self.alice.clicks("Devices")
        self.alice.sees_text("This device")
        self.alice.presses("Escape")
        self.alice.sees("Log Out")
        self.alice.presses("Escape")
        self.alice.sees_no("Log Out")

    def shortcuts(self):
        self.alice.presses("ctrl+question")
        self.alice.sees("Keyboard Shortcuts", "frame")
        self.alice.presses("ctrl+w")
        self.alice.sees_no("Keyboard Shortcuts")

    def close_window(self):
        self.alice.presses("ctrl+comma")
        self.alice.sees("Log Out")
        self.alice.presses("ctrl+w")
        self.alice.sees_no("Log Out")

    def quit(self):
        self.alice.presses("ctrl+q")
        self.alice.sees_the_app_end()

    def test_the_app_quits_from_a_window_over_it_and_from_a_question(self):
        for opened in (self.opens_the_shortcuts, self.asks_to_log_out):
            self.alice.opens_the_app()
            self.alice.sees_row("Bob", among="Chats")
            opened()
            self.quit()

    def opens_the_shortcuts(self):
        self.alice.presses("F1")
        self.alice.sees("Keyboard Shortcuts", "frame")

    def asks_to_log_out(self):
        self.alice.presses("ctrl+comma")
        self.alice.clicks("Log Out")
        self.alice.sees("Log Out?")

    def test_what_is_typed_while_a_chat_opens_is_in_it(self):
        self.alice.opens_the_app()
        self.alice.sees_row("Bob", among="Chats")
        self.alice.presses_and_types("alt+Down", "Hello, Bob")
        self.alice.sees_in("Hello, Bob", "Message")
