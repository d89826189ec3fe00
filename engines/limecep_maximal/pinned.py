"""STAM with conditions between variables: the single events these name are chosen first.

With them fixed, a condition such as `b[i].v > a.v` is one more filter of the group's lane, whatever the order
of the steps, and what is left is an alternative with tight pairs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.store.lane import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Condition
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
        self.possible = all(c.cross for c in crossing) and all(
            quantifiers[k].maximum is None for k in self.groups
        )
        single = set(self.pinned)
        #: By pinned step: the conditions decided once it and those after it are chosen.
        self.decided = {
            k: tuple(c for c in crossing if single.issuperset(c.steps) and min(c.steps) == k)
            for k in self.pinned
        }
        #: By group step: the conditions that filter its lane.
        self.filters = {k: tuple(c for c in crossing if k in c.steps) for k in self.groups}
        #: By group step: the pinned steps these name.
        self.naming = {
            k: tuple(sorted({s for c in self.filters[k] for s in c.steps} - {k})) for k in self.groups
        }

    def choices(
        self,
        steps: Sequence[Content],
        ordering: Ordering,
        end: Event,
        end_step: int,
        memo: Filtered,
        raise_if_stopped: Callable[[], None],
    ) -> Iterator[Sequence[Content]]:
        """The lanes for every choice of the pinned events, within the window that ends with `end`."""
        groups: list[Sequence[Event]] = [()] * self.size
        floor = ordering.floor(ordering.of(end))
        memo.forget(floor)
        window = _Window(ordering, end, end_step, floor, memo, raise_if_stopped)
        yield from self._choose(0, list(steps), groups, window)

    def _choose(
        self, n: int, lanes: list[Content], groups: list[Sequence[Event]], window: _Window
    ) -> Iterator[Sequence[Content]]:
        if n == len(self.pinned):
            yield self._filtered(lanes, groups, window)
            return
        window.raise_if_stopped()
        step = self.pinned[n]
        content = lanes[step]
        if step == window.end_step:
            candidates = [window.end]
        else:
            right = groups[self.pinned[n - 1]][0] if n else window.end
            low = bisect_left(content.order, window.floor)
            candidates = content.events[low : bisect_left(content.order, window.ordering.of(right))]
        for event in candidates:
            groups[step] = (event,)
            if all(c.holds(groups) for c in self.decided[step]):
                lanes[step] = Content([window.ordering.of(event)], [event])
                yield from self._choose(n + 1, lanes, groups, window)
        groups[step] = ()
        lanes[step] = content

    def _filtered(
        self, lanes: list[Content], groups: list[Sequence[Event]], window: _Window
    ) -> Sequence[Content]:
        chosen = list(lanes)
        for step in self.groups:
            pins = tuple([groups[k][0] for k in self.naming[step]])
            if window.end_step in self.naming[step]:
                # What depends on the end event serves for this one evaluation.
                lane = FilteredLane(bisect_left(lanes[step].order, window.floor))
            else:
                lane = window.memo.lane(step, pins, lanes[step], window.ordering)
            lane.catch_up(lanes[step], step, groups, self.filters[step], window.ordering.of(window.end))
            chosen[step] = lane.content
        return chosen


@dataclass(frozen=True, slots=True)
class _Window:
    """What all choices of one evaluation share."""

    ordering: Ordering
    end: Event
    end_step: int
    floor: int
    memo: Filtered
    raise_if_stopped: Callable[[], None]


class FilteredLane:
    """The events of a group step that go with some choice of pinned events."""

    def __init__(self, place: int) -> None:
        self.content = Content([], [])
        self._place = place

    def catch_up(
        self,
        lane: Content,
        step: int,
        groups: list[Sequence[Event]],
        conditions: Sequence[Condition],
        order: int,
    ) -> None:
        """Takes in the events of the lane up to an order number that were not looked at yet."""
        stop = bisect_right(lane.order, order)
        for place in range(self._place, stop):
            event = lane.events[place]
            groups[step] = (event,)
            if all(c.holds(groups) for c in conditions):
                self.content.order.append(lane.order[place])
                self.content.events.append(event)
        groups[step] = ()
        self._place = max(self._place, stop)


class Filtered:
    """Filtered lanes kept between evaluations, while their pinned events are in the window."""

    def __init__(self) -> None:
        self._lanes: dict[tuple[int, ...], tuple[int, FilteredLane]] = {}
        self._sweep_at = 1024

    def lane(self, step: int, pins: tuple[Event, ...], content: Content, ordering: Ordering) -> FilteredLane:
        """The lane of a step for some pinned events."""
        key = (step, *[e.ordinal for e in pins])
        known = self._lanes.get(key)
        if known is None:
            orders = [ordering.of(e) for e in pins]
            # Any window that holds the pinned events begins no earlier than W before the last of them.
            place = bisect_left(content.order, ordering.floor(max(orders)))
            known = self._lanes[key] = (min(orders), FilteredLane(place))
        return known[1]

    def forget(self, floor: int) -> None:
        """Drops, now and then, the lanes whose pinned events have left the window."""
        if len(self._lanes) > self._sweep_at:
            self._lanes = {k: v for k, v in self._lanes.items() if v[0] >= floor}
            self._sweep_at = max(1024, 2 * len(self._lanes))
