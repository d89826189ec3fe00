"""STAM with conditions between variables: the single events these name are chosen first.

With them fixed, a condition such as `b[i].v > a.v` is one more filter of the group's lane, whatever the order
of the steps, one such as `last(b).v > a.v` is about the group alone (see `spans`), and what a negated step is
compared with is known. What is left is an alternative with tight pairs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from limecep.model.expression import Attribute, Position
from limecep.plan.expressions import references
from limecep.plan.forms import equal_neighbours, equalities, other_key
from limecep.store.lane import Content
from limecep_maximal.hits import Forbidding, Hits
from limecep_maximal.paths import ALWAYS
from limecep_maximal.spans import Demands, Spans, settled_by_ends
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.forms import Equality
    from limecep.plan.plan import Alternative, Condition
    from limecep.store.lane import Ordering

    Key = tuple[Equality, Callable[[Sequence[Sequence[Event]]], Hashable]]

_ENDS = (Position(1), Position(-1))


class Pins:
    """Which steps are chosen first, and which conditions that decides.

    Attributes:
        possible: Whether choosing single events first leaves an alternative with tight pairs.
        pinned: The steps that are chosen first, the last one first.
        demands: By step, the conditions on its group that the ends of the group settle.
    """

    def __init__(self, alternative: Alternative) -> None:
        steps, conditions = alternative.steps, alternative.conditions
        quantifiers = [s.quantifier for s in steps]
        self._variables = [s.variable for s in steps]
        self.size = len(quantifiers)
        self._minima = [q.minimum for q in quantifiers]
        self._equal = {c.steps[0]: equal_neighbours(c.expression) for c in conditions if c.pair is not None}
        spanned: dict[int, list[Condition]] = {}
        #: By step, conditions on its first event and the last of the group before.
        self.edges: dict[int, list[Condition]] = {}
        crossing = []
        self.possible = True
        for c in conditions:
            if c.pair is not None:
                continue
            groups = [k for k in c.steps if not quantifiers[k].single]
            if self._is_edge(c, alternative):
                self.edges.setdefault(groups[1], []).append(c)
            elif any(quantifiers[k].maximum is not None for k in groups) or len(groups) > 1:
                self.possible = False
            elif c.cross or (groups and self._alike(c, groups[0])):
                crossing.append(c)
            elif (
                groups
                and quantifiers[groups[0]].minimum
                and groups[0] not in self._equal
                and settled_by_ends(c.expression, self._variables[groups[0]])
            ):
                spanned.setdefault(groups[0], []).append(c)
            else:
                self.possible = False
        if any(k in spanned or k - 1 in spanned for k in self.edges):
            self.possible = False
        self.demands = {k: Demands.of(k, self._variables[k], found) for k, found in spanned.items()}
        named = {k for c in crossing for k in c.steps}
        self.groups = sorted(k for k in named if not quantifiers[k].single)
        named.update(k for found in spanned.values() for c in found for k in c.steps)
        #: The negated steps whose conditions name others.
        self.compared = [n for n, x in enumerate(alternative.negations) if x.hits is not None]
        named.update(k for n in self.compared for k in alternative.negations[n].names)
        if any(not quantifiers[k].single for n in self.compared for k in alternative.negations[n].names):
            self.possible = False
        self.forbidding = [Forbidding(alternative, n) for n in alternative.negations]
        self.pinned = sorted((k for k in named if quantifiers[k].single), reverse=True)
        single = set(self.pinned)
        #: By pinned step: the conditions decided once it and those after it are chosen.
        self.decided = {
            k: tuple(c for c in crossing if single.issuperset(c.steps) and min(c.steps) == k)
            for k in self.pinned
        }
        #: By pinned step: an equality by which it is found.
        self.keys = {k: self._key(k) for k in self.pinned}
        #: By group step: the conditions that filter its lane.
        self.filters = {k: tuple(c for c in crossing if k in c.steps) for k in self.groups}
        #: By group step: the pinned steps these name.
        self.naming = {
            k: tuple(sorted({s for c in self.filters[k] for s in c.steps} - {k})) for k in self.groups
        }

    def _is_edge(self, condition: Condition, alternative: Alternative) -> bool:
        """Whether it is about the last event of one group and the first of the next, and nothing else is."""
        if len(condition.steps) != 2 or condition.steps[1] != condition.steps[0] + 1:
            return False
        left, right = condition.steps
        quantifiers = [alternative.steps[k].quantifier for k in condition.steps]
        wanted = {self._variables[left]: Position(-1), self._variables[right]: Position(1)}
        return (
            all(q.maximum is None and q.minimum > 0 for q in quantifiers)
            and left not in self._equal
            and right not in self._equal
            and not any(n.after == right for n in alternative.negations)
            and all(
                isinstance(r, Attribute) and r.index == wanted.get(r.variable)
                for r in references(condition.expression)
            )
        )

    def _alike(self, condition: Condition, step: int) -> bool:
        """Whether of a group whose events have one value it names that of the first or last, which is there:
        each has it."""
        path = self._equal.get(step)
        return (
            path is not None
            and self._minima[step] > 0
            and all(
                isinstance(r, Attribute) and r.index in _ENDS and r.path == path
                for r in references(condition.expression)
                if r.variable == self._variables[step]
            )
        )

    def _key(self, step: int) -> Key | None:
        places = {v: k for k, v in enumerate(self._variables)}
        decided = [c.expression for c in self.decided[step]]
        for equality in equalities(decided, self._variables[step], places):
            return equality, other_key(equality, places)
        return None

    def choices(
        self,
        steps: Sequence[Content],
        negations: Sequence[Content],
        ordering: Ordering,
        place: int,
        end_step: int,
        memo: Filtered,
        starts: tuple[int, int],
        raise_if_stopped: Callable[[], None],
    ) -> Iterator[Choice]:
        """Every choice of the pinned events, within the window that ends with the event at a place of the
        lane of a step, of matches that start between two order numbers."""
        groups: list[Sequence[Event]] = [()] * self.size
        order = steps[end_step].order[place]
        floor = ordering.floor(order)
        memo.forget(floor)
        window = _Window(ordering, place, order, end_step, floor, starts, memo, negations, raise_if_stopped)
        yield from self._choose(0, list(steps), groups, window)

    def _choose(
        self, n: int, lanes: list[Content], groups: list[Sequence[Event]], window: _Window
    ) -> Iterator[Choice]:
        if n == len(self.pinned):
            filtered = self._filtered(lanes, groups, window)
            yield Choice(filtered, self._forbidding(groups, window), groups)
            return
        window.raise_if_stopped()
        step = self.pinned[n]
        content = lanes[step]
        before = window.order if n == 0 else lanes[self.pinned[n - 1]].order[0]
        for place in self._candidates(step, content, groups, before, window):
            event = content.events[place]
            groups[step] = (event,)
            if all(c.holds(groups) for c in self.decided[step]):
                lanes[step] = Content([content.order[place]], [event], revised=content.revised)
                yield from self._choose(n + 1, lanes, groups, window)
        groups[step] = ()
        lanes[step] = content

    def _candidates(
        self, step: int, content: Content, groups: list[Sequence[Event]], before: int, window: _Window
    ) -> Sequence[int]:
        """The places of the events that a pinned step may take, those after it being chosen."""
        if step == window.end_step:
            return (window.place,)
        floor = window.floor
        if step == 0:
            floor, before = max(floor, window.starts[0]), min(before, window.starts[1])
        low = bisect_left(content.order, floor)
        high = bisect_left(content.order, before)
        key = self.keys[step]
        if key is None:
            return range(low, high)
        places = window.memo.by_value(step, key[0].path, content).places(
            key[1](groups), bisect_left(content.order, window.floor)
        )
        return places[bisect_left(places, low) : bisect_left(places, high)]

    def _filtered(
        self, lanes: list[Content], groups: list[Sequence[Event]], window: _Window
    ) -> Sequence[Content]:
        chosen = list(lanes)
        for step in self.groups:
            pins = tuple([groups[k][0] for k in self.naming[step]])
            orders = [lanes[k].order[0] for k in self.naming[step]]
            if window.end_step in self.naming[step]:
                # What depends on the end event serves for this one evaluation.
                place = bisect_left(lanes[step].order, window.floor)
                lane = FilteredLane(place, revised=lanes[step].revised)
            else:
                lane = window.memo.lane(step, pins, orders, lanes[step], window.ordering)
            lane.catch_up(lanes[step], step, groups, self.filters[step], window.order)
            chosen[step] = lane.content
        return chosen

    def spans(self, choice: Choice, minimum: Sequence[int], floor: int) -> dict[int, Spans]:
        """By step, the groups that meet the conditions on their ends, in a window that begins at an order
        number."""
        lanes = choice.lanes
        return {
            k: Spans(demands, lanes[k], choice.groups.copy(), minimum[k], bisect_left(lanes[k].order, floor))
            for k, demands in self.demands.items()
        }

    def _forbidding(self, groups: list[Sequence[Event]], window: _Window) -> Sequence[Content]:
        """The lanes of the negated steps: of those that are compared, what hits."""
        lanes = list(window.negations)
        for n in self.compared:
            content = lanes[n]
            low = bisect_left(content.order, window.floor)
            high = bisect_right(content.order, window.ordering.ceiling(window.order))
            places = window.memo.hits(n, self.forbidding[n], content).hitting(low, high, groups)
            lanes[n] = Content([content.order[p] for p in places], [content.events[p] for p in places])
        return lanes


class Choice(NamedTuple):
    """The lanes once the pinned events are chosen, and the groups they make."""

    lanes: "Sequence[Content]"
    negations: "Sequence[Content]"
    groups: list[Sequence[Event]]


class _Window(NamedTuple):
    """What all choices of one evaluation share."""

    ordering: "Ordering"
    place: int
    order: int
    end_step: int
    floor: int
    starts: tuple[int, int]
    memo: "Filtered"
    negations: "Sequence[Content]"
    raise_if_stopped: Callable[[], None]


class FilteredLane:
    """The events of a group step that go with some choice of pinned events."""

    def __init__(self, place: int, *, revised: bool) -> None:
        # As of the lane: it is by that that ranges, which outlast this, are told apart.
        self.content = Content([], [], revised=revised)
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
    """What is kept between evaluations: filtered lanes, while their pinned events are in the window, and
    lanes by value."""

    def __init__(self) -> None:
        self._lanes: dict[tuple[int, ...], tuple[int, FilteredLane]] = {}
        self._by_value: dict[int, ByValue] = {}
        self._hits: dict[int, Hits] = {}
        self._sweep_at = 1024

    def by_value(self, step: int, path: tuple[str, ...], content: Content) -> ByValue:
        """The lane of a step by the values of an attribute."""
        known = self._by_value.get(step)
        if known is None:
            known = self._by_value[step] = ByValue(content, path)
        return known

    def hits(self, number: int, forbidding: Forbidding, content: Content) -> Hits:
        """The lane of a negated step."""
        known = self._hits.get(number)
        if known is None:
            known = self._hits[number] = Hits(forbidding, content, 0)
        return known

    def lane(
        self,
        step: int,
        pins: tuple[Event, ...],
        orders: Sequence[int],
        content: Content,
        ordering: Ordering,
    ) -> FilteredLane:
        """The lane of a step for some pinned events with these order numbers."""
        key = (step, *[e.ordinal for e in pins])
        known = self._lanes.get(key)
        if known is None:
            # Any window that holds the pinned events begins no earlier than W before the last of them.
            place = bisect_left(content.order, ordering.floor(max(orders))) if orders else 0
            lane = FilteredLane(place, revised=content.revised)
            known = self._lanes[key] = (min(orders, default=ALWAYS), lane)
        return known[1]

    def forget(self, floor: int) -> None:
        """Drops, now and then, the lanes whose pinned events have left the window."""
        if len(self._lanes) > self._sweep_at:
            self._lanes = {k: v for k, v in self._lanes.items() if v[0] >= floor}
            self._sweep_at = max(1024, 2 * len(self._lanes))
