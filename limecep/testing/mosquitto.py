"""A real MQTT broker for tests: Mosquitto, on free ports of loopback. Imports no client.

The program comes with the system's packages. `limecep dev brokers` runs one by hand.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from limecep.clock import Stopwatch, pause
from limecep.testing.kafka import Unavailable
from limecep.testing.proxy import Proxy, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

#: How long it may take to accept connections, in seconds.
PATIENCE = 10.0
#: Where packages put it, which is not on everybody's path.
_PLACES = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")


def program() -> str:
    """The path of the broker.

    Raises:
        Unavailable: It is not installed.
    """
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path=os.pathsep.join(_PLACES))
    if found is None:
        raise Unavailable("there is no Mosquitto: install it, such as with apt-get install mosquitto")
    return found


class MosquittoBroker:
    """A broker that keeps sessions and messages in its folder.

    Args:
        folder: Where it keeps its data and its log.
        more: Further settings of the broker.
        port: The port it is to listen at; default: a free one.

    Attributes:
        port: The port of loopback it listens at.
        proxied: The port of a proxy to it, whose connections `cut` closes.

    Raises:
        Unavailable: There can be none here.
    """

    PORT: ClassVar[int] = 1883
    NEEDS: ClassVar[str] = "Mosquitto"

    def __init__(
        self, folder: Path, more: Mapping[str, object] | None = None, port: int | None = None
    ) -> None:
        self._folder = folder
        self._program = program()
        folder.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        self._proxy = Proxy(self.port, folder / "cut")
        self.proxied = self._proxy.port
        self._process: subprocess.Popen[bytes] | None = None
        settings = {
            # The broker does not stay root, and could then not write here.
            **({"user": "root"} if os.getuid() == 0 else {}),
            "persistence": "true",
            "persistence_location": f"{folder}/",
            # What sessions that are away may have to wait for; by default the rest is dropped.
            "max_queued_messages": 0,
            # As many as clients want.
            "max_inflight_messages": 0,
            "allow_anonymous": "true",
            "listener": f"{self.port} 127.0.0.1",
            **(more or {}),
        }
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text("".join(f"{key} {value}\n" for key, value in settings.items()))

    def start(self) -> None:
        """Starts it, and returns when it accepts connections.

        Raises:
            Unavailable: It does not start; its log says why.
        """
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, "-c", str(self._settings)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        watch = Stopwatch()
        while True:
            if self._process.poll() is not None or watch.seconds > PATIENCE:
                self.stop(signal.SIGKILL)
                raise Unavailable(f"the broker does not start: see {self._folder / 'log'}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                pause(0.02)
            else:
                return

    @property
    def runs(self) -> bool:
        """Whether it was started, and neither stopped nor has it ended by itself."""
        return self._process is not None and self._process.poll() is None

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stops it, by default in order. It can be started again, with what it had; after `SIGKILL` with what
        was on the disk."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def crash(self) -> None:
        """Kills it, with what it has acknowledged so far on the disk. By itself it writes that once in a
        while."""
        assert self._process is not None
        kept = self._folder / "mosquitto.db"
        before = kept.stat().st_mtime_ns if kept.exists() else 0
        self._process.send_signal(signal.SIGUSR1)
        watch = Stopwatch()
        while not kept.exists() or kept.stat().st_mtime_ns == before:
            if watch.seconds > PATIENCE:
                raise Unavailable(f"the broker does not write what it keeps: see {self._folder / 'log'}")
            pause(0.01)
        self.stop(signal.SIGKILL)

    @contextmanager
    def cut(self) -> Iterator[None]:
        """While it lasts, the connections through the proxy are closed."""
        (self._folder / "cut").touch()
        try:
            yield
        finally:
            (self._folder / "cut").unlink()

    def close(self) -> None:
        """Ends everything for good. May be called twice."""
        self.stop(signal.SIGKILL)
        self._proxy.close()
