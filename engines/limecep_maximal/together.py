"""Several patterns whose end events stand in one lane, evaluated at once.

Patterns that `follow` go the same way backwards as far as their steps from the end on are the same: the ways
are a tree, walked only where lanes have something that leads to the end event. The others are asked one by
one, once there is something that the step before their end can have taken.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeVar

from limecep_maximal.bounds import NEVER
from limecep_maximal.chains import leading_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.store.lane import Lane
    from limecep.store.recent import Recent
    from limecep.store.view import View
    from limecep_maximal.contiguity import ContiguousRuns
    from limecep_maximal.evaluator import Evaluator

#: Of so many lanes those are looked for that had an event lately; fewer are looked at one by one.
MANY_LANES = 32

T = TypeVar("T")


class Node:
    """A step of patterns that go the same way from there to the end.

    Attributes:
        need: How many events it needs.
        starts: The patterns whose first step comes right before it, by the lane of that.
        before: The other steps that come right before it.
    """

    __slots__ = ("before", "need", "starts")

    def __init__(self, need: int) -> None:
        self.need = need
        self.starts: dict[Lane, list[int]] = {}
        self.before: dict[Lane, list[Node]] = {}


class Together:
    """Patterns with one alternative and one end step, whose end events stand in one lane, of one window.

    Args:
        asked: Their evaluators and views.
        recent: Knows which lanes had an event lately.
    """

    def __init__(self, asked: Sequence[tuple[Evaluator | ContiguousRuns, View]], recent: Recent) -> None:
        self._asked = asked
        self._recent = recent
        self._ends = asked[0][1].steps[0][asked[0][0].ends[0]]
        self._floor_of = asked[0][1].ordering.floor
        self._root = Node(1)
        #: The others: by the lane of the step before the end, and those where that may be empty.
        self._after: dict[Lane, list[int]] = {}
        self._always: list[int] = []
        for number, (evaluator, view) in enumerate(asked):
            self._add(number, evaluator, view)

    def _add(self, number: int, evaluator: Evaluator | ContiguousRuns, view: View) -> None:
        lanes = view.steps[0]
        if evaluator.follows:
            node = self._root
            for k in range(len(lanes) - 2, 0, -1):
                node = self._node(node.before.setdefault(lanes[k], []), evaluator.needs[k])
            node.starts.setdefault(lanes[0], []).append(number)
        elif evaluator.awaits_step_before:
            self._after.setdefault(lanes[evaluator.ends[0] - 1], []).append(number)
        else:
            self._always.append(number)

    def _node(self, nodes: list[Node], need: int) -> Node:
        for node in nodes:
            if node.need == need:
                return node
        nodes.append(node := Node(need))
        return node

    def counts(self, end: Event) -> list[tuple[int, int | None]]:
        """The patterns that may have matches which end with an event, the last of the lane: how many."""
        found: list[tuple[int, int | None]] = list(self._chains())
        for number in self._others():
            evaluator, view = self._asked[number]
            if (count := evaluator.count(end, view)) != 0:
                found.append((number, count))
        return found

    def matches(self, end: Event) -> Iterator[tuple[int, Iterable[Match]]]:
        """The patterns that may have matches which end with an event, the last of the lane, and these."""
        for number in [*[number for number, _ in self._chains()], *self._others()]:
            evaluator, view = self._asked[number]
            yield number, evaluator.matches(end, view)

    def _others(self) -> list[int]:
        """Those that have to be asked."""
        floor = self._floor_of(self._ends.content.order[-1])
        found = self._always.copy()
        for lane, each in self._near(self._after, floor):
            numbers = lane.content.order
            if numbers and numbers[-1] >= floor:
                found += each
        return found

    def _chains(self) -> list[tuple[int, int]]:
        """Those that follow, with how many matches end with the last event of the lane."""
        found: list[tuple[int, int]] = []
        numbers = self._ends.content.order
        order = numbers[-1]
        floor = self._floor_of(order)
        closed = numbers[-2] if len(numbers) > 1 else NEVER
        self._walk(self._root, max(floor, closed), order, floor, found)
        return found

    def _walk(self, node: Node, low: int, high: int, floor: int, found: list[tuple[int, int]]) -> None:
        """Finds what leads to a step that may take events of a range of order numbers."""
        for lane, starting in self._near(node.starts, low):
            numbers = lane.content.order
            if numbers and numbers[-1] >= low:
                count = bisect_left(numbers, high) - bisect_left(numbers, low)
                if count > 0:
                    for number in starting:
                        found.append((number, count))
        for lane, nodes in self._near(node.before, low):
            numbers = lane.content.order
            if numbers and numbers[-1] >= low:
                for before in nodes:
                    span = leading_to(numbers, before.need, low, high)
                    if span is not None:
                        self._walk(before, max(floor, span[0]), span[1], floor, found)

    def _near(self, by_lane: Mapping[Lane, T], low: int) -> Iterable[tuple[Lane, T]]:
        """What there is of lanes, but for many whose last event is before an order number."""
        if len(by_lane) <= MANY_LANES:
            return by_lane.items()
        return [(lane, by_lane[lane]) for lane in self._recent.since(low) if lane in by_lane]
