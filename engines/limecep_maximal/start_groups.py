"""Start groups that only an end event follows: SEQ(A+ a[], B b)."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep_maximal.starts import container, widest
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.match import Group
    from limecep.store.lane import Content
    from limecep_maximal.beginnings import Beginnings
    from limecep_maximal.end_event import Ending
    from limecep_maximal.law import Key, Law

    Groups = tuple[Group, ...]

#: How many entries of a table are kept before those that left the window are looked for.
SWEEP = 1024
#: After how many groups it is looked again whether the run has to end.
LOOK_EVERY = 64


class StartGroups:
    """Those of one alternative on one view.

    Args:
        law: The alternative's.
        lane: The lane of the start.
        beginnings: What begins there.
        end: The end event that is looked at.
        key: An equality by which an end event finds the groups that it may complete.
        low: The first place that counts.
        raise_if_stopped: The context's.
    """

    def __init__(
        self,
        law: Law,
        lane: Content,
        beginnings: Beginnings,
        end: Ending,
        key: Key | None,
        low: int,
        raise_if_stopped: Callable[[], None],
    ) -> None:
        self._law = law
        self._lane = lane
        self._beginnings = beginnings
        self._end = end
        self._key = key
        self._low = low
        self._look = raise_if_stopped
        # Those completed; and where they begin, by value.
        self._completed: dict[int, tuple[int, int]] = {}
        self._firsts: ByValue | None = None

    def completed(self) -> Iterator[Groups]:
        """The groups, with the end event, that no earlier end event completed."""
        end = self._end
        groups = self._beginnings.nothing.copy()
        for first, length in self.largest():
            groups[0] = self._beginnings.strand(0, first, groups).seen(length)
            if end.is_new(self._completed.get(first), length, groups):
                self._completed[first] = (length, end.order)
                yield (self._beginnings.group((first, length)), (end.event,))
        if len(self._completed) > 2 * SWEEP:
            self._completed = {p: known for p, known in self._completed.items() if p >= end.first}

    def largest(self) -> Iterator[tuple[int, int]]:
        """The groups that the end event may complete, by first place and length, and that no other such group
        contains."""
        law, lane, end = self._law, self._lane, self._end
        stop = bisect_left(lane.order, end.order)
        firsts: Sequence[int] = range(end.first, stop)
        if self._key is not None:
            if self._firsts is None:
                self._firsts = ByValue(lane, self._key[0].other.path)
            known = self._firsts.places(self._key[0].own_key(end.event), self._low)
            firsts = known[bisect_left(known, end.first) : bisect_left(known, stop)]
        plain = not law.chosen[0]
        groups = self._beginnings.nothing.copy()
        lengths: dict[int, int] = {}
        lasts: dict[int, int] = {}
        for n, first in enumerate(firsts):
            if not n % LOOK_EVERY:
                self._look()
            if law.entering[0]:
                groups[0] = (lane.events[first],)
                if not all(c.holds(groups) for c in law.entering[0]):
                    continue
            strand = self._beginnings.strand(0, first, groups)
            length = end.longest(strand, groups)
            if length and not (law.regroups and end.is_hit(strand, length, groups)):
                lengths[first] = length
                lasts[first] = strand.place(length)
                if plain and lasts[first] == stop - 1:
                    # It contains what begins later.
                    break
        if plain:
            counting = widest(list(lengths.items()))
        else:
            paths = self._beginnings.paths[0]
            assert paths is not None
            counting = [
                (p, n) for p, n in lengths.items() if container(p, lasts, paths, end.first) < end.first
            ]
        for first, length in counting:
            if not (law.leads and end.led(lane.order[first])):
                yield first, length
