"""Statements: which version of an event a record tells, and whether it says that there is none."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.contracts.codec import Spelled
from limecep.intake.fields import Unusable, getter, missing
from limecep.intake.payload import plain
from limecep.model.event import UNVERSIONED, Statement
from limecep.model.time import EARLIEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.config.model import ReviseConfig
    from limecep.contracts.codec import Decoded, Record
    from limecep.contracts.source import Message
    from limecep.model.event import Event

    Head = tuple[str, int, int | None, int]


def _of_key(message: Message) -> Record:
    """The fields of a key that is an object of JSON."""
    try:
        found = msgspec.json.decode(message.key or b"")
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class Statements:
    """Makes events statements.

    Args:
        config: How the source says them.
        levels: What parts the levels of a topic.
        reads: Reads numbers and truth values that are written as text; None where they are not.
        lines: Whether messages are lines: one that is empty then says nothing.
        head: Reads id, `t_gen`, `t_arr` and sequence number.
        id_of: Reads the id.

    Attributes:
        said: How many records it was asked about: without a version field, that is the version.
    """

    def __init__(
        self,
        config: ReviseConfig,
        levels: str,
        reads: Callable[[str], Any] | None,
        lines: bool,
        head: Callable[[Record, Message], Head],
        id_of: Callable[[Record, Message], str] | None,
    ) -> None:
        self.said = 0
        self._version = config.version
        self._version_of = None if config.version is None else getter(config.version, levels)
        self._withdrawn_of = None if config.withdrawn is None else getter(config.withdrawn, levels)
        self._field = config.withdrawn
        self._values = [(type(v) is bool, v) for v in config.values]
        self._words = {str(v).lower() for v in config.values}
        # Whether the field was there, and said so, and values that look as if they should say so.
        self._asked = self._withdrew = False
        self._near: set[str] = set()
        self._reads = reads
        self._lines = lines
        self._head = head
        self._id_of = id_of
        self._told: tuple[int | float, bool] = (0, False)

    def decode(
        self, decode: Callable[[Sequence[Message]], Sequence[Decoded]], messages: Sequence[Message]
    ) -> Sequence[Decoded]:
        """The records of messages. One that is empty, a tombstone, gives one with the fields of its key, if
        that has any."""
        if not any(map(self._is_tombstone, messages)):
            return decode(messages)
        found: list[Decoded] = []
        for dead, some in groupby(messages, self._is_tombstone):
            part = list(some)
            found += [(m, _of_key(m)) for m in part] if dead else decode(part)
        return found

    def _is_tombstone(self, message: Message) -> bool:
        return not (message.value or message.error or self._lines)

    def head(self, record: Record, message: Message) -> Head:
        """What the head of an event is, of which the record tells a version. A withdrawal need not have a
        time.

        Raises:
            Unusable: The record gives no event.
        """
        if self._is_tombstone(message):
            self._told, self._withdrew = (UNVERSIONED, True), True
            return self._id_of_key(record, message), EARLIEST, message.t_arr, 0
        version = self._number(record, message)
        withdrawn = self._says_so(record, message)
        try:
            found = self._head(record, message)
        except Unusable:
            if not withdrawn or self._id_of is None:
                raise
            found = (self._id_of(record, message), EARLIEST, message.t_arr, 0)
        self._told = version, withdrawn
        return found

    def of(self, event: Event) -> Statement:
        """The event whose head was read last, as a statement."""
        self.said += 1
        version, withdrawn = self._told
        t_gen = event.t_arr if event.t_gen == EARLIEST else event.t_gen
        payload = {} if withdrawn else event.payload
        head = event.type, event.id, t_gen, event.t_arr, event.source
        version = self.said if self._version_of is None else version
        return Statement(*head, payload, event.seq, version=version, withdrawn=withdrawn)

    def _id_of_key(self, record: Record, message: Message) -> str:
        """The id of what a tombstone withdraws: that of its key's fields or of its channel, or the key."""
        assert self._id_of is not None
        try:
            return self._id_of(record, message)
        except Unusable:
            if record:
                raise
            if not message.key:
                raise Unusable("an empty message withdraws what its key says, and it has no key") from None
            return message.key.decode(errors="replace")

    def _number(self, record: Record, message: Message) -> int | float:
        if self._version_of is None:
            return 0
        given = value = self._version_of(record, message)
        if value is None:
            raise Unusable(missing("version", str(self._version)))
        value = self._read(value)
        if type(value) is int or (type(value) is float and math.isfinite(value)):
            return value
        raise Unusable(f"version '{self._version}' is {given!r:.40}, not a number")

    def _read(self, value: Any) -> Any:
        """What is written as text, or is there as it was spelled, as what it reads as."""
        if type(value) is Spelled:
            return (self._reads or plain)(value)
        return self._reads(value) if type(value) is str and self._reads is not None else value

    def _says_so(self, record: Record, message: Message) -> bool:
        if self._withdrawn_of is None:
            return False
        value = self._withdrawn_of(record, message)
        if value is None:
            return False
        self._asked = True
        value = self._read(value)
        if (type(value) is bool, value) in self._values:
            self._withdrew = True
            return True
        if not self._withdrew and str(value).lower() in self._words:
            self._near.add(repr(value))
        return False

    def counted(self) -> dict[str, Any]:
        """What there is to say of withdrawals that may have been meant and were none."""
        if self._withdrawn_of is None or self._withdrew or not self.said or (self._asked and not self._near):
            return {}
        return {"never_withdrawn": {"field": self._field, "values": sorted(self._near)}}
