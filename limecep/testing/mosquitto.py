"""A real MQTT broker for tests: Mosquitto, on free ports of loopback. Imports no client.

The program comes with the system's packages. `limecep dev brokers` runs one by hand.
"""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING, ClassVar

from limecep.clock import Stopwatch, pause
from limecep.testing.broker import BrokerProcess, Unavailable, free_port

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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


class MosquittoBroker(BrokerProcess):
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
        mosquitto = program()
        super().__init__(folder, port or free_port())
        self.proxied = self._proxy.port
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
        written = folder / "mosquitto.conf"
        written.write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
        self._command = [mosquitto, "-c", str(written)]

    def crash(self) -> None:
        """Kills it, with what it has acknowledged so far on the disk. By itself it writes that once in a
        while."""
        assert self._process is not None
        kept = self._folder / "mosquitto.db"
        before = kept.stat().st_mtime_ns if kept.exists() else 0
        self._process.send_signal(signal.SIGUSR1)
        watch = Stopwatch()
        while not kept.exists() or kept.stat().st_mtime_ns == before:
            if watch.seconds > self.start_seconds:
                raise Unavailable(f"the broker does not write what it keeps: see {self._folder / 'log'}")
            pause(0.01)
        self.stop(signal.SIGKILL)
