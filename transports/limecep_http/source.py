"""The source of what clients post."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep_http.desk import Inbox, Slip
from limecep_http.server import Server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_http.config import HttpOptions


class HttpSource:
    """What is posted to a path (`limecep.contracts.source`).

    Sources of one connector have one server. Positions are `path:number`, the numbers counting what came
    since the start. A request is answered when `commit` was called for all of it.
    """

    ended = False

    def __init__(self, channel: str, settings: Any, options: HttpOptions, context: Context) -> None:
        self._inbox = Inbox(channel)
        self._shared = context.shared
        server = context.shared.get("http")
        if server is None:
            server = context.shared["http"] = Server(options, context)
        self._server: Server = server
        server.desk.add(self._inbox)
        self._taken: dict[str, Slip] = {}

    def open(self) -> None:
        """Begins to listen.

        Raises:
            RunFailure: It cannot: the address is in use, a certificate cannot be read.
        """
        self._server.open(self)

    @property
    def pressed(self) -> bool:
        """Whether there will soon be no room for more."""
        return self._server.desk.pressed

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` messages: what is there, after at most `timeout` seconds.

        Raises:
            RunFailure: The server has ended.
        """
        self._server.check()
        taken = self._server.desk.take(self._inbox, limit, timeout)
        self._taken.update([(message.position, slip) for message, slip in taken])
        return [message for message, _ in taken]

    def reject(self, message: Message, error: str) -> None:
        """Its client is told, once the rest of its request is done with."""
        slip = self._taken.get(message.position)
        if slip is not None:
            place = int(message.position.rpartition(":")[2]) - slip.first
            slip.errors.setdefault(place, error)
            slip.invalid += 1

    def commit(self, positions: Sequence[str]) -> None:
        """What these brought is safe: clients all of whose messages are among them are answered."""
        slips = [slip for p in positions if (slip := self._taken.pop(p, None)) is not None]
        if slips:
            self._server.desk.settle(slips)

    def close(self) -> None:
        """Ends the server with the last source that has it. Who was not answered is told to send again."""
        if self._server.close(self) and self._shared.get("http") is self._server:
            del self._shared["http"]

    def replay(self, t_from: int, t_to: int) -> None:
        """None: clients keep no log."""
