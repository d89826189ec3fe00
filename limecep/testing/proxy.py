"""A TCP proxy whose connections can be cut: what a network does to a transport."""

from __future__ import annotations

import contextlib
import selectors
import socket
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

#: How many bytes are passed on at a time.
CHUNK = 65_536


def free_port() -> int:
    """A port on loopback that nobody listened at a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Proxy:
    """Passes connections at one port of loopback on to another. A context manager.

    Args:
        target: The port that is served.
        port: The port that is listened at; by default any that is free.
    """

    def __init__(self, target: int, port: int = 0) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = int(self._listener.getsockname()[1])
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._lock = Lock()
        self._cut = False
        self._closed = False
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """While it lasts every connection is closed, those there are and those that are tried."""
        with self._lock:
            self._cut = True
            self._hang_up()
        try:
            yield
        finally:
            with self._lock:
                self._cut = False

    def close(self) -> None:
        """Closes everything. May be called twice."""
        self._closed = True
        self._thread.join()
        with self._lock:
            self._hang_up()
        self._listener.close()

    def _hang_up(self) -> None:
        for connection in self._pairs:
            connection.close()
        self._pairs.clear()

    def _serve(self) -> None:
        while not self._closed:
            with self._lock, selectors.DefaultSelector() as selector:
                for connection in (self._listener, *self._pairs):
                    selector.register(connection, selectors.EVENT_READ)
                ready = [key.fileobj for key, _ in selector.select(0.01)]
                for connection in ready:
                    if connection is self._listener:
                        self._accept()
                    elif isinstance(connection, socket.socket) and connection in self._pairs:
                        self._pass_on(connection)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        if self._cut:
            near.close()
            return
        try:
            far = socket.create_connection(("127.0.0.1", self._target), timeout=1)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        self._pairs[near], self._pairs[far] = far, near

    def _pass_on(self, connection: socket.socket) -> None:
        other = self._pairs[connection]
        try:
            data = connection.recv(CHUNK)
            if data:
                other.sendall(data)
                return
        except OSError:
            pass
        for end in (connection, other):
            self._pairs.pop(end, None)
            end.close()
