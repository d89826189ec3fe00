"""STAM with conditions between variables: the single events these name are chosen first.

With them fixed, a condition such as `b[i].v > a.v` is one more filter of the group's lane, whatever the order
of the steps, and what is left is an alternative with tight pairs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.store.lane import Content

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Ordering


class Pins:
    """Which steps are chosen first, and which conditions that decides."""

    def __init__(self, alternative: Alternative) -> None:
        crossing = [c for c in alternative.conditions if c.pair is None]
        quantifiers = [s.quantifier for s in alternative.steps]
        self.size = len(quantifiers)
        named = {k for c in crossing for k in c.steps}
        self.pinned = sorted((k for k in named if quantifiers[k].single), reverse=True)
        self.groups = sorted(k for k in named if not quantifiers[k].single)
        self.possible = all(c.cross for c in crossing) and all(quantifiers[k].maximum is None for k in self.groups)
        single = set(self.pinned)
        #: By pinned step: the conditions decided once it and those after it are chosen.
        self.decided = {
            k: tuple(c for c in crossing if single.issuperset(c.steps) and min(c.steps) == k) for k in self.pinned
        }
        #: By group step: the conditions that filter its lane.
        self.filters = {k: tuple(c for c in crossing if k in c.steps) for k in self.groups}

    def choices(
        self, steps: Sequence[Content], ordering: Ordering, end: Event, end_step: int
    ) -> Iterator[Sequence[Content]]:
        """The lanes for every choice of the pinned events, within the window that ends with `end`."""
        groups: list[Sequence[Event]] = [()] * self.size
        yield from self._choose(0, list(steps), ordering, groups, end, end_step)

    def _choose(
        self,
        n: int,
        lanes: list[Content],
        ordering: Ordering,
        groups: list[Sequence[Event]],
        end: Event,
        end_step: int,
    ) -> Iterator[Sequence[Content]]:
        if n == len(self.pinned):
            yield self._filtered(lanes, ordering, groups, end)
            return
        step = self.pinned[n]
        content = lanes[step]
        right = self.pinned[n - 1] if n else None
        if step == end_step:
            candidates = [end]
        else:
            limit = ordering.of(groups[right][0] if right is not None else end)
            low = bisect_left(content.order, ordering.floor(ordering.of(end)))
            candidates = content.events[low : bisect_left(content.order, limit)]
        for event in candidates:
            groups[step] = (event,)
            if all(c.holds(groups) for c in self.decided[step]):
                lanes[step] = Content([ordering.of(event)], [event])
                yield from self._choose(n + 1, lanes, ordering, groups, end, end_step)
        groups[step] = ()
        lanes[step] = content

    def _filtered(
        self, lanes: list[Content], ordering: Ordering, groups: list[Sequence[Event]], end: Event
    ) -> Sequence[Content]:
        end_order = ordering.of(end)
        chosen = list(lanes)
        for step in self.groups:
            content = lanes[step]
            low = bisect_left(content.order, ordering.floor(end_order))
            high = bisect_right(content.order, end_order)
            kept = []
            for i in range(low, high):
                groups[step] = (content.events[i],)
                if all(c.holds(groups) for c in self.filters[step]):
                    kept.append(i)
            groups[step] = ()
            chosen[step] = Content([content.order[i] for i in kept], [content.events[i] for i in kept])
        return chosen
