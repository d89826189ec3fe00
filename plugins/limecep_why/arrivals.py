"""How events came: with which number, how late, how often.

The stream is gone through once more, when it is known which events matter: so nothing is kept of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.model.event import Statement
from limecep.model.time import FOREVER
from limecep_why.history import identity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep_why.absences import Interval
    from limecep_why.history import Identity


@dataclass(slots=True, kw_only=True)
class Arrival:
    """The arrival of one event.

    Attributes:
        number: Which arrival it was, from 1, of all that were read.
        behind: How far its event time was behind the latest one that had come, in microseconds; else 0.
        copies: How often it came again.
    """

    number: int
    behind: int
    copies: int = 0


class Arrivals:
    """Goes through a stream and notes what came of some events.

    Args:
        wanted: The events that matter.
        places: Numbers of arrivals of which the event is asked for.
        intervals: Where the events of negated steps are looked for.
        skews: How far events of a source may be ahead of their arrival, where that is bounded: what is
            further ahead moves no time.

    Attributes:
        of: How those events came.
        again: How those events were stated otherwise or withdrawn, by type, source, id and time of arrival.
        at: The events of those numbers.
        count: How many arrivals there were.
    """

    def __init__(
        self,
        wanted: Iterable[Event] = (),
        places: Collection[int] = (),
        intervals: Sequence[Interval] = (),
        skews: Mapping[str, int] | None = None,
    ) -> None:
        self._wanted = {identity(e) for e in wanted}
        self._named = {known[:3] for known in self._wanted}
        self._places = frozenset(places)
        self._intervals = intervals
        self._skews = skews or {}
        self._latest = -FOREVER
        self.of: dict[Identity, Arrival] = {}
        self.again: dict[tuple[str, str, str, int], Arrival] = {}
        self.at: dict[int, Event] = {}
        self.count = 0

    def go_through(self, events: Iterable[Event]) -> None:
        """These events came next."""
        for event in events:
            self.count += 1
            number, behind = self.count, max(0, self._latest - event.t_gen)
            if number in self._places:
                self.at[number] = event
            known = identity(event)
            if known in self._wanted:
                self._note(known, number, behind)
            for interval in self._intervals:
                if interval.look_at(event):
                    self._note(known, number, behind)
            skew = self._skews.get(event.source)
            ahead = skew is not None and event.t_gen > event.t_arr + skew
            withdrawn = isinstance(event, Statement) and event.withdrawn
            if isinstance(event, Statement) and known[:3] in self._named and known not in self._wanted:
                self.again[(*known[:3], event.t_arr)] = Arrival(number=number, behind=behind)
            if event.t_gen > self._latest and not ahead and not withdrawn:
                self._latest = event.t_gen

    def _note(self, known: Identity, number: int, behind: int) -> None:
        arrival = self.of.get(known)
        if arrival is None:
            self.of[known] = Arrival(number=number, behind=behind)
        elif arrival.number != number:
            arrival.copies += 1
