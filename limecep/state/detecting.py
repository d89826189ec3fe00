"""What is remembered of detection: the events in memory, what each pattern knows, and the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.patterns.deadlines import FOREVER
from limecep.state import figures, stored
from limecep.state.patterns import PatternState
from limecep.state.writing import by_ordinal, decode, encode, event_in, event_out

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from limecep.contracts.state import Row
    from limecep.detection.detection import Detection
    from limecep.model.event import Event
    from limecep.state.noting import Book, Noted

#: How many events there are in a segment of the journal at most.
TOGETHER = 32

_NOBODY: frozenset[Hashable] = frozenset()


class DetectionState:
    """The state of detection.

    Args:
        detection: To which nothing has happened yet.
        book: Where changes are noted from now on.
    """

    def __init__(self, detection: Detection, book: Book) -> None:
        self._detection = detection
        self._book = book
        #: The greatest `t_gen` of what is in the journal.
        self._latest = -FOREVER
        self._patterns = {
            d.plan.name: PatternState(d, m, detection.store.ordering, book)
            for d, m in zip(detection.detectors, detection.managers, strict=True)
        }
        #: The groups of patterns, by number.
        self._groups = list(dict.fromkeys(m.group for m in detection.managers))
        self._numbers = {group: n for n, group in enumerate(self._groups)}
        self._refusals: Noted[Any, Any] = book.noted("refusals", self._refusal_out)
        detection.refusals.known = self._refusals
        detection.partly = {}

    # -- the journal ---------------------------------------------------------------------------------------

    def segments(self, events: Iterable[Event]) -> Iterator[tuple[int, int, bytes]]:
        """Segments of the journal: those events that entered the store, and from when to when they are. Late
        events stand apart from those that came in order, so that no segment reaches far."""
        partly, self._detection.partly = self._detection.partly or {}, {}
        entered = [event for event in events if event.ordinal]
        before, self._latest = self._latest, max([self._latest, *(e.t_gen for e in entered)])
        for part in _parted(entered, before):
            times = [e.t_gen for e in part]
            refused = [
                [e.ordinal, [self._numbers[g] for g in partly[e.ordinal]]]
                for e in part
                if e.ordinal in partly
            ]
            yield min(times), max(times), encode([refused, [event_out(e) for e in part]])

    @property
    def needed_from(self) -> int:
        """The `t_gen` from which on the journal has what is in memory."""
        lanes = [t.events.content.events for t in self._detection.store.types.values()]
        return min([self._detection.retention.whole_from, *(events[0].t_gen for events in lanes if events)])

    def read(self, segments: Iterable[bytes]) -> Iterator[tuple[Event, frozenset[Hashable]]]:
        """The events of segments, with the groups that refused them."""
        for segment in segments:
            refused, events = decode(segment)
            groups = {ordinal: frozenset(self._groups[n] for n in numbers) for ordinal, numbers in refused}
            for value in events:
                event = event_in(value)
                yield event, groups.get(event.ordinal, _NOBODY)

    @staticmethod
    def within(segments: Iterable[bytes], t_from: int, t_to: int) -> list[Event]:
        """The events that segments have in a range of `t_gen`, both ends included, in the order in which they
        entered."""
        decoded = (decode(segment)[1] for segment in segments)
        found = [event_in(value) for events in decoded for value in events if t_from <= value[2] <= t_to]
        return sorted(found, key=_ordinal)

    def _refusal_out(self, identity: Sequence[str], refusal: tuple[Any, int]) -> bytes:
        groups, t_gen = refusal
        return encode([identity, None if groups is None else [self._numbers[g] for g in groups], t_gen])

    def _take_refusal(self, row: Row) -> None:
        identity, numbers, t_gen = decode(row.value)
        groups = None if numbers is None else frozenset(self._groups[n] for n in numbers)
        self._refusals.fill(tuple(identity), (groups, t_gen), row.number)

    # -- back ----------------------------------------------------------------------------------------------

    def load(self, rows: Iterable[Row], segments: Iterable[bytes], known: Mapping[str, Any]) -> None:
        """Detection is as it was.

        Args:
            rows: What was noted, in the order of the rows' numbers; rows of others are left alone.
            segments: Those of the journal that have anything from the time on from which memory is whole.
            known: What `figures` gave.
        """
        detection = self._detection
        store, statistics = detection.store, detection.statistics
        before, arrivals = known["store"]["left"]
        refused: dict[int, frozenset[Hashable]] = {}
        events = []
        for event, groups in self.read(segments):
            if event.t_gen >= before or event.ordinal > arrivals:
                events.append(event)
                if groups:
                    refused[event.ordinal] = groups
        stored.take_back(store, events, lambda event: refused.get(event.ordinal, _NOBODY))
        stored.recall(store, known["store"])
        figures.recall_statistics(statistics, known["statistics"])
        by_number = by_ordinal(events)
        for row in rows:
            if row.name == "refusals":
                self._take_refusal(row)
            owner, slash, part = row.name.rpartition("/")
            if slash and owner in self._patterns:
                self._patterns[owner].take(part, row, by_number)
        for name, pattern in self._patterns.items():
            pattern.recall(known["patterns"][name], by_number)
        figures.recall_retention(detection.retention, known["retention"])
        detection.refusals.lost_until = known["refusals"]
        advance = getattr(detection.clock, "advance", None)
        if advance is not None:
            advance(known["now"])
        figures.recall_time(detection.time, known["time"], None if advance else detection.clock.now())
        detection.recall(known["detection"])
        self._latest = statistics.lta

    # -- out -----------------------------------------------------------------------------------------------

    def figures(self) -> dict[str, Any]:
        """What is to be remembered, rows and journal aside."""
        detection = self._detection
        return {
            "store": stored.figures(detection.store),
            "needed_from": self.needed_from,
            "statistics": figures.of_statistics(detection.statistics),
            "patterns": {name: pattern.figures() for name, pattern in self._patterns.items()},
            "retention": figures.of_retention(detection.retention),
            "refusals": detection.refusals.lost_until,
            "time": figures.of_time(detection.time),
            "now": detection.clock.now() if hasattr(detection.clock, "advance") else 0,
            "detection": detection.figures(),
        }


def _parted(entered: Sequence[Event], latest: int) -> Iterator[Sequence[Event]]:
    """Events in groups that are close in time, each in the order in which they entered: no group reaches much
    further than others, as far as may be.

    Args:
        entered: The events.
        latest: The greatest `t_gen` of those before them.
    """
    in_order: list[Event] = []
    late: list[Event] = []
    for event in entered:
        (late if event.t_gen < latest else in_order).append(event)
        latest = max(latest, event.t_gen)
    late.sort(key=_time)
    width = TOGETHER * (in_order[-1].t_gen - in_order[0].t_gen) // len(in_order) if in_order else 0
    for events in (in_order, late):
        part: list[Event] = []
        for event in events:
            if part and (len(part) == TOGETHER or event.t_gen - part[0].t_gen > width):
                yield sorted(part, key=_ordinal)
                part = []
            part.append(event)
        if part:
            yield sorted(part, key=_ordinal)


def _time(event: Event) -> int:
    return event.t_gen


def _ordinal(event: Event) -> int:
    return event.ordinal
