"""The programs under test: the server, and a cable to it that can be pulled out."""

import os
import pathlib
import socket
import subprocess
import threading

PRODUCTS = pathlib.Path(os.environ["CHATTER_PRODUCTS"])


class Server:
    """The real one, on a port of its own. Codes are 000000."""

    def __init__(self, folder):
        self.folder = folder
        self.port = 0
        self.start()

    def start(self):
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [
                PRODUCTS / "chatter-server", "serve", "--data", self.folder / "server", "--rate-limits", "off",
                "--log-level", "warning", "--listen", f"127.0.0.1:{self.port}",
            ],
            stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        for line in self.process.stdout:
            if "listening on" in line:
                self.port = int(line.strip().rsplit(":", 1)[1])
                return
        self.stop()
        raise AssertionError(f"the server did not start; its log is in {self.folder}")

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()
        self.log.close()


class Cable:
    """Somebody's way to the server. Pulled, it drops what is connected and takes nothing new; damaged, it loses all that the
    server says until it is pulled.
    """

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.port = 0
        self.plugged = threading.Lock()
        self.ends = set()
        self.listener = None
        self.is_damaged = False
        self.plug()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def plug(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        self.accepting = threading.Thread(target=self._accept, args=(self.listener,), daemon=True)
        self.accepting.start()

    def damage(self):
        self.is_damaged = True

    def pull(self):
        if self.listener is None:
            return
        # A close alone would leave `accept` waiting.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.listener = None
        self.accepting.join()
        with self.plugged:
            for end in self.ends:
                self._hang_up(end)
            self.ends.clear()
            self.is_damaged = False

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return  # Pulled.
            try:
                far = socket.create_connection(self.target)
            except OSError:
                near.close()
                continue
            with self.plugged:
                if self.listener is not listener:
                    near.close()
                    far.close()
                    return
                self.ends |= {near, far}
            threading.Thread(target=self._copy, args=(near, far), daemon=True).start()
            threading.Thread(target=self._copy, args=(far, near, True), daemon=True).start()

    def _copy(self, source, sink, is_answer=False):
        try:
            while data := source.recv(65536):
                if not (is_answer and self.is_damaged):
                    sink.sendall(data)
        except OSError:
            pass  # Hung up on one side: so on the other.
        with self.plugged:
            for end in (source, sink):
                self._hang_up(end)
                self.ends.discard(end)

    @staticmethod
    def _hang_up(end):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # It already is.
        end.close()
