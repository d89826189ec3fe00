"""A TCP proxy whose connections can be cut: what a network does to a transport."""

from __future__ import annotations

import contextlib
import fcntl
import selectors
import socket
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: How many bytes are passed on at a time, and how long is waited for some, in seconds.
CHUNK_BYTES = 65_536
TICK_SECONDS = 0.01


@contextlib.contextmanager
def cut(folder: Path) -> Iterator[None]:
    """While it lasts, the connections through the proxy whose file is `cut` in that folder are closed. One at
    a time, whichever process asks."""
    with (folder / "cut.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "cut").touch()
        try:
            yield
        finally:
            (folder / "cut").unlink()


class Proxy:
    """Passes connections at a port of loopback on to another.

    Args:
        target: The port that is served.
        cut: A file: while it is there, every connection is closed, those that were made and those that are
            tried. So any process can cut them.

    Attributes:
        port: The port that is listened at.
    """

    def __init__(self, target: int, cut: Path) -> None:
        self._target = target
        self._cut = cut
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._closed = False
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Closes everything. May be called twice."""
        self._closed = True
        self._thread.join()
        self._hang_up()
        self._listener.close()
        self._selector.close()

    def _serve(self) -> None:
        while not self._closed:
            if self._cut.exists():
                self._hang_up()
            for key, _ in self._selector.select(TICK_SECONDS):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj in self._pairs:
                    self._pass_on(key.data)

    def _hang_up(self) -> None:
        for connection in [*self._pairs]:
            self._drop(connection)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        try:
            if self._cut.exists():
                raise ConnectionRefusedError
            far = socket.create_connection(("127.0.0.1", self._target), timeout=1)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        self._pairs[near], self._pairs[far] = far, near
        for end in (near, far):
            self._selector.register(end, selectors.EVENT_READ, end)

    def _pass_on(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            if data := connection.recv(CHUNK_BYTES):
                self._pairs[connection].sendall(data)
                return
        self._drop(self._pairs[connection])
        self._drop(connection)

    def _drop(self, connection: socket.socket) -> None:
        del self._pairs[connection]
        self._selector.unregister(connection)
        connection.close()
