import os
import socket
import subprocess

from chatter_ui import Scenario
from programs import PRODUCTS

# As Tools/run ends: the server is a child of what becomes the app.
RUN = """
source Tools/local-server
start_server "$0/chatter-server"
exec "$0/chatter-gtk" --server "http://127.0.0.1:$port" --profile alice
"""


class Run(Scenario):
    def setUp(self):
        super().setUp()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.environment = {"PORT": str(port), "CHATTER_FOLDER": str(self.world.folder / "run")}
        self.addCleanup(self.stop)

    def stop(self):
        """make stop: its exit code, and what it says."""
        answer = subprocess.run(
            ["Tools/stop"], env=os.environ | self.environment, stderr=subprocess.PIPE, text=True, timeout=60)
        return answer.returncode, answer.stderr

    def test_a_server_stops_while_the_app_that_was_opened_with_it_is_still_there(self):
        alice = self.world.person("Alice")
        alice.environment = self.environment
        alice.runs(["bash", "-euc", RUN, PRODUCTS])
        alice.sees("Get Started")
        status, words = self.stop()
        self.assertEqual((status, "Server stopped." in words), (0, True), words)
        alice.sees("Get Started")
        self.assertEqual(self.stop(), (0, "No server of this checkout is running.\n"))
