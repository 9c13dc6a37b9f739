"""What a test of the desktop app begins with: a world of its own, with a server, a desktop and people."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import accessible
from accessible import NotSeen, until
from notifications import Notifications
from people import CODE, Person
from programs import Server

__all__ = ["CODE", "Scenario"]


class World:
    """One server, the notifications of one desktop, and the people."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="chatter-desktop-"))
        self.server = Server(self.folder)
        self.notifications = Notifications()
        self.people = []
        self.is_evidence = False

    def person(self, name):
        person = Person(self, name, f"+659123{4501 + len(self.people)}")
        self.people.append(person)
        return person

    def keep_evidence(self):
        """The accessible trees and a picture of the screen; the folder where they are."""
        self.is_evidence = True
        for person in self.people:
            if person.app is not None and person.app.poll() is None:
                root = accessible.application(person.app.pid)
                (person.home / "tree.txt").write_text(accessible.tree(root) if root else "no accessible tree\n")
        subprocess.run(["import", "-window", "root", self.folder / "screen.png"], check=False)
        return self.folder

    def end(self):
        failures = []
        for person in self.people:
            try:
                person.leaves()
            except AssertionError as failure:
                failures.append(failure)
                self.is_evidence = True
        self.notifications.close()
        self.server.stop()
        if not self.is_evidence:
            shutil.rmtree(self.folder)
        if failures:
            raise failures[0]


class Scenario(unittest.TestCase):
    """A test with a world of its own."""

    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.end)

    def sees(self, condition, what):
        """Something that is on nobody's screen."""
        if not until(condition):
            raise NotSeen(f"There never was {what}; what everybody sees is in {self.world.keep_evidence()}")

    def friends(self):
        """Alice and Bob, friends with accounts, both with the app open."""
        alice, bob = self.strangers()
        alice.types_command("friend", "add", bob.username)
        bob.types_command("friend", "accept", alice.username)
        alice.opens_the_app()
        bob.opens_the_app()
        return alice, bob

    def strangers(self):
        """Alice and Bob, with accounts, without the app."""
        alice, bob = self.world.person("Alice"), self.world.person("Bob")
        alice.has_an_account()
        bob.has_an_account()
        return alice, bob
