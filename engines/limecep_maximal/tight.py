"""Maximal matches without trying combinations: groups bounded by tight pairs.

A match is maximal where nothing can be put in. Between two neighbouring groups that is a matter of the pair
(x last of the left one, y first of the right one) alone: no event can be appended to the left group before y,
none put before y after x, none of a skipped optional step stands between them. Each of these says that x is
not before some event, so together they are one lower bound for x. Negation says the same, and adding events
never takes a hit away, so a match that is hit is hit in every smaller form.

The enumeration goes backwards from the end event. Plain groups are ranges of their lane; where neighbours
must satisfy a condition, they are paths (see `paths`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.match import Group, Range
from limecep_maximal.paths import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.paths import Paths

#: Before every order number.
NEVER = -(1 << 200)

Groups = tuple[Group, ...]


class Shape:
    """What of an alternative does not change from window to window."""

    __slots__ = (
        "begins_plainly",
        "kleene",
        "minimum",
        "negations",
        "next_match",
        "optional",
        "first_mandatory",
        "may_close",
        "plain_gap",
        "plain_start",
        "precedes",
        "size",
        "trails",
    )

    def __init__(self, alternative: Alternative, *, next_match: bool) -> None:
        quantifiers = [s.quantifier for s in alternative.steps]
        self.size = len(quantifiers)
        self.kleene = tuple(q.maximum is None for q in quantifiers)
        self.optional = tuple(q.minimum == 0 for q in quantifiers)
        self.minimum = tuple(max(1, q.minimum) for q in quantifiers)
        self.next_match = next_match
        #: For each gap (before step 0, 1, ..., after the last), the negated steps in it.
        self.negations = tuple(
            tuple(n for n, neg in enumerate(alternative.negations) if neg.after == gap)
            for gap in range(self.size + 1)
        )
        #: The first step that must take something; which of those up to it can be put before a start; and
        #: whether nothing can, and nothing forbids one.
        self.first_mandatory = next((k for k in range(self.size) if not self.optional[k]), self.size - 1)
        self.precedes = tuple(self.optional[k] or self.kleene[k] for k in range(self.size))
        self.plain_start = not (
            self.precedes[0] or any(self.negations[gap] for gap in range(self.first_mandatory + 1))
        )
        #: For each step, whether nothing need follow it but the end event.
        self.may_close = tuple(all(self.optional[k + 1 : self.size - 1]) for k in range(self.size))
        #: Whether a negated step stands after what can be the last event.
        self.trails = any(self.negations[gap] for gap in range(alternative.ends[0] + 1, self.size + 1))
        #: For each step, whether the one before it must take something, with no negation between.
        self.plain_gap = tuple(
            k > 0 and not self.optional[k - 1] and not self.negations[k] for k in range(self.size)
        )
        #: Whether the first step stands alone: it must take something, under no condition on neighbours, and
        #: with no negation on either side.
        self.begins_plainly = (
            self.size > 1
            and not self.optional[0]
            and not self.negations[0]
            and not self.negations[1]
            and not any(c.pair is not None and c.steps == (0,) for c in alternative.conditions)
        )

    @property
    def completes_simply(self) -> bool:
        """Whether rule (c) of SEMANTICS 7 needs no more than the previous end event.

        A start counts for the end events from its predecessor + W to its own + W. While it does, every run is
        completed at the first end event after its last group began. Optional steps, negation at the ends of
        the pattern and just before the end event make that more than a matter of two numbers.
        """
        return not (
            any(self.optional)
            or self.negations[0]
            or self.negations[self.size - 1]
            or self.negations[self.size]
        )


class Window:
    """One evaluation: the matches that end with one event, on the lanes as they are."""

    __slots__ = (
        "budget",
        "earliest",
        "first_start",
        "floor",
        "end_order",
        "ends",
        "negations",
        "previous",
        "ordering",
        "paths",
        "shape",
        "start_below",
        "start_may_be_new",
        "steps",
    )

    def __init__(
        self,
        shape: Shape,
        steps: Sequence[Content],
        negations: Sequence[Content],
        ordering: Ordering,
        paths: Sequence[Paths | None],
        budget: int,
    ) -> None:
        self.shape = shape
        self.steps = steps
        self.negations = negations
        self.ordering = ordering
        self.paths = paths
        self.budget = budget
        self.start_below = ALWAYS
        # Rule (c), see `_completed`: the place of the previous end event (-1: nothing is left out), and whether
        # a start may count that did not then.
        self.previous = -1
        self.start_may_be_new = False

    def ending(self, place: int, step: int, *, completing: bool) -> Iterator[Groups]:
        """The matches whose last event is the one at `place` of the lane of `step`.

        Args:
            place: An index into that lane.
            step: The step it is taken by; later ones are empty.
            completing: Whether to leave out, by rule (c), what an earlier end event completed.
        """
        shape = self.shape
        content = self.steps[step]
        order = self.end_order = content.order[place]
        self.floor = self.ordering.floor(order)
        self.ends = content.order
        if completing and step and place:
            self.previous = place - 1
            self._look_back(content.order[place - 1], order)
        if self.previous >= 0 and shape.plain_start:
            # So little is left to look at that it is not worth finding out where it cannot begin.
            self.first_start = bisect_left(self.steps[0].order, self.floor)
            self.earliest = [self.floor] * (step + 1)
        elif not self._reachable(step, order):
            return iter(())
        if shape.trails:
            self._look_behind(step, order)
        tail: Groups = ((),) * (shape.size - step - 1)
        if shape.kleene[step]:
            if self.paths[step] is None:
                return self._ranges(step, place, order, tail, since=NEVER)
            return self._paths(step, range(place, place + 1), NEVER, tail, since=NEVER)
        free = step == shape.size - 1 and not shape.optional[step]
        front = NEVER if free or not shape.next_match or place == 0 else content.order[place - 1]
        return self._left(step, order, front, NEVER, ((content.events[place],), *tail), since=NEVER)

    def _look_back(self, previous: int, order: int) -> None:
        """Finds what rule (c) has to know of the time since the previous end event."""
        shape = self.shape
        for n in shape.negations[-1]:
            # What an event after the last one forbids is no match, and completes nothing.
            hits = self.negations[n].order
            i = bisect_right(hits, order)
            if i and hits[i - 1] > previous:
                self.previous = -1
                return
        if shape.plain_start:
            return
        # Some start may count now that did not then: what could be put before it, or forbade it, has left the
        # window since.
        floor_then = self.ordering.floor(previous)
        lanes = [self.steps[k].order for k in range(shape.first_mandatory + 1) if shape.precedes[k]]
        lanes += [
            self.negations[n].order for gap in range(shape.first_mandatory + 1) for n in shape.negations[gap]
        ]
        self.start_may_be_new = any(
            bisect_left(numbers, floor_then) < bisect_left(numbers, self.floor) for numbers in lanes
        )

    def _before(self, step: int, right: int) -> int:
        """The place of the last end event that could have closed a group of this step, if the next group begins
        at an order number; -1 if there is none."""
        if self.previous < 0 or not self.shape.may_close[step]:
            return -1
        if right == self.end_order:
            return self.previous
        return min(self.previous, bisect_right(self.ends, right) - 1)

    def _completed(self, step: int, place: int, last: Callable[[int], int], enough: int) -> int:
        """Rule (c) for a group that nothing need follow but the end event.

        An earlier end event completed the match if the part of it before that event was a match there: if the
        group had enough by then, nothing of a skipped or negated step stood between its last event then and
        that end event, and the start counted there.

        Args:
            step: The group's step.
            place: The last end event to look at.
            last: The order number of the group's last event before an order number.
            enough: That of the event with which the group has enough.

        Returns:
            The floor of the window of the latest such end event: the match is left out if its start counted
            there. `NEVER` if there is none.
        """
        ends, shape = self.ends, self.shape
        hazards = [self.steps[k].order for k in range(step + 1, shape.size - 1)]
        hazards += [
            self.negations[n].order for gap in range(step + 1, shape.size) for n in shape.negations[gap]
        ]
        while place >= 0 and ends[place] > enough:
            at = ends[place]
            x = last(at)
            if all(bisect_right(h, x) >= bisect_left(h, at) for h in hazards):
                return self.ordering.floor(at)
            place -= 1
        return NEVER

    def _completed_range(
        self, step: int, place: int, right: int, numbers: Sequence[int], enough: int, stop: int
    ) -> int:
        """`_completed` for the range that has enough with the event at a place, and ends before another."""
        if place < 0 or numbers[enough] >= self.ends[place]:
            return NEVER
        if right == self.end_order and numbers[stop - 1] < self.ends[place]:
            return self.ordering.floor(self.ends[place])
        return self._completed(
            step, place, lambda at: numbers[min(bisect_left(numbers, at), stop) - 1], numbers[enough]
        )

    def _completed_path(
        self, step: int, place: int, numbers: Sequence[int], path: Path, need: int
    ) -> int:
        """`_completed` for a path."""
        enough = numbers[_nth(path, need)]
        if place < 0 or enough >= self.ends[place]:
            return NEVER
        orders = [numbers[i] for i in _places(path)]
        return self._completed(step, place, lambda at: orders[bisect_left(orders, at) - 1], enough)

    def _reachable(self, step: int, order: int) -> bool:
        """Finds for every step the earliest event that what must stand before it leaves room for."""
        shape = self.shape
        start = self.first_start = bisect_left(self.steps[0].order, self.floor)
        after = self.floor - 1
        earliest = self.earliest = []
        for k in range(step + 1):
            earliest.append(after + 1)
            if k == step:
                break
            if shape.optional[k]:
                continue
            numbers = self.steps[k].order
            i = (bisect_right(numbers, after) if k else start) + shape.minimum[k] - 1
            if i >= len(numbers) or numbers[i] >= order:
                return False
            after = numbers[i]
        return True

    def _look_behind(self, step: int, order: int) -> None:
        """Finds which starts an event of a negated step after the last one forbids: those not before
        `start_below`."""
        for gap in range(step + 1, self.shape.size + 1):
            for n in self.shape.negations[gap]:
                hits = self.negations[n].order
                i = bisect_right(hits, order)
                if i < len(hits):
                    self.start_below = min(self.start_below, self.ordering.floor(hits[i]))

    def _left(
        self, step: int, first: int, front: int, before: int, tail: Groups, *, since: int
    ) -> Iterator[Groups]:
        """Completes a match leftwards.

        Args:
            step: The leftmost group so far belongs to it; `tail` holds that group and those after it.
            first: The order number of its first event.
            front: No event of the group to the left may end before this: else one could be put in front.
            before: The order number of the latest event that could be put in front were this the start.
            since: By rule (c) the match is left out if nothing from this order number on could be put in front
                of it: its start counted at the end event that completed it. `NEVER` keeps it.
        """
        shape = self.shape
        if step == 1 and shape.begins_plainly:
            return self._begin(first, front, tail, since=since)
        if shape.plain_gap[step]:
            return self._group(step - 1, first, front, tail, since=since)
        return self._widely(step, first, front, before, tail, since=since)

    def _widely(
        self, step: int, first: int, front: int, before: int, tail: Groups, *, since: int
    ) -> Iterator[Groups]:
        """Completes a match leftwards over negated and skipped steps."""
        shape = self.shape
        bound = barrier = NEVER
        for left in range(step - 1, -2, -1):
            for n in shape.negations[left + 1]:
                hits = self.negations[n].order
                i = bisect_left(hits, first)
                if i:
                    bound = max(bound, hits[i - 1])
                    barrier = max(barrier, hits[i - 1])
            if left < 0:
                break
            yield from self._group(left, first, max(bound, front), tail, since=since)
            if not shape.optional[left]:
                return
            numbers = self.steps[left].order
            i = bisect_left(numbers, first)
            if i:
                bound = max(bound, numbers[i - 1])
                # An event of a skipped step makes a larger match only if `first` is what follows it.
                if numbers[i - 1] >= front:
                    barrier = max(barrier, numbers[i - 1])
            tail = ((), *tail)
        if (
            barrier < self.floor
            and before < self.floor
            and max(barrier, before) >= since
            and first < self.start_below
        ):
            yield tail

    def _begin(self, right: int, bound: int, tail: Groups, *, since: int) -> Iterator[Groups]:
        """The first groups of a match, where the first step must take something, without negation around it
        and without conditions on neighbours. The general way gives the same; most matches come from here."""
        content = self.steps[0]
        numbers = content.order
        stop = bisect_left(numbers, right)
        start = self.first_start
        below = self.start_below
        earlier = self._before(0, right)
        if self.shape.kleene[0]:
            need = self.shape.minimum[0]
            if stop - start < need or numbers[stop - 1] < bound or numbers[start] >= below:
                return
            since = max(since, self._completed_range(0, earlier, right, numbers, start + need - 1, stop))
            if since == NEVER or (start and numbers[start - 1] >= since):
                yield (Range(content, start, stop, len(content.late)), *tail)
            return
        if since != NEVER:
            return
        if earlier >= 0 and right == self.end_order:
            bound = max(bound, self.ends[earlier])
            earlier = -1
        events = content.events
        for i in range(max(start, bisect_left(numbers, bound)), stop):
            at = numbers[i]
            if at < below and (earlier < 0 or self._completed(0, earlier, lambda _, x=at: x, at) == NEVER):  # type: ignore[misc]
                yield ((events[i],), *tail)

    def _group(self, step: int, right: int, bound: int, tail: Groups, *, since: int) -> Iterator[Groups]:
        """The groups of a step that end at `bound` or later, and before `right`, the next group's first
        event."""
        numbers = self.steps[step].order
        stop = bisect_left(numbers, right)
        low = max(bound, self.earliest[step])
        if not stop or numbers[stop - 1] < low:
            return iter(())
        if not self.shape.kleene[step]:
            return self._singles(step, low, stop, right, tail, since=since)
        if self.paths[step] is None:
            return self._ranges(step, stop - 1, right, tail, since=since)
        lasts = range(stop - 1, bisect_left(numbers, low, 0, stop) - 1, -1)
        return self._paths(step, lasts, right, tail, since=since)

    def _singles(
        self, step: int, low: int, stop: int, right: int, tail: Groups, *, since: int
    ) -> Iterator[Groups]:
        """The events of a single step from the order number `low` to the place `stop` (not included)."""
        content = self.steps[step]
        numbers, events = content.order, content.events
        earlier = self._before(step, right)
        closed = NEVER
        if earlier >= 0 and right == self.end_order:
            closed = self.ends[earlier]
            if not self.start_may_be_new:
                low = max(low, closed)
        next_match = self.shape.next_match
        for i in range(stop - 1, bisect_left(numbers, low, 0, stop) - 1, -1):
            at = numbers[i]
            front = numbers[i - 1] if next_match and i else NEVER
            completed = since
            if closed != NEVER:
                completed = NEVER if at >= closed else self.ordering.floor(closed)
            elif earlier >= 0:
                completed = max(since, self._completed(step, earlier, lambda _, x=at: x, at))  # type: ignore[misc]
            yield from self._left(step, at, front, NEVER, ((events[i],), *tail), since=completed)

    def _ranges(
        self, step: int, last: int, right: int, tail: Groups, *, since: int
    ) -> Iterator[Groups]:
        """The ranges of a plain group that end with its event at `last`."""
        shape = self.shape
        content = self.steps[step]
        numbers = content.order
        version = len(content.late)
        lowest = bisect_left(numbers, self.earliest[step], 0, last + 1)
        need = shape.minimum[step] - 1
        earlier = self._before(step, right)
        closing = earlier >= 0 and right == self.end_order and not self.start_may_be_new
        settled = self.ordering.floor(self.ends[earlier]) if closing else ALWAYS
        # The steps that can stand to the left, nearest first, and whether the group can be the first.
        partners = []
        for left in range(step - 1, -1, -1):
            partners.append(self.steps[left].order)
            if not shape.optional[left]:
                break
        can_start = not partners or all(shape.optional[:step])
        start = bisect_left(numbers, self.floor, 0, last + 1) if can_start else -1
        place = last
        while place >= lowest:
            at = numbers[place]
            x = NEVER
            for partner in partners:
                i = bisect_left(partner, at)
                if i and partner[i - 1] > x:
                    x = partner[i - 1]
            first = bisect_right(numbers, x, 0, place + 1)
            if first < lowest or x < self.floor:
                break
            if last - first >= need:
                front = numbers[first - 1] if first else NEVER
                completed = self._completed_range(step, earlier, right, numbers, first + need, last + 1)
                if completed == settled:
                    break
                completed = max(since, completed)
                group = Range(content, first, last + 1, version)
                yield from self._left(step, numbers[first], front, front, (group, *tail), since=completed)
            if first == start:
                return
            place = first - 1
        if can_start and start <= last and last - start >= need:
            front = numbers[start - 1] if start else NEVER
            group = Range(content, start, last + 1, version)
            completed = self._completed_range(step, earlier, right, numbers, start + need, last + 1)
            completed = max(since, completed)
            yield from self._left(step, numbers[start], front, front, (group, *tail), since=completed)

    def _paths(
        self, step: int, lasts: Sequence[int], right: int, tail: Groups, *, since: int
    ) -> Iterator[Groups]:
        """The paths of a group whose neighbours must satisfy a condition, that end at one of `lasts` and
        could not go on before `right`."""
        content = self.steps[step]
        numbers = content.order
        paths = self.paths[step]
        assert paths is not None
        need = self.shape.minimum[step]
        earlier = self._before(step, right)
        closing = earlier >= 0 and right == self.end_order and not self.start_may_be_new
        settled = self.ordering.floor(self.ends[earlier]) if closing else ALWAYS
        for last in lasts:
            if paths.next_order(last) < right:
                continue
            stack: list[Path] = [(last, None, 1)]
            while stack:
                self.budget -= 1
                if self.budget < 0:
                    return
                path = stack.pop()
                place, _, length = path
                if length >= need:
                    completed = self._completed_path(step, earlier, numbers, path, need)
                    if completed == settled:
                        continue
                    completed = max(since, completed)
                    before = paths.latest_before(place)
                    before_order = numbers[before] if before >= 0 else NEVER
                    front = before_order
                    if self.shape.next_match:
                        front = numbers[place - 1] if place else NEVER
                    if self._may_begin(step, numbers[place], front, before_order):
                        group = tuple([content.events[i] for i in _places(path)])
                        yield from self._left(
                            step, numbers[place], front, before_order, (group, *tail), since=completed
                        )
                for previous in paths.before(place, self.earliest[step]):
                    stack.append((previous, path, length + 1))

    def _may_begin(self, step: int, at: int, front: int, before: int) -> bool:
        """Whether a group may begin at an order number, as far as a look at the lane to the left tells."""
        if not step:
            return before < self.floor
        if self.shape.optional[step - 1]:
            return True
        numbers = self.steps[step - 1].order
        i = bisect_left(numbers, at)
        return i > 0 and numbers[i - 1] >= max(front, self.floor)


#: A path from its first event on: the place of that event, the rest, and how many there are. Paths share what
#: they have in common.
Path = tuple[int, "Path | None", int]


def _places(path: Path | None) -> Iterator[int]:
    while path is not None:
        yield path[0]
        path = path[1]


def _nth(path: Path, n: int) -> int:
    """The place of the n-th event of a path, from 1."""
    for _ in range(n - 1):
        assert path[1] is not None
        path = path[1]
    return path[0]
