"""Runs where a negated step after the end names the end event: what hits one end event spares the next, which
then completes the run, although it came before.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep_maximal.bounds import ANY_START
from limecep_maximal.conditional_runs import Runs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.conditional_runs import Groups
    from limecep_maximal.hits import Hits
    from limecep_maximal.law import Law
    from limecep_maximal.run import Run


class SparingRuns(Runs):
    """Each run has one start, and is closed by the first end event that nothing known hits
    (`law.Law.recalls`). What is found for an end event later joins its answer.
    """

    def __init__(
        self,
        law: Law,
        steps: Sequence[Content],
        hits: Sequence[Hits],
        ordering: Ordering,
        accepts: Sequence[Callable[[Event, Event], bool] | None],
        begin: int,
        sound: int,
        raise_if_stopped: Callable[[], None],
    ) -> None:
        super().__init__(law, steps, hits, ordering, accepts, begin, sound, raise_if_stopped)
        # Places of end events that completed a run after they were looked at.
        self._spared: set[int] = set()

    def answer(self, place: int, starts: tuple[int, int] = ANY_START) -> Sequence[Groups] | None:
        self._recall()
        return super().answer(place, starts)

    def spared(self, begin: int, stop: int) -> list[int] | None:
        """The places of the end events of which something was found since this was asked last; None if it
        cannot tell for all from one place on and before another."""
        self._recall()
        spared, self._spared = sorted(self._spared), set()
        return None if begin < self.sound or self.stop < stop else spared

    def complete(self, place: int) -> list[Groups]:
        self.stop = place + 1
        return self._meet(place)

    def _recall(self) -> None:
        """Lets runs go on from their end event where something hits it that came since."""
        ends = self._steps[-1]
        for order, run, groups in self._trailing.reopened(None, self._is_over):
            place = bisect_left(ends.order, order)
            while ends.events[place] is not groups[-1][0]:
                place += 1
            self._resume(run, place + 1)

    def _reopen(self) -> None:
        """That was done before."""

    def _resume(self, run: Run, begin: int) -> None:
        """Lets a run be completed by the end event at a place, or a later one."""
        for place in self._ends_from(begin, run):
            self._end.go_to(place)
            if run.starts.latest < self._end.first:
                return
            found: list[Groups] = []
            if not self._close(run, found):
                if place in self._answers:
                    self._answers[place].add(found)
                    self._spared.add(place)
                return
        self._wait(run)

    def _ends_from(self, begin: int, run: Run) -> Sequence[int]:
        """The places of end events that were looked at, from one on, that a run may be completed by."""
        lane = self._by_value[-1]
        if self._key is None or lane is None:
            return range(begin, self.stop)
        places = lane.places(self._key[1](run.groups), self._lows[-1])
        return places[bisect_left(places, begin) : bisect_left(places, self.stop)]

    def _close(self, run: Run, found: list[Groups]) -> bool:
        longest = self._end.longest(run.strand, run.groups)
        if not longest:
            return True
        order = self._end.order
        groups = run.groups.copy()
        groups[-1] = (self._end.event,)
        if self._trailing.hit(order, self._until(run), groups):
            return True
        start = next(iter(self._end.counting(run.starts)))
        found.append((self._beginnings.group(start), *self._ended(run, longest)))
        self._trailing.put_aside(run, order, groups)
        return False

    def _is_over(self, run: Run, order: int) -> bool:
        return order > self._until(run)

    def _until(self, run: Run) -> int:
        """The last order number in the window of a run."""
        return self._ordering.ceiling(self._ordering.of(run.groups[0][0]))
