"""The reader of a source: messages in, events and invalid records out."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.contracts.codec import (
    Codec,
    Counting,
    DecimalMarked,
    Decoded,
    KeepingText,
    ReadingText,
    Record,
    Tabular,
    Undecodable,
)
from limecep.contracts.remembering import Remembering
from limecep.contracts.source import Bulk, positions_of
from limecep.errors import RunFailure
from limecep.intake.columns import Columns
from limecep.intake.fields import Unusable, absent, named, topic_level
from limecep.intake.heads import as_spelled, id_reader, order_reader, type_reader
from limecep.intake.identity import digest, key_reader, telling_reader
from limecep.intake.instants import instants
from limecep.intake.kinds import Kinds, undeclared
from limecep.intake.payload import payload_reader, plain
from limecep.intake.raw import raw_text
from limecep.intake.times import Inexact
from limecep.model.event import Event
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Table
    from limecep.contracts.source import Message
    from limecep.contracts.time import TimeFormat
    from limecep.intake.columns import Heads
    from limecep.intake.statements import Statements

#: How many messages are read by columns at a time: one that is odd has so many read one by one.
BLOCK_MESSAGES = 512

_NOTHING: dict[str, Any] = {}


class Invalid(msgspec.Struct, frozen=True, kw_only=True):
    """A record that gave no event.

    Attributes:
        error: Why, in words for the user.
        raw: The message's text, shortened; bytes that are no UTF-8 are shown as replacement characters.
        source: The source's name.
        position: Where it stood.
        message: The message it came from.
        fields: The names of its fields, where it could be decoded.
    """

    error: str
    raw: str
    source: str
    position: str
    message: Message
    fields: tuple[str, ...] = ()


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What a batch of messages gave.

    Attributes:
        events: The events in the order of arrival.
        positions: Where each of them stood.
        invalid: The records that gave none, in order.
    """

    events: list[Event]
    positions: Sequence[str]
    invalid: list[Invalid]


class Reader:
    """Turns messages of one source into events.

    It keeps, for each channel, the latest `t_gen` so far: without an arrival time that is when events of a
    replay arrive. One reader may serve several streams of one source.

    Args:
        config: The source.
        codec: Its codec.
        clock: Gives the time of events that have neither a time nor an arrival time, each at least a
            microsecond after the one before.
        relevant: The event types whose payload is needed; None for all. Others are checked too, and have no
            payload, nor an id where the source names none, but for those from the future.
        compared: The attributes that conditions name, by event type (`limecep.intake.kinds`).
        formats: The time formats of plugins, by what they read: `time`, `arrival`.

    Attributes:
        unconverted: How many values of declared payload fields did not convert, by field.
        undated: How many events are of the time at which they were read, having none.
    """

    def __init__(
        self,
        config: SourceConfig,
        codec: Codec,
        clock: Clock,
        relevant: Collection[str] | None = None,
        compared: Mapping[str, Collection[str]] = MappingProxyType({}),
        formats: Mapping[str, TimeFormat] = MappingProxyType({}),
    ) -> None:
        self.unconverted: Counter[str] = Counter()
        self.undated = 0
        self._config = config
        self._source = config.name
        self._codec = codec
        self._remembering = codec if isinstance(codec, Remembering) else None
        self._clock = clock
        # Maps a type to itself: events then share one text for each type.
        self._relevant = None if relevant is None else {name: name for name in relevant}
        # An event from further ahead goes to the late output whole, whatever its type.
        self._ahead = LATEST - EARLIEST if config.max_future_skew is None else config.max_future_skew
        self._type_of = type_reader(config)
        self._id_of = id_reader(config.id, config.levels)
        reads = None
        if codec.untyped:
            reads = codec.plain if isinstance(codec, ReadingText) else plain
        self._key_of = key_reader(config, reads)
        decimal = codec.decimal if isinstance(codec, DecimalMarked) else "."
        self._time = instants("time", config.time, config.levels, self._owner, decimal, formats)
        self._arrival = instants("arrival", config.arrival, config.levels, self._owner, decimal, formats)
        self._time_of = None if self._time is None else self._time.read
        self._arrival_of = None if self._arrival is None else self._arrival.read
        # What may be read twice, once more as it is spelled, goes before what remembers what it read.
        self._time_first = self._time is not None and not self._time.remembers
        self._order_of = order_reader(config.order, config.levels, reads)
        self._rank = config.rank or 0
        texts = codec.texts if isinstance(codec, KeepingText) else ()
        self._payload_of = payload_reader(config, reads, self.unconverted, texts)
        self._kinds = Kinds(undeclared(config, compared)) if reads is not None else None
        self._telling = telling_reader(config)
        self._levelled = any(topic_level(path) is not None for _, path in named(config))
        self._latest: dict[str, int] = {}
        self._stamp = EARLIEST
        self._tabular, self._columns = None, None
        self._stated: Statements | None = None
        if config.revise is not None:
            from limecep.intake.statements import Statements  # Few sources take back what they told.

            told = config.revise, config.levels, reads, "lines" in config.connector.spec.capabilities
            self._stated = Statements(*told, self._head, self._id_of)
        elif isinstance(codec, Tabular):
            columns = Columns(config, self._time, self._arrival, self._latest)
            if columns.plain:
                self._tabular, self._columns = codec, columns

    def expect(self, fields: Collection[str]) -> None:
        """All records have these fields.

        Raises:
            RunFailure: The source names another one.
        """
        if said := absent(self._config, fields):
            raise RunFailure(f"source '{self._source}': {said}")

    def read(self, messages: Sequence[Message]) -> Batch:
        """The events of messages that follow those read before."""
        columns, tabular = self._columns, self._tabular
        if columns is None or tabular is None:
            decode, stated = self._codec.decode, self._stated
            return self._noted(self._map(stated.decode(decode, messages) if stated else decode(messages)))
        events: list[Event] = []
        positions: list[Sequence[str]] = []
        invalid: list[Invalid] = []
        odd = False
        for begin in range(0, len(messages), BLOCK_MESSAGES):
            block = messages[begin : begin + BLOCK_MESSAGES]
            table = tabular.table(block)
            heads = None if table is None else columns.heads(table)
            if table is not None and heads is not None:
                self._fill(events, table, heads)
                positions.append(positions_of(block))
                continue
            odd = True
            batch = self._map(self._codec.decode(block) if table is None else _decoded(table))
            events += batch.events
            positions.append(batch.positions)
            invalid += batch.invalid
        whole = messages.positions if isinstance(messages, Bulk) and not odd else None
        together = list(chain.from_iterable(positions)) if whole is None else whole
        return self._noted(Batch(events=events, positions=together, invalid=invalid))

    def go_on(self, channel: str, latest: int) -> None:
        """What is read next stands, in a channel, behind events up to a `t_gen`, in microseconds."""
        self._latest[channel] = latest

    def finish(self) -> Batch:
        """The events of what the codec held back, when nothing comes any more."""
        return self._noted(self._map(self._codec.finish()))

    @property
    def holding(self) -> bool:
        """Whether messages were read that a record to come is still to be made of."""
        return self._codec.holding

    def counted(self) -> dict[str, Any]:
        """What of the input is worth a line in the report, by name."""
        counted = self._codec.counted() if isinstance(self._codec, Counting) else {}
        if self.unconverted:
            counted["unconverted"] = dict(self.unconverted)
        if self._kinds is not None and (mixed := self._kinds.mixed()):
            counted["mixed_columns"] = mixed
        return counted | self.changes | ({} if self._stated is None else self._stated.counted())

    @property
    def sequential(self) -> bool:
        """Whether what time a record says may depend on those before it."""
        return any(read is not None and read.sequential for read in (self._time, self._arrival))

    @property
    def numbered(self) -> bool:
        """Whether what a record says counts by its place among all that were read."""
        revise = self._config.revise
        return revise is not None and revise.version is None

    @property
    def changes(self) -> Counter[str]:
        """What there is to count of changes of the clocks: `ambiguous_times`, that they gave twice, and
        `skipped_times`."""
        return sum((read.changes for read in (self._time, self._arrival) if read is not None), Counter())

    @property
    def layout(self) -> Any:
        """What the codec keeps of what it read, as values of JSON; None if it keeps nothing."""
        return None if self._remembering is None else self._remembering.remembered()

    def lay_out(self, known: Any) -> None:
        """Goes on as after what had this `layout`."""
        if known is not None and self._remembering is not None:
            self._remembering.recall(known)

    @property
    def remembers(self) -> bool:
        """Whether what the codec holds back is among what is `remembered`."""
        return self._remembering is not None

    def remembered(self) -> dict[str, Any]:
        """What it has to know, as values of JSON, to go on in a later life of the pipeline."""
        return {
            "latest": self._latest,
            "stamp": self._stamp,
            "undated": self.undated,
            "unconverted": self.unconverted,
            "kinds": [] if self._kinds is None else self._kinds.remembered(),
            "codec": self.layout,
            "said": 0 if self._stated is None else self._stated.said,
            "times": [None if read is None else read.remembered() for read in (self._time, self._arrival)],
        }

    def recall(self, known: Mapping[str, Any]) -> None:
        """Goes on from what was `remembered`."""
        self._latest.update(known["latest"])
        self._stamp = known["stamp"]
        self.undated = known["undated"]
        self.unconverted.update(known["unconverted"])
        if self._kinds is not None:
            self._kinds.recall(known.get("kinds", ()))
        self.lay_out(known["codec"])
        if self._stated is not None:
            self._stated.said = known.get("said", 0)
        for read, before in zip((self._time, self._arrival), known.get("times", ()), strict=False):
            if read is not None and before is not None:
                read.recall(before)

    def _noted(self, batch: Batch) -> Batch:
        if self._kinds is not None:
            self._kinds.note(batch.events)
        return batch

    def _fill(self, events: list[Event], table: Table, heads: Heads) -> None:
        """Makes events of records whose heads were read by columns."""
        types, ids, times, arrivals, orders = heads
        made = list(map(Event, types, ids, times, arrivals, repeat(self._source), repeat(_NOTHING), orders))
        events += made
        relevant, messages, complete, ahead = self._relevant, table.messages, self._complete, self._ahead
        future = max(times) > min(arrivals) + ahead
        # Of a message only the channel counts beside its record.
        message = None if self._levelled else messages[0]
        for n, name in enumerate(types):
            if relevant is None or name in relevant or (future and times[n] > arrivals[n] + ahead):
                complete(made[n], table.record(n), message or messages[n])

    def _map(self, decoded: Sequence[Decoded]) -> Batch:
        """Makes events of records one by one."""
        source, relevant, latest, ahead = self._source, self._relevant, self._latest, self._ahead
        type_of, stated, complete = self._type_of, self._stated, self._complete
        head = self._head if stated is None else stated.head
        events: list[Event] = []
        positions: list[str] = []
        invalid: list[Invalid] = []
        for message, record in decoded:
            try:
                if type(record) is Undecodable:
                    raise Unusable(record.error)
                name = type_of(record, message)
                try:
                    identity, t_gen, t_arr, seq = head(record, message)
                except Inexact:
                    # Each of those before has given an event, or none.
                    place = len(events) + len(invalid)
                    identity, t_gen, t_arr, seq = head(self._spelled(decoded, place, record), message)
            except Unusable as error:
                invalid.append(
                    Invalid(
                        error=str(error),
                        raw=self._shown(message),
                        source=source,
                        position=message.position,
                        message=message,
                        fields=() if isinstance(record, Undecodable) else tuple(record),
                    )
                )
                continue
            if t_arr is None:
                t_arr = latest.get(message.channel, EARLIEST)
                if t_gen > t_arr:
                    t_arr = latest[message.channel] = t_gen
            event = Event(name, identity, t_gen, t_arr, source, _NOTHING, seq)
            if relevant is None or name in relevant or t_gen > t_arr + ahead:
                complete(event, record, message)
            events.append(event if stated is None else stated.of(event))
            positions.append(message.position)
        return Batch(events=events, positions=positions, invalid=invalid)

    def _complete(self, event: Event, record: Record, message: Message) -> None:
        """Gives an event that somebody needs its payload, and an id if it has none of its own."""
        if self._relevant is not None:
            event.type = self._relevant.get(event.type, event.type)
        if self._id_of is not None:
            event.payload = self._payload_of(record, message)
            return
        key = self._key_of(record, message) if self._key_of is not None else None
        payload = event.payload = self._payload_of(record, message)
        t = event.t_gen if self._order_of is None else (event.t_gen, event.seq)
        event.id = digest(t, key, self._telling(payload))

    def _head(self, record: Record, message: Message) -> tuple[str, int, int | None, int]:
        """Id ("": to be digested), `t_gen`, `t_arr` (None: the latest `t_gen` so far), sequence number."""
        identity = self._id_of(record, message) if self._id_of is not None else ""
        seq = self._order_of(record, message) if self._order_of is not None else self._rank
        time_of, arrival_of, t_arr = self._time_of, self._arrival_of, message.t_arr
        if time_of is not None and self._time_first:
            t_gen = time_of(record, message, None)
            if arrival_of is not None:
                t_arr = arrival_of(record, message, None)
            return identity, t_gen, t_arr, seq
        if arrival_of is not None:
            t_arr = arrival_of(record, message, None)
        if time_of is not None:
            return identity, time_of(record, message, t_arr), t_arr, seq
        return identity, *self._untimed(message, t_arr), seq

    def _shown(self, message: Message) -> str:
        return raw_text(message.value)

    def _owner(self, record: Record, message: Message) -> str:
        """Whose readings go forward: those of one type and key, as text."""
        key = None if self._key_of is None else self._key_of(record, message)
        return repr((self._type_of(record, message), key))

    def _untimed(self, message: Message, t_arr: int | None) -> tuple[int, int]:
        if t_arr is None:
            t_arr = self._stamp = max(self._clock.now(), self._stamp + 1)
        if message.event_time is not None:
            return message.event_time, t_arr
        self.undated += self._arrival_of is None
        return t_arr, t_arr

    def _spelled(self, decoded: Sequence[Decoded], place: int, record: Record) -> Record:
        """The record with its numbers as spelled."""
        message = decoded[place][0]
        first = place
        while first > 0 and decoded[first - 1][0] is message:
            first -= 1
        records = self._codec.spelled(message)
        if place - first < len(records):
            record = records[place - first]
        spelled: Record = as_spelled(record)
        return spelled


def _decoded(table: Table) -> list[Decoded]:
    return [(message, table.record(n)) for n, message in enumerate(table.messages)]
