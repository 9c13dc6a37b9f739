"""People in front of the desktop app. A test reads: alice.clicks("Send"), bob.sees("Hello")."""

import contextlib
import os
import signal
import sqlite3
import subprocess

import accessible
from accessible import Atspi, NotSeen, find, until
from programs import PRODUCTS, Cable

CODE = "000000"


def x(*arguments):
    """What xdotool answers; "" when it can't do it (yet)."""
    return subprocess.run(["xdotool", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


class Person:
    """One account, its folder, its cable to the server and its app."""

    def __init__(self, world, name, phone):
        self.world = world
        self.name = name
        self.username = f"{name.lower()}_{phone[-4:]}"
        self.phone = phone
        self.home = world.folder / name
        self.home.mkdir()
        self.cable = Cable(world.server.port)
        self.app = None
        self.profile = name.lower()
        # What this person's desktop says, besides what the test's own does.
        self.environment = {}

    # The program

    @property
    def _command(self):
        return ["--server", self.cable.address, "--profile", self.profile]

    @property
    def command(self):
        """What opens the app."""
        return [PRODUCTS / "chatter-gtk", *self._command]

    @property
    def _environment(self):
        return os.environ | {"HOME": str(self.home)} | self.environment

    def opens_the_app(self):
        self.runs(self.command)

    def runs(self, command):
        """Something that is, or becomes, the app."""
        self.log = open(self.home / "chatter-gtk.log", "ab")
        self.app = subprocess.Popen(command, env=self._environment, stdout=self.log, stderr=self.log)
        self._until(lambda: self._root() is not None and self._root().get_child_count() > 0, "a window")

    def opens_the_app_again(self):
        """While it is open: the exit code of the second process."""
        return subprocess.run(self.command, env=self._environment, timeout=60).returncode

    def closes_the_app(self):
        self._end(signal.SIGTERM, 0)

    def sees_the_app_end(self):
        """By itself, as somebody asked it to on screen."""
        self._end(None, 0)

    def asks_the_app_to_end(self):
        self.app.send_signal(signal.SIGTERM)

    def machine_sleeps(self):
        """Nothing of the app runs, and nothing of it can be looked at."""
        self.app.send_signal(signal.SIGSTOP)

    def machine_wakes(self):
        self.app.send_signal(signal.SIGCONT)

    def loses_power(self):
        self._end(signal.SIGKILL, -signal.SIGKILL)

    def _end(self, how, expected):
        if self.app is None:
            return
        app, self.app = self.app, None
        if how is not None and app.poll() is None:
            app.send_signal(how)
        try:
            status = app.wait(60)
        except subprocess.TimeoutExpired:
            app.kill()
            app.wait()
            raise AssertionError(f"{self.name}'s app did not end; its log: {self.log.name}") from None
        finally:
            self.log.close()
        assert status == expected, f"{self.name}'s app ended with {status}; its log: {self.log.name}"

    @contextlib.contextmanager
    def busy_disk(self):
        """What the app writes meanwhile waits."""
        database = next(self.home.rglob("messages.db"))
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    def types_command(self, *arguments):
        """The same profile in the command line, while the app is closed."""
        subprocess.run(
            [PRODUCTS / "chatter", *self._command, *arguments], env=self._environment, check=True, timeout=60,
            stdout=subprocess.DEVNULL)

    def has_an_account(self):
        self.types_command(
            "login", "--phone", self.phone, "--code", CODE, "--name", self.name, "--username", self.username)

    def leaves(self):
        self._end(signal.SIGTERM, 0)
        self.cable.pull()

    # What is on screen

    def _root(self):
        if self.app.poll() is not None:
            raise NotSeen(f"{self.name}'s app has ended with {self.app.returncode}; its log: {self.log.name}")
        root = accessible.application(self.app.pid)
        if root is not None:
            root.clear_cache()
        return root

    def _until(self, condition, what, time_limit=accessible.TIME_LIMIT):
        try:
            if answer := until(condition, time_limit):
                return answer
        except NotSeen:
            self.world.keep_evidence()
            raise
        evidence = self.world.keep_evidence()
        raise NotSeen(f"{self.name} does not see {what}; what everybody sees is in {evidence}")

    def _find(self, name=None, role=None, where=lambda _: True):
        root = self._root()
        return root and find(root, name, role, where)

    def sees(self, name, role=None):
        """Something with exactly this name."""
        return self._until(lambda: self._find(name, role), f"{name!r}")

    def sees_text(self, part):
        """Something whose name has this part."""
        return self._until(lambda: self._find(where=lambda node: part in node.get_name()), f"a text with {part!r}")

    def sees_no(self, part):
        """Nothing whose name has this part, from some moment on."""
        self._until(
            lambda: self._root() and not self._find(where=lambda node: part in node.get_name()),
            f"that {part!r} went away")

    def sees_in(self, text, area):
        """The entry of this name holds a text."""
        self._until(lambda: accessible.text_of(self._entry(area)) == text, f"{text!r} in {area!r}")

    def hears(self, name, description):
        """What a screen reader adds to a row's name."""
        self._until(
            lambda: self._find(name, "list item", lambda node: node.get_description() == description),
            f"{name!r} with {description!r}")

    def rows(self, name):
        """The names of a list's rows on screen, from top to bottom; None while there is no such list."""
        holder = self._find(name, "list")
        if holder is None:
            return None
        rows = [(self._top(row), row.get_name()) for row in accessible.children(holder) if row.get_name()]
        return [text for _, text in sorted(rows, key=lambda row: row[0])]

    @staticmethod
    def _top(node):
        return Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW).y

    def sees_row(self, part, among, ending=""):
        """A row of a list whose name has a part (and an ending, such as a message's tick)."""
        return self._until(
            lambda: self._row(part, among, ending), f"a row with {part!r} … {ending!r} among {among!r}")

    def sees_no_row(self, part, among):
        self._until(lambda: not self._row(part, among), f"that {part!r} left {among!r}")

    def _row(self, part, among, ending=""):
        holder = self._find(among, "list")
        if holder is None:
            return None
        return next(
            (row for row in accessible.children(holder) if part in row.get_name() and row.get_name().endswith(ending)),
            None)

    def sees_in_order(self, texts):
        """Each of these messages once, in this order."""

        def as_written():
            rows = self.rows("Messages") or []
            found = [text for row in rows for text in texts if text in row]
            return found == list(texts)

        self._until(as_written, f"once each, in order: {texts}")

    def sees_their_window_in_front(self):
        """Above the others', and with the keyboard."""

        def is_in_front():
            # In the order in which they lie over each other.
            everybodys = x("search", "--onlyvisible", "--name", "Chatter").split()
            return {everybodys[-1], x("getwindowfocus").strip()} <= set(self._windows())

        self._until(is_in_front, "their window in front")

    def size(self):
        """Width and height of the window."""
        answer = x("getwindowgeometry", "--shell", self._windows()[-1])
        numbers = dict(line.split("=") for line in answer.split())
        return int(numbers["WIDTH"]), int(numbers["HEIGHT"])

    def brightness(self):
        """Of all that the window shows, from 0 to 1."""
        picture = subprocess.run(
            ["convert", f"x:{self._windows()[-1]}", "-format", "%[fx:mean]", "info:"],
            stdout=subprocess.PIPE, text=True)
        return float(picture.stdout or "nan")

    def sees_tab(self, name, badge):
        """A tab at the top, with this on its badge; None is no badge."""

        def is_so():
            tab = self._find(name, "page tab", accessible.place)
            labels = [node.get_name() for node, _ in accessible.walk(tab) if node.get_role_name() == "label"]
            return ([label for label in labels if label != name] or [None])[0] == badge

        self._until(is_so, f"the tab {name!r} with the badge {badge!r}")

    def left_edge(self, name, role=None):
        """Of something on screen, in pixels of its window."""
        return self._until(lambda: accessible.place(self._find(name, role, accessible.place)), f"{name!r}")[0]

    def unnamed(self):
        """What one can work and what a screen reader has no word for."""
        roles = {"push button", "toggle button", "check box", "radio button", "list item", "page tab", "text"}
        return [
            f"{node.get_role_name()} {node.get_name()!r}" for node, _ in accessible.walk(self._root())
            if node.get_role_name() in roles and (not node.get_name() or node.get_name().startswith(("Gtk", "Adw")))]

    # What a person does

    def _windows(self):
        """X's numbers for the windows on screen, the topmost last."""
        return x("search", "--onlyvisible", "--pid", str(self.app.pid)).split()

    def looks(self):
        """Turns to their window: it comes up and gets the keyboard."""

        def focused():
            windows = self._windows()
            for window in windows:
                x("windowraise", window)
            return windows and x("windowfocus", "--sync", windows[-1], "getwindowfocus").strip() == windows[-1]

        self._until(focused, "a window to turn to")

    def _points_at(self, find_node, what, *then):
        """Brings the pointer to the middle of something that stands still."""
        self.looks()
        seen = None

        def reached():
            nonlocal seen
            node = find_node()
            before, seen = seen, node and accessible.place(node)
            if not seen or seen != before:
                return False
            title = accessible.window_of(node).get_name()
            window = next((w for w in reversed(self._windows()) if x("getwindowname", w).strip() == title), None)
            if window is None:
                return False
            left, top, width, height = seen
            x("mousemove", "--window", window, str(left + width // 2), str(top + height // 2), *then)
            return True

        self._until(reached, f"{what!r} to point at")

    def sees_no_window(self):
        self._until(lambda: not self._windows(), "that the window went away")

    def clicks(self, name):
        """A button as a screen reader does it; what has no click of its own, such as a row, with the pointer."""

        def found():
            node = self._find(name, where=lambda node: accessible.clickable(node) is not None)
            return (node and accessible.clickable(node)) or self._find(
                name, where=lambda node: accessible.is_sensitive(node) and accessible.place(node))

        node = self._until(found, f"{name!r} to click")
        action = accessible.click_action(node)
        if action is None:
            self._points_at(lambda: self._find(name, node.get_role_name()), name, "click", "1")
        else:
            Atspi.Action.do_action(node, action)

    def cannot_click(self, name):
        """It is there and switched off."""
        self._until(
            lambda: self._find(name, where=lambda node: not accessible.is_sensitive(node))
            and not self._find(name, where=accessible.clickable),
            f"{name!r} switched off")

    def presses(self, *keys):
        self.looks()
        x("key", "--clearmodifiers", *keys)

    def types(self, *keys):
        """Where the keyboard is, one key right after the other."""
        x("key", "--delay", "0", *keys)

    def presses_and_types(self, key, text):
        """One after the other without looking up."""
        self.looks()
        x("key", "--clearmodifiers", key, "type", "--delay", "20", text)

    def writes_by_hand(self, text):
        """Wherever the keyboard is, key by key."""
        x("type", "--delay", "20", text)

    def resizes(self, width, height):
        x("windowsize", self._windows()[-1], str(width), str(height))
        self._until(lambda: self.size() == (width, height), f"a window of {width} × {height}")

    def chooses(self, part, among):
        """Opens a row of a list."""
        self._points_at(lambda: self._row(part, among), part, "click", "1")

    def picks(self, name):
        """Something in the menu that is open, with the keyboard, which is there already."""

        def picked():
            item = self._find(name, "menu item")
            is_there = item and accessible.has_keyboard(item)
            x("key", "Return" if is_there else "Down")
            return is_there

        self._until(picked, f"{name!r} in a menu")

    def hovers(self, part, among):
        """Over a row of a list, which then shows what one can do with it."""
        self._points_at(lambda: self._row(part, among), part)

    def _entry(self, name):
        node = self._find(name, where=lambda node: find(node, where=accessible.is_editable) is not None)
        return node and find(node, where=accessible.is_editable)

    def writes(self, text, into):
        entry = self._until(lambda: self._entry(into), f"an entry {into!r}")
        Atspi.EditableText.set_text_contents(entry, text)

    def says(self, text):
        """Writes a message and sends it."""
        self.writes(text, into="Message")
        self.clicks("Send")
        self.sees_row(text, among="Messages")

    # What takes several steps

    def signs_in(self):
        """From the welcome page to the next one after the code."""
        self.clicks("Get Started")
        self.writes(self.phone, into="Phone number")
        self.clicks("Next")
        self.writes(CODE, into="Code")

    def opens_chat_with(self, other):
        self.looks()
        self.clicks("Friends")
        self.chooses(other.name, among="Friends")
        self.sees("Message")

    def opens_settings(self):
        self.presses("ctrl+comma")
        self.sees("Devices")
