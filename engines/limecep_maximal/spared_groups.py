"""Start groups before an end event, and a negated step after it that names one of them.

`SEQ(A+ a[], B b, !C n) WHERE n.x = b.x`: what hits the group of one end event spares that of the next, which
it then completes, although that came before; and what hits the largest group may spare a smaller one. So what
an end event may complete is kept until something hits a part of it, and what is completed already is found
when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep_maximal.beginnings import Beginnings
from limecep_maximal.bounds import ANY_START
from limecep_maximal.end_event import Ending
from limecep_maximal.hits import Gaps
from limecep_maximal.start_groups import StartGroups
from limecep_maximal.trailing_negation import TrailingNegation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.hits import Hits
    from limecep_maximal.law import Law

    Groups = tuple[Group, ...]

#: How many end events are remembered before those that left the window are looked for.
_SWEEP = 1024


class Candidate:
    """A group and an end event that nothing hits so far.

    Attributes:
        place: That of the end event.
        first, length: The place of the group's first event, and how many it has.
        start, until: The order numbers of the first event, and the last in its window.
        out: The groups, as a match has them.
        groups: The same, as conditions read them.
    """

    __slots__ = ("first", "groups", "length", "out", "place", "start", "until")

    def __init__(
        self,
        place: int,
        first: int,
        length: int,
        start: int,
        until: int,
        out: Groups,
        groups: list[Sequence[Event]],
    ) -> None:
        self.place = place
        self.first = first
        self.length = length
        self.start = start
        self.until = until
        self.out = out
        self.groups = groups


class SparedGroups:
    """Those of one alternative on one view.

    Args:
        law: The alternative's, with `regroups`.
        steps: The lanes.
        hits: The lanes of negated steps.
        ordering: Precedence and the window.
        accepts: By step, whether an event may follow its neighbour in a group; None where any may.
        low: The order number that no window begins before.
        raise_if_stopped: The context's.
    """

    def __init__(
        self,
        law: Law,
        steps: Sequence[Content],
        hits: Sequence[Hits],
        ordering: Ordering,
        accepts: Sequence[Callable[[Event, Event], bool] | None],
        low: int,
        raise_if_stopped: Callable[[], None],
    ) -> None:
        self.low = low
        self._ordering = ordering
        self._lane = steps[0]
        self._ends = steps[-1]
        gaps = Gaps(law.gaps, hits)
        self._beginnings = Beginnings(law, steps, gaps, ordering, accepts, low)
        self._trailing: TrailingNegation[Candidate] = TrailingNegation(law, hits, low)
        self._end = Ending(law, steps, hits, gaps, self._trailing, ordering)
        first = bisect_left(steps[0].order, low)
        self._groups = StartGroups(
            law, steps[0], self._beginnings, self._end, law.waits_for(), first, raise_if_stopped
        )
        #: By the place of an end event.
        self._candidates: dict[int, list[Candidate]] = {}
        #: By the first place of groups, their lengths by the place of the end event.
        self._begun: dict[int, dict[int, int]] = {}
        self._exposed: set[int] = set()
        self._sweep_at = _SWEEP

    def ending(self, place: int, starts: tuple[int, int] = ANY_START) -> list[Groups]:
        """The matches of the end event at a place that start between two order numbers."""
        self._recall()
        numbers = self._ends.order
        for earlier in range(bisect_left(numbers, self._ordering.floor(numbers[place])), place + 1):
            if earlier not in self._candidates:
                self._find(earlier)
        return [
            c.out
            for c in self._candidates[place]
            if starts[0] <= c.start < starts[1] and not self._is_completed(c)
        ]

    def spared(self, begin: int, stop: int) -> list[int] | None:
        """The places, from one on and before another, of the end events for which more may be found now."""
        self._recall()
        told = self._exposed.union([p for p in range(begin, stop) if p not in self._candidates])
        self._exposed = set()
        return sorted(told)

    def _is_completed(self, candidate: Candidate) -> bool:
        """Whether an earlier end event completed a beginning of the group."""
        for place, length in self._begun[candidate.first].items():
            if place < candidate.place and length <= candidate.length:
                return True
        return False

    def _find(self, place: int) -> None:
        end, beginnings = self._end, self._beginnings
        end.go_to(place)
        beginnings.go_on(end.order)
        found = self._candidates[place] = []
        for first, length in self._groups.largest():
            groups = beginnings.nothing.copy()
            groups[0] = beginnings.strand(0, first, groups).seen(length)
            groups[-1] = (end.event,)
            start = self._lane.order[first]
            out = (beginnings.group((first, length)), (end.event,))
            until = self._ordering.ceiling(start)
            candidate = Candidate(place, first, length, start, until, out, groups)
            self._trailing.put_aside(candidate, end.order, groups)
            self._begun.setdefault(first, {})[place] = length
            found.append(candidate)
        if len(self._candidates) > self._sweep_at:
            self._sweep()

    def _recall(self) -> None:
        """Forgets what something hits which came since."""
        for _, hit, _ in self._trailing.reopened(None, _is_over):
            place = hit.place
            # What is found again for an end event stands beside what is left of the candidates before.
            if hit not in self._candidates.get(place, ()):
                continue
            self._exposed.add(place)
            for candidate in self._candidates.pop(place):
                begun = self._begun[candidate.first]
                del begun[place]
                self._exposed.update([p for p in begun if p > place])

    def _sweep(self) -> None:
        """Lets go of what nothing in the window depends on."""
        numbers = self._ends.order
        floor = self._ordering.floor
        latest = numbers[max(self._candidates)]
        low = floor(floor(latest))
        gone = [p for p in self._candidates if numbers[p] < low]
        for place in gone:
            for candidate in self._candidates.pop(place):
                begun = self._begun[candidate.first]
                del begun[place]
                if not begun:
                    del self._begun[candidate.first]
        self._exposed = {p for p in self._exposed if numbers[p] >= low}
        self._sweep_at = max(_SWEEP, 2 * len(self._candidates))
        self._trailing.forget(lambda candidate: candidate.until < latest)


def _is_over(candidate: Candidate, order: int) -> bool:
    return order > candidate.until
