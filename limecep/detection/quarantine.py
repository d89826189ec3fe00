"""Quarantine: events that claim to be from further ahead than the clock of their source may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limecep.contracts.tables import Form
from limecep.model.event import event_in, event_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.clock import Clock
    from limecep.contracts.tables import Tables
    from limecep.detection.event_time import EventTime
    from limecep.detection.repair import Repair
    from limecep.detection.side_output import SideOutput
    from limecep.model.event import Event
    from limecep.statistics import SourceStatistics, Statistics

#: How many events are held. The oldest go where there are more.
ROOM_EVENTS = 10_000
#: An arrival time that lies further back was not given by the arrival clock just now.
_JUST_NOW_US = 5_000_000


class Quarantine:
    """Keeps such events from detection: they move nothing. Where it was the arrival clock that was behind,
    they are judged again once it is set.

    Args:
        time: What is known of the sources.
        clock: The arrival clock.
        repair: Told whom the store has no such event for.
        side: Takes them.
        statistics: Where they are counted.
        tables: Makes their table.
        room: How many are held to be judged again.
    """

    def __init__(
        self,
        time: EventTime,
        clock: Clock,
        repair: Repair,
        side: SideOutput,
        statistics: Statistics,
        tables: Tables,
        room: int = ROOM_EVENTS,
    ) -> None:
        self._time = time
        self._clock = clock
        self._repair = repair
        self._side = side
        self._statistics = statistics
        self._room = room
        form: Form[int, Event] = Form(
            lambda number, event: [number, event_out(event)],
            lambda value, events: (value[0], event_in(value[1])),
        )
        self._held: dict[int, Event] = tables.table("quarantine", form)

    def without(self, events: Sequence[Event], skew: int, figures: SourceStatistics) -> Sequence[Event]:
        """Events without those that are more than `skew` microseconds ahead of their arrival."""
        ahead = [e for e in events if e.t_gen > e.t_arr + skew]
        if not ahead:
            return events
        figures.outcomes["future"] += len(ahead)
        for event in ahead:
            self._repair.refused(event, None)
            self._side.future(event)
        if self._time.silence is not None and self._time.silence.settable:
            just_now = self._clock.now() - _JUST_NOW_US
            self._hold([e for e in ahead if e.t_arr >= just_now])
        return [e for e in events if e.t_gen <= e.t_arr + skew]

    def parted(
        self, events: Sequence[Event], skew: int, figures: SourceStatistics
    ) -> Iterable[tuple[int, Sequence[Event]]]:
        """As `without`: the runs of these events, each with how many were left out before it."""
        near = self.without(events, skew, figures)
        if len(near) == len(events):
            return [(0, events)]
        parts: list[tuple[int, list[Event]]] = [(0, [])]
        for event in events:
            if event.t_gen <= event.t_arr + skew:
                parts[-1][1].append(event)
            else:
                parts.append((1, []))
        return parts

    def _hold(self, events: Sequence[Event]) -> None:
        held = self._held
        last = next(reversed(held), 0)
        held.update(enumerate(events, start=last + 1))
        for oldest in list(held)[: len(held) - self._room]:
            del held[oldest]

    def judged_again(self, set_by: int) -> list[Event]:
        """The arrival clock was set forward by so many microseconds: gives the events that it had called too
        far ahead and that are not, with their arrival as the clock has it now. They are counted no more."""
        before = self._clock.now() - set_by
        found = []
        for number, event in list(self._held.items()):
            if event.t_arr > before:
                # The clock has said so after it was set.
                continue
            moved = msgspec.structs.replace(event, t_arr=event.t_arr + set_by)
            skew = self._time.traits(event.source).max_future_skew
            if skew is not None and moved.t_gen > moved.t_arr + skew:
                self._held[number] = moved
                continue
            del self._held[number]
            self._statistics.source(event.source).outcomes["future"] -= 1
            self._repair.refused(event, frozenset())
            found.append(moved)
        return found
