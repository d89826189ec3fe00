"""A log that can be entered anywhere, read again: of it only what is asked for is decoded."""

from __future__ import annotations

import pickle
import sys
from bisect import bisect_right
from collections import OrderedDict
from itertools import accumulate, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from limecep.model.event import Event
from limecep.model.time import EARLIEST, LATEST
from limecep.runtime.arrived import within
from limecep.runtime.log_index import LogIndex, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.contracts.source import Log, Message
    from limecep.detection.spans import Spans
    from limecep.intake.reader import Reader
    from limecep.runtime.arrived import Arrived
    from limecep.runtime.log_index import IndexRoom

#: How many messages are decoded at a time.
BATCH_MESSAGES = 16
#: What a copy takes besides its bytes, as far as can be told.
COPY_OVERHEAD_BYTES = 250

#: Of a record of more events than these, or a log that says anew how it is written more often, no index is
#: made.
MOST_EVENTS = 10_000
MOST_LAYOUTS = 1_000


class Copies:
    """Decoded units in a compact form, those used last.

    Args:
        most: How many bytes they may take.
    """

    def __init__(self, most: int) -> None:
        self._left = most
        self._held: OrderedDict[tuple[int, int, int], bytes] = OrderedDict()

    def get(self, log: int, unit: Unit, spans: Spans) -> list[Arrived] | None:
        """The events that a unit has in some ranges; None if they are not there."""
        key = (log, unit.begin, unit.size)
        held = self._held.get(key)
        if held is None:
            return None
        self._held.move_to_end(key)
        intern, lows, highs = sys.intern, spans.lows, spans.highs
        return [
            (arrived, Event(intern(name), identity, t, t_arr, intern(source), payload, seq))
            for arrived, name, identity, t, t_arr, source, payload, seq in pickle.loads(held)
            if (i := bisect_right(lows, t)) and t <= highs[i - 1]
        ]

    def put(self, log: int, unit: Unit, events: Sequence[Arrived]) -> None:
        """Holds the events of a unit, which are not there."""
        held = pickle.dumps(
            [(a, e.type, e.id, e.t_gen, e.t_arr, e.source, e.payload, e.seq) for a, e in events]
        )
        self._held[log, unit.begin, unit.size] = held
        self._left -= len(held) + COPY_OVERHEAD_BYTES
        while self._left < 0:
            _, gone = self._held.popitem(last=False)
            self._left += len(gone) + COPY_OVERHEAD_BYTES


class IndexedLog:
    """One stream of a source, read again.

    Each message is decoded once to find out which of them are to be decoded for a range of event time; units
    begin where the reader holds nothing back, so that each can be decoded by itself. What the codec keeps at
    such a place (a header, say) is noted where it changes.

    Args:
        readers: Two readers of its own: one for what comes, in order, and one for units.
        room: Memory for the index.
        copies: Memory for what was decoded.
    """

    def __init__(self, readers: tuple[Reader, Reader], room: IndexRoom, copies: Copies) -> None:
        self._reader, self._decoder = readers
        self._copies = copies
        self._index = LogIndex(room)
        self._channel = ""
        # How many messages were taken in, and of what is not a unit yet: how many before it, its events.
        self._count = self._begin = 0
        self._reached = self._before = EARLIEST
        self._open: list[Event] = []
        # What the codec keeps from some units on, and which of these the reader of units has now.
        self._layouts: list[tuple[int, Any]] = [(0, self._reader.layout)]
        self._layout = 0
        self._given_up = False

    def catch_up(self, log: Log, *, ended: bool) -> Iterator[None]:
        """Takes in what came since, a few messages at each step.

        Args:
            log: All messages, from the first one on.
            ended: Whether nothing comes any more.
        """
        if self._given_up:
            return
        log.skip(self._count)
        while messages := list(islice(log, BATCH_MESSAGES)):
            self._channel = messages[0].channel
            self._count += len(messages)
            self._open += self._reader.read(messages).events
            if not self._reader.holding:
                self._close()
            elif len(self._open) > MOST_EVENTS:
                self._given_up = True
                self._open = []
                return
            yield
        if ended and self._reader.holding:
            self._close(self._reader.finish().events)

    @property
    def possible(self) -> bool:
        """Whether there is an index. Of what is one record to its end, such as an array of JSON, none is
        made."""
        return not self._given_up

    def _close(self, last: Sequence[Event] = ()) -> None:
        unit = Unit(self._begin, self._count - self._begin, self._before)
        events = _arrived(self._open, unit.reached, last)
        if events:
            self._copies.put(id(self), unit, events)
            self._reached = events[-1][0]
        self._index.add(unit, [e.t_gen for e in (*self._open, *last)])
        self._open, self._begin, self._before = [], self._count, self._reached
        layout = self._reader.layout
        if layout != self._layouts[-1][1]:
            self._layouts.append((self._begin, layout))
            self._given_up = len(self._layouts) > MOST_LAYOUTS

    def _layout_at(self, message: int) -> int:
        return bisect_right(self._layouts, message, key=itemgetter(0)) - 1

    def events(self, log: Log, spans: Spans) -> Iterator[Sequence[Arrived]]:
        """The events of some ranges, in the order of the log, a unit at a time.

        Args:
            log: As for `catch_up`, another time.
            spans: The ranges.
        """
        at = 0
        for unit in self._index.units(spans):
            events = self._copies.get(id(self), unit, spans)
            if events is None:
                log.skip(unit.begin - at)
                at = unit.begin + unit.size
                if self._layout != (layout := self._layout_at(unit.begin)):
                    self._decoder.lay_out(self._layouts[layout][1])
                events = self._decode(list(islice(log, unit.size)), unit.reached)
                self._layout = self._layout_at(at)
                self._copies.put(id(self), unit, events)
                events = within(spans, events)
            yield events
        # What goes before a record of which the rest has not been read.
        yield within(spans, _arrived([replace(e) for e in self._open], self._before, ()))

    def _decode(self, messages: Sequence[Message], reached: int) -> list[Arrived]:
        reader = self._decoder
        reader.go_on(self._channel, reached)
        found = reader.read(messages).events
        return _arrived(found, reached, reader.finish().events if reader.holding else ())


def _arrived(events: Sequence[Event], reached: int, last: Sequence[Event]) -> list[Arrived]:
    """Events with the latest arrival time up to each. `last` are those that came when all logs had ended."""
    arrivals = accumulate([e.t_arr for e in events], max, initial=reached)
    return [*zip(islice(arrivals, 1, None), events, strict=True), *[(LATEST, e) for e in last]]
