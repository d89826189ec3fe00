"""Codecs turn messages into records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, final, runtime_checkable

import msgspec

from limecep.contracts.remembering import Remembering
from limecep.encoding import to_json

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from limecep.contracts.source import Message

#: A record as a codec gives it: field names and values as JSON knows them. CSV cells are text. Of a codec of
#: a plugin, a number that is NaN or infinite is read as missing, and counted.
Record = dict[str, Any]


@final
class Undecodable(msgspec.Struct, frozen=True):
    """A message, or a part of one, that could not be read, and why, in words for the user."""

    error: str


class Spelled(str):
    """A number as it was spelled: `1.50`."""

    __slots__ = ()


#: A record, or why there is none, with the message it came from.
Decoded = tuple["Message", Record | Undecodable]


class Encoder(Protocol):
    """Makes messages of records. Made once a sink, `Factory(options, context)`: a codec with the capability
    `envelope`.

    Attributes:
        content_type: What a message is, as a media type, for transports that say so.
    """

    content_type: ClassVar[str]

    def encode(self, record: Record) -> bytes:
        """The message of a record of the change log, or of the late output: one line of text. Raises
        nothing, whatever the record holds."""


class Plain:
    """The encoder where no envelope is asked for: records as they are, in JSON."""

    content_type: ClassVar[str] = "application/json"

    def encode(self, record: Record) -> bytes:
        """The record in JSON."""
        return to_json(record)


class Codec(Protocol):
    """Made once a source: `Factory(options, context)`.

    Duties: one message may hold several records; an `Undecodable` stands where a record could not be had, and
    never stops the others. It raises nothing on odd bytes. A message with an `error` gives an `Undecodable`
    with it. It may keep what belongs to a channel (the header of a CSV file, the first lines of a record of
    several) between calls; it is then `Remembering`. What else it may do is a protocol each, in
    `OPTIONAL`. A new dictionary for every record: the kernel keeps and
    changes it.

    Attributes:
        untyped: Whether every value is text whatever it means, as in CSV. Payloads then get numbers and
            booleans where text reads as such.
    """

    untyped: ClassVar[bool]

    def decode(self, messages: Sequence[Message]) -> Sequence[Decoded]:
        """The records of a batch of messages in order, each with the message it came from. An empty message
        (a blank line) may give none. Others that give none, and are not kept for later, are counted, and told
        at the end of a run."""

    @property
    def holding(self) -> bool:
        """Whether something is held back for more to come, or what comes next is understood only by what came
        last. What was decoded since is committed to the source when nothing is any more."""

    def finish(self) -> Sequence[Decoded]:
        """What was held back for more to come, when nothing comes any more."""

    def spelled(self, message: Message) -> Sequence[Record]:
        """The records of a message that was decoded before, with `Spelled` for each number that is not an
        integer: for ids, and times that a float does not hold exactly. Empty if the format does not spell
        numbers. May give the records that `decode` gave."""


@runtime_checkable
class Counting(Protocol):
    """A codec that counts something."""

    def counted(self) -> dict[str, Any]:
        """What of its input is worth a line in the report, as values of JSON by name."""


@runtime_checkable
class ReadingText(Protocol):
    """An untyped codec whose text does not read as `limecep.intake.payload.plain` reads it."""

    def plain(self, text: str) -> int | float | bool | str:
        """What text reads as in payloads."""


@runtime_checkable
class DecimalMarked(Protocol):
    """An untyped codec that knows the decimal mark of its numbers."""

    @property
    def decimal(self) -> str:
        """The decimal mark of numbers in times; the point where a codec has no such."""


@runtime_checkable
class KeepingText(Protocol):
    """An untyped codec some of whose fields are text whatever they read as."""

    @property
    def texts(self) -> Collection[str]:
        """Their names."""


class Table(Protocol):
    """The records of some messages, a record a message, to be read by columns.

    Attributes:
        messages: Those that the records came from.
    """

    @property
    def messages(self) -> Sequence[Message]: ...

    def column(self, name: str) -> list[Any]:
        """The value of a field in each record.

        Raises:
            LookupError: Some record does not have it.
        """

    def record(self, number: int) -> Record:
        """One of the records, the first being 0: a dictionary that the caller may keep and change, asked for
        once at most."""


@runtime_checkable
class Tabular(Protocol):
    """A codec that gives the records of most batches at a fraction of the cost of `decode`."""

    def table(self, messages: Sequence[Message]) -> Table | None:
        """The records that `decode` would give of these messages, at least one, in its place; None where that
        cannot be told at a glance, or some message has no record, several, or one that cannot be read. The
        codec is then as it was."""


OPTIONAL: tuple[type, ...] = (Remembering, Counting, ReadingText, DecimalMarked, KeepingText, Tabular)
