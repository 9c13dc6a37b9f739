"""A machine's time zone, changed while the app runs."""

import datetime
import os
import shutil
import subprocess
import unittest
import zoneinfo

from chatter_ui import Scenario

OWN_MOUNTS = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-current-user", "--keep-caps", "--mount"]


def can_mount():
    return subprocess.run([*OWN_MOUNTS, "true"], stderr=subprocess.DEVNULL).returncode == 0


class Zone(Scenario):
    # Field case 87
    @unittest.skipUnless(can_mount(), "this machine gives nobody an /etc of their own")
    def test_another_time_zone_is_seen_at_once_and_the_order_stays(self):
        alice, bob = self.strangers()
        alice.types_command("friend", "add", bob.username)
        bob.types_command("friend", "accept", alice.username)
        for text in ("One", "Two"):
            bob.types_command("send", alice.username, text)
        # What the machine has, with a time zone that the test can change.
        etc = self.world.folder / "etc"
        # Not among the evidence of a failure: it holds what only root may read.
        self.addCleanup(shutil.rmtree, etc, ignore_errors=True)
        subprocess.run(["cp", "--recursive", "--no-dereference", "/etc", etc], stderr=subprocess.DEVNULL, check=False)
        self.travels(etc, "Asia/Singapore")
        alice.environment = {"LC_TIME": "de_DE.UTF-8"}
        alice.runs([*OWN_MOUNTS, "bash", "-c", 'mount --bind "$0" /etc && exec "$@"', etc, *alice.command])
        alice.chooses("Bob", among="Chats")
        there = alice.sees_row("Bob: One", among="Messages").get_name()
        self.travels(etc, "America/New_York")
        now = datetime.datetime.now(datetime.timezone.utc)
        shift = now.astimezone(zoneinfo.ZoneInfo("America/New_York")).utcoffset() - datetime.timedelta(hours=8)
        time = datetime.datetime.strptime(there.removeprefix("Bob: One, "), "%H:%M") + shift
        alice.sees_row(f"Bob: One, {time:%H:%M}", among="Messages")
        alice.sees_in_order(["Bob: One", "Bob: Two"])
        alice.sees_row(f"{time:%H:%M}", among="Chats", ending="open")

    @staticmethod
    def travels(etc, zone):
        """As timedatectl does it: another link in the place of the one there is."""
        link = etc / "localtime.new"
        link.symlink_to(f"/usr/share/zoneinfo/{zone}")
        link.replace(etc / "localtime")
