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
    from collections.abc import Iterator, Sequence

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
        "plain_gap",
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
        "fresh_from",
        "last_open",
        "negations",
        "new_from",
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
        # Rule (c): a run whose last group began before `fresh_from` was completed before, unless its start
        # counts only since then, its predecessor being no earlier than `new_from`.
        self.fresh_from = self.new_from = NEVER
        self.last_open = -1
        self.start_may_be_new = False

    def ending(self, place: int, step: int, previous: int | None) -> Iterator[Groups]:
        """The matches whose last event is the one at `place` of the lane of `step`.

        Args:
            place: An index into that lane.
            step: The step it is taken by; later ones are empty.
            previous: The order number of the previous end event, to leave out what it completed; None to
                leave nothing out.
        """
        shape = self.shape
        content = self.steps[step]
        order = content.order[place]
        self.floor = self.ordering.floor(order)
        if previous is not None and not shape.kleene[0]:
            # So little is left to look at that it is not worth finding out where it cannot begin.
            self.first_start = bisect_left(self.steps[0].order, self.floor)
            self.earliest = [self.floor] * (step + 1)
        elif not self._reachable(step, order):
            return iter(())
        if shape.trails:
            self._look_behind(step, order)
        if previous is not None and step > 0:
            self.last_open = step - 1
            self.fresh_from = previous
            self.new_from = self.ordering.floor(previous)
            if shape.kleene[0]:
                # Some start counts now that did not at the previous end event, its predecessor having left
                # the window since. Only then is it worth looking at runs that began before.
                starts = self.steps[0].order
                self.start_may_be_new = bisect_left(starts, self.new_from) < self.first_start
            numbers = self.steps[step - 1].order
            if not self.start_may_be_new and numbers[bisect_left(numbers, order) - 1] < previous:
                return iter(())
        tail: Groups = ((),) * (shape.size - step - 1)
        if shape.kleene[step]:
            if self.paths[step] is None:
                return self._ranges(step, place, tail, fresh=True)
            return self._paths(step, range(place, place + 1), NEVER, tail, fresh=True)
        free = step == shape.size - 1 and not shape.optional[step]
        front = NEVER if free or not shape.next_match or place == 0 else content.order[place - 1]
        return self._left(step, order, front, NEVER, ((content.events[place],), *tail), fresh=True)

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
        self, step: int, first: int, front: int, before: int, tail: Groups, *, fresh: bool
    ) -> Iterator[Groups]:
        """Completes a match leftwards.

        Args:
            step: The leftmost group so far belongs to it; `tail` holds that group and those after it.
            first: The order number of its first event.
            front: No event of the group to the left may end before this: else one could be put in front.
            before: The order number of the latest event that could be put in front were this the start.
            fresh: Whether rule (c) has nothing against the match whatever its start.
        """
        shape = self.shape
        if step == 1 and shape.begins_plainly:
            return self._begin(first, front, tail, fresh=fresh)
        if shape.plain_gap[step]:
            return self._group(step - 1, first, front, tail, fresh=fresh)
        return self._widely(step, first, front, before, tail, fresh=fresh)

    def _widely(
        self, step: int, first: int, front: int, before: int, tail: Groups, *, fresh: bool
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
            yield from self._group(left, first, max(bound, front), tail, fresh=fresh)
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
            and (fresh or before >= self.new_from)
            and first < self.start_below
        ):
            yield tail

    def _begin(self, right: int, bound: int, tail: Groups, *, fresh: bool) -> Iterator[Groups]:
        """The first groups of a match, where the first step must take something, without negation around it
        and without conditions on neighbours. The general way gives the same; most matches come from here."""
        content = self.steps[0]
        numbers = content.order
        stop = bisect_left(numbers, right)
        start = self.first_start
        decides = self.last_open == 0
        below = self.start_below
        if self.shape.kleene[0]:
            need = self.shape.minimum[0]
            if stop - start < need or numbers[stop - 1] < bound or numbers[start] >= below:
                return
            if decides:
                fresh = numbers[start + need - 1] >= self.fresh_from
            if fresh or (start and numbers[start - 1] >= self.new_from):
                yield (Range(content, start, stop, len(content.late)), *tail)
            return
        if decides:
            bound = max(bound, self.fresh_from)
        elif not fresh:
            return
        events = content.events
        for i in range(max(start, bisect_left(numbers, bound)), stop):
            if numbers[i] < below:
                yield ((events[i],), *tail)

    def _group(self, step: int, right: int, bound: int, tail: Groups, *, fresh: bool) -> Iterator[Groups]:
        """The groups of a step that end at `bound` or later, and before `right`, the next group's first
        event."""
        numbers = self.steps[step].order
        stop = bisect_left(numbers, right)
        low = max(bound, self.earliest[step])
        if not stop or numbers[stop - 1] < low:
            return iter(())
        if not self.shape.kleene[step]:
            return self._singles(step, low, stop, tail, fresh=fresh)
        if self.paths[step] is None:
            return self._ranges(step, stop - 1, tail, fresh=fresh)
        lasts = range(stop - 1, bisect_left(numbers, low, 0, stop) - 1, -1)
        return self._paths(step, lasts, right, tail, fresh=fresh)

    def _singles(self, step: int, low: int, stop: int, tail: Groups, *, fresh: bool) -> Iterator[Groups]:
        """The events of a single step from the order number `low` to the place `stop` (not included)."""
        content = self.steps[step]
        numbers, events = content.order, content.events
        decides = step == self.last_open
        if decides and not self.start_may_be_new:
            low = max(low, self.fresh_from)
        next_match = self.shape.next_match
        for i in range(stop - 1, bisect_left(numbers, low, 0, stop) - 1, -1):
            at = numbers[i]
            front = numbers[i - 1] if next_match and i else NEVER
            settled = at >= self.fresh_from if decides else fresh
            yield from self._left(step, at, front, NEVER, ((events[i],), *tail), fresh=settled)

    def _ranges(self, step: int, last: int, tail: Groups, *, fresh: bool) -> Iterator[Groups]:
        """The ranges of a plain group that end with its event at `last`."""
        shape = self.shape
        content = self.steps[step]
        numbers = content.order
        version = len(content.late)
        lowest = bisect_left(numbers, self.earliest[step], 0, last + 1)
        need = shape.minimum[step] - 1
        decides = step == self.last_open
        fresh_place = bisect_left(numbers, self.fresh_from) if decides else 0
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
                settled = first + need >= fresh_place if decides else fresh
                if not settled and not self.start_may_be_new:
                    break
                group = Range(content, first, last + 1, version)
                yield from self._left(step, numbers[first], front, front, (group, *tail), fresh=settled)
            if first == start:
                return
            place = first - 1
        if can_start and start <= last and last - start >= need:
            front = numbers[start - 1] if start else NEVER
            group = Range(content, start, last + 1, version)
            settled = start + need >= fresh_place if decides else fresh
            yield from self._left(step, numbers[start], front, front, (group, *tail), fresh=settled)

    def _paths(
        self, step: int, lasts: Sequence[int], right: int, tail: Groups, *, fresh: bool
    ) -> Iterator[Groups]:
        """The paths of a group whose neighbours must satisfy a condition, that end at one of `lasts` and
        could not go on before `right`."""
        content = self.steps[step]
        numbers = content.order
        paths = self.paths[step]
        assert paths is not None
        need = self.shape.minimum[step]
        decides = step == self.last_open
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
                    settled = numbers[_nth(path, need)] >= self.fresh_from if decides else fresh
                    if not settled and not self.start_may_be_new:
                        continue
                    before = paths.latest_before(place)
                    before_order = numbers[before] if before >= 0 else NEVER
                    front = before_order
                    if self.shape.next_match:
                        front = numbers[place - 1] if place else NEVER
                    if self._may_begin(step, numbers[place], front, before_order):
                        group = tuple([content.events[i] for i in _places(path)])
                        yield from self._left(
                            step, numbers[place], front, before_order, (group, *tail), fresh=settled
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
