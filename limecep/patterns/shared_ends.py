"""Patterns whose end events stand in one lane: an end event asks for all of them at once."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, cast

from limecep.patterns.evaluation import LOOK_EVERY_RUNS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.event_manager import EventManager
    from limecep.store.lane import Lane
    from limecep.store.recent import Recent
    from limecep.store.view import View

    #: A pattern's place in the pipeline, its event manager, and what it is to emit.
    Found = tuple[int, EventManager, Iterable[Match]]

#: Of so many lanes those are looked for that had an event lately; fewer are looked at one by one.
MANY_LANES = 32


def sharing_of(manager: EventManager) -> Hashable:
    """What patterns have in common that an end event may ask for at once; None for those that are asked one
    by one."""
    if not manager.shares:
        return None
    evaluation, within = manager.results.evaluation, manager.plan.within
    return end_lane(manager), within, evaluation.sharing, manager.results.counts


def end_lane(manager: EventManager) -> Lane:
    """The lane of the end events of a pattern that `shares`."""
    return only_view(manager).steps[0][manager.plan.alternatives[0].ends[0]]


def only_view(manager: EventManager) -> View:
    """The view of a pattern that `shares`."""
    return cast("View", manager.views.only)


class SharedEnds:
    """Some patterns with one `sharing_of`.

    Args:
        members: The event managers, at least one, each with its place in the pipeline.
        recent: Knows which lanes had an event lately.

    Attributes:
        lane: That of the end events.
        types: The types of these.
        wide: Whether it has so many lanes that `recent` is asked.
    """

    def __init__(self, members: Sequence[tuple[int, EventManager]], recent: Recent) -> None:
        first = members[0][1]
        self.lane = end_lane(first)
        self.types = frozenset(t for _, m in members for t in m.awaited_types)
        self._members = members
        self._results = [m.results for _, m in members]
        self._counts = first.results.counts
        self._limit = min(m.plan.max_per_end for _, m in members)
        self._views = views = [only_view(m) for _, m in members]
        engine: Any = first.results.evaluation.sharing
        asked = [(m.results.evaluation.engine, view) for (_, m), view in zip(members, views, strict=True)]
        self._together = engine.together(asked, recent)
        self._ordering = views[0].ordering
        self._recent = recent
        #: Since the patterns were last told: how many matches each has, how many end events there were, and
        #: how many events stood in their windows, by lane. (What is the same for all costs nothing for each.)
        self._emitted = [0] * len(members)
        self._runs = 0
        self._handed: dict[Lane, int] = {lane: 0 for view in views for lane in view.lanes}
        self._begins = dict.fromkeys(self._handed, 0)
        self.wide = len(self._handed) > MANY_LANES

    def came(self, end: Event) -> list[Found]:
        """An event that came in order is the last of the lane. Gives what is to be emitted, at once, where
        more is asked than how many matches there are."""
        self._ran(end)
        if self._counts:
            emitted, limit = self._emitted, self._limit
            for number, count in self._together.counts(end):
                if count is None or count > limit:
                    count = self._results[number].evaluation.bounded(end, self._views[number], count)
                emitted[number] += count
            return []
        found = []
        for number, matches in self._together.matches(end):
            place, manager = self._members[number]
            found.append((place, manager, manager.results.evaluation.within_limit(end, matches)))
        return found

    def _ran(self, end: Event) -> None:
        self._runs += 1
        if not self._runs % LOOK_EVERY_RUNS:
            self._results[0].evaluation.look()
        floor = self._ordering.floor(self._ordering.latest(end))
        handed, begins = self._handed, self._begins
        for lane in self._recent.since(floor) if self.wide else handed:
            if lane not in handed:
                continue
            numbers = lane.content.order
            stop = len(numbers)
            if not stop or numbers[-1] < floor:
                continue
            # A window begins after the one before it did.
            begin = begins[lane]
            if not (0 < begin <= stop and numbers[begin - 1] < floor):
                begin = 0
            begin = begins[lane] = bisect_left(numbers, floor, begin)
            handed[lane] += stop - begin

    def tell(self) -> None:
        """Tells each pattern how often it was asked, and of how many events, since this was last called."""
        runs, handed = self._runs, self._handed
        if not runs:
            return
        for results, view, emitted in zip(self._results, self._views, self._emitted, strict=True):
            results.evaluation.counted(runs, sum([handed[lane] for lane in view.lanes]))
            if self._counts:
                results.add(emitted)
        self._emitted = [0] * len(self._members)
        self._runs = 0
        self._handed = dict.fromkeys(handed, 0)
