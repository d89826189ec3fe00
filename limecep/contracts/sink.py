"""Sinks take updates out."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.output.record import Record


class Sink(Protocol):
    """Made once a sink of the pipeline: `Factory(channel, settings, options, context)`, as for sources.

    Duties: `send` may buffer, `flush` makes it durable, `close` flushes; `close` may be called twice, and
    without `open`. A sink that waits for a broker calls `context.raise_if_stopped` several times a second,
    with what is left undone. Messages are made of records by `context.encoder`. Records are its own, to keep
    and to change; where its spec says `encodes`, payloads are those of the events, and it changes nothing. A
    sink that counts only says so with `counts_only`, and is then sent nothing. What else it may do is a
    protocol each, in `OPTIONAL`.
    """

    counts_only: ClassVar[bool]

    def open(self) -> None:
        """Connects, or creates the file.

        Raises:
            RunFailure: It cannot.
        """

    @abstractmethod
    def send(self, records: Sequence[Record]) -> None:
        """Takes records of the change log, or of the late output, in order."""

    def flush(self) -> None:
        """Returns when everything sent is durable."""

    def close(self) -> None:
        """Lets go of everything."""


@runtime_checkable
class Transactional(Protocol):
    """A sink that takes all records up to a `flush` or none of them, whatever happens, and knows afterwards
    which it took."""

    def begin(self, batch: str) -> bool:
        """Told before the records of a batch what the batch is called. False if it has them already, from
        before a crash; they are then not sent again."""


@runtime_checkable
class Showing(Protocol):
    """A sink that may show records to people."""

    @property
    def for_people(self) -> bool:
        """Looked at once it is open. Where true, records come with all events whatever the configuration
        says, and with `delay`, the seconds from the arrival of what completed the match, or of its last event
        where it was time that did."""


OPTIONAL: tuple[type, ...] = (Transactional, Showing)
