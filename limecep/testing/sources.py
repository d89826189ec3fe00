"""What the suites of sources have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.source import Divided, Seeking
from limecep.testing.channels import Channels
from limecep.testing.messages import Outgoing, connect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Source


class Sources(Channels):
    """How sources are made and fed, as the subclass says.

    Attributes:
        live: Whether it is told what is published while it is open. If not, it is finite: what is published
            before it opens is all there is.
        remembers: Whether a source that is made again, for the same pipeline, goes on after what was
            committed.
        log: Whether it has a log: `replay`.
        seeks: Whether, having one, it can be told where to go on: `seek`.
        keys: Whether messages have keys.
        headers: Whether messages have headers.
        largest: The length of the largest message tried, in bytes.
        lines: Whether messages are the lines of a text: the capability `lines`.
    """

    live: bool = True
    remembers: bool = True
    log: bool = False
    seeks: bool = True
    keys: bool = False
    headers: bool = False
    largest: int = 900_000
    lines: bool = False

    def make_source(self, channel: str, context: Context) -> Source:
        """A new source for a channel, not open yet. Of one pipeline (`context.pipeline`), it is the same
        consumer as the one before it."""
        raise NotImplementedError

    def make_unreachable(self, context: Context) -> Source | None:
        """A source whose broker is not there; None where there is no such thing."""
        return None

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        """Publishes messages in order, by other means than a sink of limecep; returns when they are there.
        Those of one key stay in order."""
        raise NotImplementedError

    def publish_text(self, channel: str, data: bytes) -> None:
        """Puts bytes behind the text that is there, where messages are lines."""
        raise NotImplementedError

    def start(
        self,
        channel: str,
        context: Context,
        opened: list[Any],
        messages: Sequence[Outgoing] = (),
    ) -> Source:
        """A source that is open and connected, with messages to poll."""
        source = self.make_source(channel, context)
        opened.append(source)
        if not self.live and messages:
            self.publish(channel, messages)
        source.open()
        if self.live:
            connect(source)
            if messages:
                self.publish(channel, messages)
        return source

    def again(self, channel: str, context: Context, opened: list[Any], after: Sequence[str] = ()) -> Source:
        """The same consumer after a restart: what was shared is gone. `after` are the positions to go on
        from. It need not be connected yet: the poll that connects it may bring what it has to read again."""
        context.shared = {}
        source = self.make_source(channel, context)
        opened.append(source)
        if after:
            assert isinstance(source, Seeking)
            source.seek(after)
        source.open()
        return source


def parts_of(source: Source) -> Sequence[Any]:
    """What the kernel polls once a source is open: its parts, or itself."""
    return source.parts() if isinstance(source, Divided) else [source]
