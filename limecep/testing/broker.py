"""A broker for tests: a server process on loopback, also behind a proxy. Imports no client."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ClassVar, Self

from limecep.clock import Stopwatch, pause
from limecep.errors import RunFailure
from limecep.testing.proxy import Proxy, cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

#: How often a starting broker is tried, in seconds.
_TRY_SECONDS = 0.05

_given: set[int] = set()


class Unavailable(RunFailure):
    """There can be no broker here; why, and how to get one."""


def free_port() -> int:
    """A port of loopback that nobody listens at. It is below those that the system gives to connections, and
    no other call in this process returns it."""
    while True:
        port = random.randrange(15_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in _given:
                _given.add(port)
                return port


class BrokerProcess:
    """A process that serves a port of loopback (`limecep.contracts.broker`). As a context manager it is
    started, and closed at the end.

    A subclass writes the settings and sets `_command`.

    Args:
        folder: Where it keeps its data and its log.
        port: The port it listens at.
        behind: The port that the proxy leads to; default: `port`.
    """

    #: How long it may take to accept connections, in seconds.
    start_seconds: ClassVar[float] = 10.0

    _command: Sequence[str]

    def __init__(self, folder: Path, port: int, behind: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = port
        self._folder = folder
        self._proxy = Proxy(behind or port, folder / "cut")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Starts it, and returns when it accepts connections.

        Raises:
            Unavailable: It does not start; the end of its log says why.
        """
        self._process = self._launch(self._command)
        watch = Stopwatch()
        while True:
            if self._process.poll() is not None or watch.seconds > self.start_seconds:
                self.stop(signal.SIGKILL)
                raise Unavailable(f"the broker does not start: {self._log_end()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                pause(_TRY_SECONDS)
            else:
                return

    @property
    def runs(self) -> bool:
        """Whether it was started, and neither stopped nor has it ended by itself."""
        return self._process is not None and self._process.poll() is None

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stops it, by default in order; `SIGKILL` is a crash. It can be started again, with what is on
        disk."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    @contextmanager
    def cut(self) -> Iterator[None]:
        """While it lasts, the connections through the proxy are closed."""
        with cut(self._folder):
            yield

    def close(self) -> None:
        """Ends everything for good. May be called twice."""
        self.stop(signal.SIGKILL)
        self._proxy.close()

    def _launch(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _log_end(self) -> str:
        return (self._folder / "log").read_text(errors="replace")[-2000:]
