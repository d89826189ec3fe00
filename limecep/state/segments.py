"""Segments of the journal: the events that entered, and which groups of patterns refused them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from limecep.model.event import event_in, event_out
from limecep.state.json_values import decode, encode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from limecep.model.event import Event

#: How many events there are in a segment at most.
SEGMENT_EVENTS = 32

_time = attrgetter("t_gen")
_ordinal = attrgetter("ordinal")


def write(
    entered: Sequence[Event], before: int, refused: Mapping[int, Collection[int]]
) -> Iterator[tuple[int, int, bytes]]:
    """Segments of events, and from when to when they are. Late events stand apart from those that came in
    order, so that no segment reaches far.

    Args:
        entered: The events, in the order in which they entered.
        before: The greatest `t_gen` of those before them, in microseconds.
        refused: The numbers of the groups that refused an event, by its ordinal.
    """
    for part in _parted(entered, before):
        times = [e.t_gen for e in part]
        refusals = [[e.ordinal, refused[e.ordinal]] for e in part if e.ordinal in refused]
        yield min(times), max(times), encode([refusals, [event_out(e) for e in part]])


def read(segments: Iterable[bytes]) -> Iterator[tuple[list[Event], dict[int, list[int]]]]:
    """The events of each segment, and the numbers of the groups that refused one, by its ordinal."""
    for segment in segments:
        refusals, events = decode(segment)
        yield list(map(event_in, events)), dict(refusals)


def within(segments: Iterable[bytes], t_from: int, t_to: int) -> list[Event]:
    """The events that segments have in a range of `t_gen`, both ends included, in the order in which they
    entered."""
    decoded = (decode(segment)[1] for segment in segments)
    found = [event_in(value) for events in decoded for value in events if t_from <= value[2] <= t_to]
    return sorted(found, key=_ordinal)


def _parted(entered: Sequence[Event], latest: int) -> Iterator[Sequence[Event]]:
    """Events in groups that are close in time, each in the order in which they entered: no group reaches much
    further than others, as far as may be."""
    in_order: list[Event] = []
    late: list[Event] = []
    for event in entered:
        (late if event.t_gen < latest else in_order).append(event)
        latest = max(latest, event.t_gen)
    late.sort(key=_time)
    width = SEGMENT_EVENTS * (in_order[-1].t_gen - in_order[0].t_gen) // len(in_order) if in_order else 0
    for events in (in_order, late):
        part: list[Event] = []
        for event in events:
            if part and (len(part) == SEGMENT_EVENTS or event.t_gen - part[0].t_gen > width):
                yield sorted(part, key=_ordinal)
                part = []
            part.append(event)
        if part:
            yield sorted(part, key=_ordinal)
