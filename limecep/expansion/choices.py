"""What may be chosen of the groups of a match, by the quantifiers and conditions of an alternative.

What holds for a group if it holds for each of its events, such as `b[i].v > a.v`, holds for every choice,
since it holds for the match. Only conditions on neighbours and on whole groups have to be looked at again.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Condition

Groups = tuple[tuple["Event", ...], ...]


class Choices:
    """The choices of one alternative.

    Attributes:
        alternative: The alternative.
        countable: Whether choices of one group do not depend on those of others, nor on the group as a whole.
    """

    def __init__(self, alternative: Alternative) -> None:
        self.alternative = alternative
        size = len(alternative.steps)
        self._quantifiers = [s.quantifier for s in alternative.steps]
        self._neighbours = [
            [c.pair for c in alternative.conditions if c.pair is not None and c.steps == (k,)]
            for k in range(size)
        ]
        whole = [c for c in alternative.conditions if c.pair is None and not c.cross]
        #: By the last step that they name.
        self._whole: list[list[Condition]] = [[c for c in whole if c.steps[-1] == k] for k in range(size)]
        self.countable = not whole

    def of(self, groups: Groups) -> Iterator[Groups]:
        """Every choice that is a match. Of those that agree in the groups before, larger groups come first
        where they have the same beginning."""
        chosen: list[Sequence[Event]] = [()] * len(groups)
        for _ in self._from(0, groups, chosen):
            if any(chosen):
                yield tuple(map(tuple, chosen))

    def allow(self, groups: Groups) -> bool:
        """Whether groups that are part of a match are one."""
        return all(
            self._fits(k, len(group))
            and all(pair(a, b) for pair in self._neighbours[k] for a, b in pairwise(group))
            and all(c.holds(groups) for c in self._whole[k])
            for k, group in enumerate(groups)
        )

    def count(self, groups: Groups) -> int:
        """How many choices of groups are matches, if they are `countable`."""
        ways = 1
        for step, group in enumerate(groups):
            ways *= self._count_group(step, group)
        return ways - all(q.minimum == 0 for q in self._quantifiers)

    def _from(self, step: int, groups: Groups, chosen: list[Sequence[Event]]) -> Iterator[None]:
        """Makes every choice for the groups from a step on."""
        if step == len(groups):
            yield
            return
        for group in self._of_group(step, groups[step], chosen):
            chosen[step] = group
            # The step's conditions are decided now: the group is as it will be.
            if all(c.holds(chosen) for c in self._whole[step]):
                yield from self._from(step + 1, groups, chosen)
        chosen[step] = ()

    def _of_group(
        self, step: int, group: Sequence[Event], chosen: list[Sequence[Event]]
    ) -> Iterator[tuple[Event, ...]]:
        """Every choice of one group that its quantifier and neighbours allow."""
        quantifier, neighbours = self._quantifiers[step], self._neighbours[step]
        taken: list[int] = []
        place = 0
        while True:
            if place < len(group) and (quantifier.maximum is None or len(taken) < quantifier.maximum):
                event = group[place]
                if not taken or all(pair(group[taken[-1]], event) for pair in neighbours):
                    chosen[step] = (*(group[i] for i in taken), event)
                    if all(c.allows(chosen, step) for c in self._whole[step]):
                        taken.append(place)
                place += 1
                continue
            if len(taken) >= quantifier.minimum:
                yield tuple([group[i] for i in taken])
            if not taken:
                return
            place = taken.pop() + 1

    def _count_group(self, step: int, group: Sequence[Event]) -> int:
        """How many choices of one group there are."""
        least, most = self._quantifiers[step].minimum, self._quantifiers[step].maximum
        if not self._neighbours[step]:
            sizes = range(least) if most is None else range(least, most + 1)
            counted = sum(comb(len(group), size) for size in sizes)
            return 2 ** len(group) - counted if most is None else counted
        # By event and number of events: how many choices end with it. What is more than enough is all one.
        enough = max(least, 1) if most is None else most
        ending: list[list[int]] = []
        for event in group:
            ways = [0] * (enough + 1)
            ways[1] = 1
            for before, known in zip(group, ending, strict=False):
                if all(pair(before, event) for pair in self._neighbours[step]):
                    for size in range(1, enough):
                        ways[size + 1] += known[size]
                    if most is None:
                        ways[enough] += known[enough]
            ending.append(ways)
        return (least == 0) + sum(ways[size] for ways in ending for size in range(max(least, 1), enough + 1))

    def _fits(self, step: int, size: int) -> bool:
        quantifier = self._quantifiers[step]
        return quantifier.minimum <= size and (quantifier.maximum is None or size <= quantifier.maximum)
