"""Codecs that others brought, with everything looked at that they give.

A record that is none, or a value that JSON does not know, would fail far from the codec, or come back as
another value after a restart, and nobody would know whose mistake that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from limecep.contracts.codec import Codec, Undecodable
from limecep.contracts.remembering import Remembering
from limecep.contracts.shown import shown
from limecep.contracts.source import Message
from limecep.contracts.stand_in import sound_memory, stand_in
from limecep.contracts.values import json_problem, mended
from limecep.errors import ContractBreach
from limecep.intake.messages import message_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.codec import Decoded, Record, Table

    Act = Callable[..., Any]


#: What is counted of messages that have something in them, and for which the codec gave nothing. One that
#: keeps what belongs to records to come may answer later: then they are counted until its first record.
UNANSWERED = "messages_without_record"

#: What is counted of numbers that are NaN or infinite. They are missing, as in JSON.
NOT_FINITE = "not_finite_numbers"


def checked(codec: Any, counters: Counter[str] | None = None) -> Codec:
    """A stand-in for a codec. It raises `ContractBreach` where the codec gives what its contract rules out.

    Args:
        codec: The codec.
        counters: Those of its source, for `UNANSWERED` and `NOT_FINITE`; None where nobody asks.
    """
    looking = _Looking(codec, Counter() if counters is None else counters)
    looks: dict[str, Callable[[Any], Any]] = {
        "decode": looking.decode,
        "finish": looking.decode,
        "spelled": looking.spelled,
        "table": looking.table,
        "counted": looking.counted,
        "remembered": partial(sound_memory, codec),
        "plain": looking.plain,
        "decimal": looking.decimal,
        "texts": looking.texts,
        "holding": looking.holding,
    }
    made: Codec = stand_in(codec, looks)
    return made


class _Looking:
    """Looks at what a codec gives."""

    def __init__(self, codec: Any, counters: Counter[str]) -> None:
        self.guarded = codec
        self._counters = counters
        self._answered = False
        self._keeps = isinstance(codec, Remembering)
        self._untyped = codec.untyped

    def decode(self, act: Act) -> Act:
        """Of `decode`, and of `finish`."""

        def look(*messages: Any) -> Sequence[Decoded]:
            given = act(*messages)
            if not isinstance(given, Iterable):
                self._breach(f"gave {shown(given)} where messages with their records are due")
            pairs = list(given)
            last: Any = None
            answered = 0
            for pair in pairs:
                if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], Message)):
                    self._breach(f"gave {shown(pair)} where a message with its record is due")
                # A message may have many records.
                if pair[0] is not last:
                    answered += 1
                    if said := message_problem(pair[0]):
                        self._breach(said)
                last = pair[0]
                if not isinstance(pair[1], Undecodable):
                    self._sound(pair[1], pair)
                elif not isinstance(pair[1].error, str):
                    self._breach(f"gave {shown(pair[1])}, whose error is no text")
            if pairs:
                self._answer()
            if messages and answered < len(messages[0]):
                self._note(messages[0], pairs)
            return pairs

        return look

    def _answer(self) -> None:
        """It has given a record, or says what is wrong with one."""
        if not self._answered and self._keeps:
            self._counters.pop(UNANSWERED, None)
        self._answered = True

    def _note(self, messages: Sequence[Message], pairs: Sequence[Decoded]) -> None:
        """Counts the messages that it gave nothing for."""
        if self._answered if self._keeps else getattr(self.guarded, "holding", False):
            return
        answered = {(message.channel, message.position) for message, _ in pairs}
        unanswered = sum(
            bool(message.value.strip()) and (message.channel, message.position) not in answered
            for message in messages
        )
        if unanswered:
            self._counters[UNANSWERED] += unanswered

    def spelled(self, act: Act) -> Act:
        """Of `spelled`."""

        def look(message: Message) -> Sequence[Record]:
            given = act(message)
            if not isinstance(given, Collection):
                self._breach(f"spelled {shown(given)} where records are due")
            for record in given:
                self._sound(record, record)
            found: Sequence[Record] = [*given]
            return found

        return look

    def table(self, act: Act) -> Act:
        """Of `table`."""

        def look(messages: Sequence[Message]) -> Table | None:
            given = act(messages)
            if given is None:
                return None
            for name in ("messages", "column", "record"):
                if not hasattr(given, name):
                    self._breach(f"gave the table {shown(given)}, which has no '{name}'")
            if len(given.messages) != len(messages):
                self._breach(f"gave a table of {len(given.messages)} messages, asked for {len(messages)}")
            if len(messages):
                self._answer()
            made: Table = stand_in(given, {"column": self._column(given), "record": self._record})
            return made

        return look

    def _column(self, table: Any) -> Callable[[Act], Act]:
        def of(act: Act) -> Act:
            def look(name: str) -> list[Any]:
                given = act(name)
                if not isinstance(given, list) or len(given) != len(table.messages):
                    self._breach(f"gave {shown(given)} for the column '{name}', no list of a value a message")
                return given

            return look

        return of

    def _record(self, act: Act) -> Act:
        def look(number: int) -> Record:
            given = act(number)
            self._sound(given, given)
            record: Record = given
            return record

        return look

    def counted(self, act: Act) -> Act:
        """Of `counted`."""

        def look() -> dict[str, Any]:
            given = act()
            if not isinstance(given, dict) or json_problem(given):
                self._breach(f"counted {shown(given)}, no values of JSON by name")
            counts: dict[str, Any] = given
            return counts

        return look

    def plain(self, act: Act) -> Act:
        """Of `plain`."""

        def look(text: str) -> int | float | bool | str:
            given = act(text)
            if not isinstance(given, (int, float, str)):
                self._breach(f"reads {shown(text)} as {shown(given)}, no number, boolean or text")
            read: int | float | bool | str = given
            return read

        return look

    def decimal(self, given: Any) -> str:
        """Of `decimal`."""
        if not isinstance(given, str):
            self._breach(f"has the decimal mark {shown(given)}, no text")
        mark: str = given
        return mark

    def texts(self, given: Any) -> Collection[str]:
        """Of `texts`."""
        if isinstance(given, str) or not isinstance(given, Collection):
            self._breach(f"has the texts {shown(given)}, no names of fields")
        return given

    def holding(self, given: Any) -> bool:
        """Of `holding`."""
        if not isinstance(given, bool):
            self._breach(f"has {shown(given)} as 'holding', neither True nor False")
        return given

    def _sound(self, record: Any, given: Any) -> None:
        """Sees to it that a record is one."""
        if not isinstance(record, dict):
            self._breach(f"gave {shown(given)} where a message with its record is due")
        if said := json_problem(record):
            if count := mended(record):
                self._counters[NOT_FINITE] += count
                said = json_problem(record)
            if said:
                self._breach(f"gave the record {shown(record)}, where {said}")
        if self._untyped:
            for name, value in record.items():
                if not isinstance(value, str):
                    self._breach(f"is untyped, and gave {shown(value)} for '{name}', which is no text")

    def _breach(self, what: str) -> NoReturn:
        raise ContractBreach(self.guarded, what)
