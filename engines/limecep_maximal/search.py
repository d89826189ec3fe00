"""Enumeration, for what has no local test of maximality.

Conditions on whole groups (aggregates, positions), between variables, and bounded quantifiers: a superset of
a match may be invalid, so candidates are built forwards, event by event, and held against each other. The
work is bounded by the plan's `max_per_end`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.plan.forms import equal_neighbours, equalities, key, other_key
from limecep.plan.values import attribute
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Condition
    from limecep.store.lane import Content, Ordering

Groups = tuple[tuple["Event", ...], ...]

#: After how many steps it is looked again whether the run has to end.
LOOK_EVERY = 256
#: The same for candidates that are compared with all larger ones.
COMPARED = 64


class Rules:
    """What of an alternative does not change from window to window."""

    def __init__(
        self, alternative: Alternative, *, next_match: bool, raise_if_stopped: Callable[[], None]
    ) -> None:
        self.raise_if_stopped = raise_if_stopped
        steps = alternative.steps
        size = len(steps)
        self.alternative = alternative
        self.next_match = next_match
        self.size = size
        self.minimum = tuple(s.quantifier.minimum for s in steps)
        self.maximum = tuple(s.quantifier.maximum for s in steps)
        conditions = alternative.conditions
        #: By step k: what an event that joins its group may decide.
        self.staying = tuple(tuple(c for c in conditions if k in c.steps) for k in range(size))
        #: By steps j <= k: what the first event of k may decide where j took the event before it. (Names of
        #: skipped steps are known to have taken nothing from then on.)
        self.entering = {
            (j, k): tuple(c for c in conditions if any(j <= s <= k for s in c.steps))
            for k in range(size)
            for j in range(-1, k)
        }
        variables = [s.variable for s in steps]
        places = {v: k for k, v in enumerate(variables)}
        #: By step, an attribute in which neighbours of its group have to be equal.
        self.equal: list[tuple[str, ...] | None] = [None] * size
        for c in conditions:
            if c.pair is not None:
                k = c.steps[0]
                self.equal[k] = self.equal[k] or equal_neighbours(c.expression)
        #: By step, an equality by which its first event is found, given an earlier group.
        self.keys: list[tuple[tuple[str, ...], int, Callable[[Groups], Hashable]] | None] = [None] * size
        for k in range(size):
            last = [c.expression for c in conditions if c.steps[-1] == k and len(c.steps) > 1]
            for equality in equalities(last, variables[k], places):
                self.keys[k] = equality.path, places[equality.other.variable], other_key(equality, places)
        #: By step, an attribute that its events have in common with the end event: theirs, and that one's.
        self.ends: list[tuple[tuple[str, ...], tuple[str, ...]] | None] = [None] * size
        final = [c.expression for c in conditions if c.steps[-1] == size - 1 and steps[-1].quantifier.single]
        for equality in equalities(final, variables[-1], places):
            k = places[equality.other.variable]
            if steps[k].quantifier.single or self.equal[k] == equality.other.path:
                self.ends[k] = equality.other.path, equality.path
        #: Whether some group may be any of the subsets of its events, and nothing is ruled out before it is
        #: whole.
        self.blind = not next_match and any(
            self.maximum[k] is None and any(c.closes for c in self.staying[k]) for k in range(size)
        )
        crossing = any(n.hits is not None for n in alternative.negations)
        #: Whether an event that joins a group of this step can only widen what follows.
        self.local = tuple(
            not crossing
            and all(c.pair is not None or (c.cross and max(c.steps) == k) for c in self.staying[k])
            for k in range(size)
        )


class Search:
    """One evaluation."""

    def __init__(
        self,
        rules: Rules,
        steps: Sequence[Content],
        negations: Sequence[Content],
        ordering: Ordering,
        budget: int,
        by_value: dict[tuple[int, tuple[str, ...]], ByValue] | None = None,
    ) -> None:
        self._by_value = by_value
        self.rules = rules
        self.steps = steps
        self.negations = negations
        self.ordering = ordering
        self.budget = budget
        # Several searches may share a budget.
        self._look_at = budget - budget % LOOK_EVERY
        self.groups: list[tuple[Event, ...]] = [()] * rules.size
        self.found: list[Groups] = []
        # What next-match would append to the group of the start.
        self._follower = -1

    def ending(self, place: int, step: int) -> list[Groups]:
        """The candidates whose last event is the one at `place` of the lane of `step`, contained in no other
        that ends with it."""
        rules = self.rules
        self.end_step = step
        self.end = self.steps[step].events[place]
        self.end_order = self.steps[step].order[place]
        self.floor = self.ordering.floor(self.end_order)
        self.free = (
            rules.next_match and step == rules.size - 1 and rules.alternative.steps[step].quantifier.single
        )
        if any(m > 0 for m in rules.minimum[step + 1 :]) or not self._reachable():
            return []
        for start in range(step + 1):
            self._start(start)
            if rules.minimum[start] > 0:
                break
        return largest(rules.alternative, self.found, rules.raise_if_stopped)

    def _reachable(self) -> bool:
        """Whether every step that must take something has enough events before the end event, in order."""
        after = self.floor - 1
        for k in range(self.end_step):
            if self.rules.minimum[k]:
                numbers = self.steps[k].order
                i = bisect_right(numbers, after) + self.rules.minimum[k] - 1
                if i >= len(numbers) or numbers[i] >= self.end_order:
                    return False
                after = numbers[i]
        return True

    def _start(self, step: int) -> None:
        """Every run that starts with an event of `step`."""
        content = self.steps[step]
        first = bisect_left(content.order, self.floor)
        stop = bisect_right(content.order, self.end_order)
        followers: set[int] = set()
        for place in self._likely(step, first, (), stop):
            # What follows an earlier start is part of that one's larger group.
            if place not in followers and self._allowed(-1, step, content.events[place]):
                self._follower = -1
                self._explore(step, place)
                if self.rules.next_match and self.rules.local[step] and self.rules.maximum[step] is None:
                    followers.add(self._follower)
            self.groups[step] = ()

    def _allowed(self, previous: int, step: int, event: Event) -> bool:
        """Puts the event into its group, and says whether it is eligible there."""
        rules = self.rules
        groups = self.groups
        groups[step] = (*groups[step], event)
        decided: Sequence[Condition]
        decided = rules.staying[step] if previous == step else rules.entering[previous, step]
        return all(c.allows(groups, step) for c in decided)

    def _explore(self, step: int, place: int) -> None:
        """Every run that begins with the event at `place`. Groups may be longer than any stack, so there is
        one of our own."""
        stack = [self._take(step, place, first=True)]
        while stack:
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
            else:
                stack.append(self._take(*following))

    def _take(self, step: int, place: int, *, first: bool = False) -> Iterator[tuple[int, int]]:
        """Goes on from the event at `place`, which its group has just taken.

        Yields:
            The step and the place of what is taken next, already in its group; what follows from it is to be
            gone through before this goes on.
        """
        self.budget -= 1
        if self.budget < 0:
            return
        rules = self.rules
        if self.budget < self._look_at:
            self._look_at -= LOOK_EVERY
            rules.raise_if_stopped()
        content = self.steps[step]
        at = content.order[place]
        if step == self.end_step and content.events[place] is self.end:
            self._complete()
            return
        group = self.groups[step]
        maximum = rules.maximum[step]
        follower = -1
        follower_order = self.end_order
        stays: list[int] = []
        if maximum is None or len(group) < maximum:
            for p in self._eligible(step, step, place + 1, group):
                stays.append(p)
            if rules.next_match and stays:
                follower = stays[0]
                follower_order = content.order[follower]
                if first:
                    self._follower = follower
        if len(group) >= rules.minimum[step]:
            for target in range(step + 1, self.end_step + 1):
                numbers = self.steps[target].order
                begin = bisect_right(numbers, at)
                if target == self.end_step and self.free:
                    begin = self._place_of_end(begin)
                for p in self._eligible(step, target, begin, ()):
                    # Staying first would make the same match larger.
                    if follower < 0 or not rules.local[step] or numbers[p] <= follower_order:
                        self.groups[target] = (self.steps[target].events[p],)
                        yield target, p
                    if rules.next_match:
                        break
                self.groups[target] = ()
                if rules.minimum[target] > 0:
                    break
        for p in stays:
            self.groups[step] = (*group, content.events[p])
            yield step, p
        self.groups[step] = group

    def _place_of_end(self, begin: int) -> int:
        content = self.steps[self.end_step]
        for p in range(max(begin, bisect_left(content.order, self.end_order)), len(content.order)):
            if content.events[p] is self.end:
                return p
        return len(content.order)

    def _eligible(self, previous: int, step: int, begin: int, group: tuple[Event, ...]) -> Iterator[int]:
        """The places of events that may be taken next: the first one under next-match, else all."""
        content = self.steps[step]
        numbers, events = content.order, content.events
        for p in self._likely(step, begin, group):
            if numbers[p] > self.end_order:
                return
            self.budget -= 1
            if self.budget < 0:
                return
            self.groups[step] = group
            allowed = self._allowed(previous, step, events[p])
            self.groups[step] = group
            if allowed:
                yield p
                if self.rules.next_match:
                    return
            if events[p] is self.end and step == self.end_step:
                return

    def _likely(
        self, step: int, begin: int, group: tuple[Event, ...], stop: int | None = None
    ) -> Sequence[int]:
        """The places from one on that may be taken next, as far as a value tells."""
        content = self.steps[step]
        stop = len(content.order) if stop is None else stop
        known = self._by_value
        looked_for = None if known is None else self._value(step, group)
        if known is None or looked_for is None:
            return range(begin, stop)
        path, value = looked_for
        lane = known.get((step, path))
        if lane is None:
            lane = known[step, path] = ByValue(content, path)
        places = lane.places(value, bisect_left(content.order, self.floor))
        return places[bisect_left(places, begin) : bisect_left(places, stop)]

    def _value(self, step: int, group: tuple[Event, ...]) -> tuple[tuple[str, ...], Hashable] | None:
        """An attribute of a step's next event, and the value it must have; None if no condition says so."""
        rules = self.rules
        path = rules.equal[step]
        if group and path is not None:
            return path, key(attribute(group[-1], path))
        wanted = rules.keys[step]
        # Nothing is said of what took nothing.
        if not group and wanted is not None and self.groups[wanted[1]]:
            return wanted[0], wanted[2](tuple(self.groups))
        ends = rules.ends[step]
        # Next-match takes what comes first, whether or not it goes with the end event.
        free = not rules.next_match or not (group or any(self.groups[:step]))
        if ends is not None and free and self.end_step == rules.size - 1:
            return ends[0], key(attribute(self.end, ends[1]))
        return None

    def _complete(self) -> None:
        groups = self.groups
        if len(groups[self.end_step]) < self.rules.minimum[self.end_step]:
            return
        alternative = self.rules.alternative
        if all(c.holds(groups) for c in alternative.conditions) and not forbidden(
            alternative, groups, self.negations, self.ordering, self.floor
        ):
            self.found.append(tuple(groups))


def forbidden(
    alternative: Alternative,
    groups: Sequence[tuple[Event, ...]],
    negations: Sequence[Content],
    ordering: Ordering,
    floor: int,
) -> bool:
    """Whether an event of a negated step hits a match, whose window begins at an order number."""
    start = next(g for g in groups if g)[0]
    for negation, content in zip(alternative.negations, negations, strict=True):
        before = next((g for g in reversed(groups[: negation.after]) if g), None)
        after = next((g for g in groups[negation.after :] if g), None)
        numbers = content.order
        if before is None:
            low = bisect_left(numbers, floor)
        else:
            low = bisect_right(numbers, ordering.latest(before[-1]))
        if after is None:
            high = bisect_right(numbers, ordering.ceiling(ordering.of(start)))
        else:
            high = bisect_left(numbers, ordering.of(after[0]))
        if negation.hits is None:
            if low < high:
                return True
        elif any(negation.hits(x, groups) for x in content.events[low:high]):
            return True
    return False


def largest(
    alternative: Alternative, found: Sequence[Groups], raise_if_stopped: Callable[[], None]
) -> list[Groups]:
    """What was found, less what is contained in something else that was."""
    single = [k for k, s in enumerate(alternative.steps) if s.quantifier.single]
    buckets: dict[tuple[int, ...], list[Groups]] = {}
    for groups in found:
        key = tuple([groups[k][0].ordinal if groups[k] else 0 for k in single])
        buckets.setdefault(key, []).append(groups)
    kept = []
    for bucket in buckets.values():
        if len(bucket) == 1:
            kept += bucket
            continue
        larger: list[tuple[frozenset[int], ...]] = []
        for n, groups in enumerate(sorted(bucket, key=lambda g: -sum(map(len, g)))):
            if not n % COMPARED:
                raise_if_stopped()
            sets = tuple([frozenset([e.ordinal for e in g]) for g in groups])
            if not any(all(map(frozenset.issubset, sets, k)) for k in larger):
                larger.append(sets)
                kept.append(groups)
    return kept
