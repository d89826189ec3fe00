"""The match that is picked under skip-till-any-match, found without the others (SEMANTICS 14).

Where steps ask for nothing but order and number, every choice of events that keeps to them is a match, so
the one that is picked follows from a few places in the lanes of the steps. `picker_of` says of which
alternatives.

It begins with how late each step may begin, so that those after it still find enough before the end event.
The match whose events come first by the sort key is then made from the left: of the event that a group may
take next and the one that the next step may begin with, the earlier one is taken, as long as enough is left.
No other match with this start contains it, so it is the same among all matches and among the maximal ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key
from limecep.plan.forms import quantified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.picks import Pick
    from limecep.plan.plan import Alternative, Plan
    from limecep.store.lane import Content

    #: The places of a group's events in their lane.
    Places = Sequence[int]

#: So many boundaries before the window are kept at most.
_SPARE = 1_000


def picker_of(plan: Plan, alternative: Alternative, *, maximal: bool) -> Picker | None:
    """What finds the match of an alternative that is picked; None where it takes going through all of them.

    Args:
        plan: The plan.
        alternative: One of its alternatives.
        maximal: Whether it is picked among the maximal matches.
    """
    if plan.pick is None or plan.select != "stam":
        return None
    alternative = quantified(alternative)
    steps = alternative.steps
    if alternative.conditions or alternative.negations or any(s.conjunction for s in steps):
        return None
    if maximal and alternative.growing:
        # What ends later may contain what ends here.
        return None
    if any(s.quantifier.minimum < 1 or s.quantifier.maximum not in (None, 1) for s in steps):
        return None
    # What one event begins, or goes on with, must be the same whatever comes after.
    for step, following in pairwise(steps):
        if step.quantifier.maximum is None and {*step.filter.types} & {*following.filter.types}:
            return None
    picker = Picker(alternative, plan.pick, maximal=maximal)
    return picker if picker.able else None


class Picker:
    """Finds the match of an alternative that is picked.

    Args:
        alternative: The alternative, its counts as quantifiers.
        pick: Which match.
        maximal: Whether it is picked among the maximal matches.

    Attributes:
        able: Whether it does without the others.
    """

    def __init__(self, alternative: Alternative, pick: Pick, *, maximal: bool) -> None:
        self._pick = pick
        self._maximal = maximal
        self._kleene = [s.quantifier.maximum is None for s in alternative.steps]
        self._need = [s.quantifier.minimum for s in alternative.steps]
        self._end = len(self._need) - 1
        several = [k for k, kleene in enumerate(self._kleene) if kleene]
        #: Whether two groups and the end event are all there is: one boundary tells matches apart.
        self._paired = several == [0, 1] and self._end == 2
        if not several and pick in ("longest", "shortest"):
            self._pick = "first"
        self._several = len(several)
        # The fewest events of a maximal match: the one group there is has what stands between its neighbours.
        self.able = (
            not (self._pick == "shortest" and maximal) or self._paired or several in ([0], [self._end - 1])
        )

    def find(
        self, lanes: Sequence[Content], floor: int, place: int, memo: dict[Any, Any]
    ) -> list[Places] | None:
        """The groups of the match that is picked, each by its places; None if there is no match.

        Args:
            lanes: Those of the steps.
            floor: The least order number in the window.
            place: That of the end event in the last one.
            memo: What was found before, which may be emptied at any time.
        """
        orders = [lane.order for lane in lanes]
        latest = self._latest(orders, place)
        if latest is None:
            return None
        start = bisect_left(orders[0], floor)
        if start > latest[0][0]:
            return None
        pick = self._pick
        if self._paired and pick in ("longest", "shortest") and (pick == "longest" or self._maximal):
            return self._between(lanes, latest, start, place, memo)
        if pick == "last" and not (self._maximal and self._kleene[0]):
            # Of those that start at one time the first.
            start = max(start, bisect_left(orders[0], orders[0][latest[0][0]]))
        if pick == "longest" and self._several > 1:
            return self._most(lanes, latest, floor, start, place)
        if pick == "shortest" and self._maximal and not self._kleene[0]:
            return self._between_neighbours(lanes, latest, start, place)
        return self._along(lanes, latest, start, place)

    def _latest(self, orders: Sequence[list[int]], place: int) -> list[tuple[int, int]] | None:
        """For each step the last place that its group may begin at, and that it may end at."""
        found = []
        last = place
        for k in range(self._end, -1, -1):
            first = last - self._need[k] + 1
            if first < 0:
                return None
            found.append((first, last))
            if k:
                last = bisect_left(orders[k - 1], orders[k][first]) - 1
        found.reverse()
        return found

    def _next(self, step: int, orders: Sequence[list[int]], order: int, place: int) -> int:
        """The first place at which the next step may begin, after an event with an order number."""
        if step + 1 == self._end and not self._kleene[self._end]:
            return place
        return bisect_right(orders[step + 1], order)

    def _along(
        self, lanes: Sequence[Content], latest: Sequence[tuple[int, int]], begin: int, place: int
    ) -> list[Places]:
        """The match with a start whose events come first: each group ends where the next step may begin, or
        has as many events as it must have, or may have, where it is those that are counted."""
        fewest = self._pick == "shortest"
        orders = [lane.order for lane in lanes]
        groups: list[Places] = []
        for k in range(self._end):
            numbers = orders[k]
            last = begin + self._need[k] - 1
            if self._kleene[k] and self._pick == "longest":
                last = latest[k][1]
            following = self._next(k, orders, numbers[last], place)
            if self._kleene[k] and fewest and self._maximal:
                last = bisect_left(numbers, orders[k + 1][following]) - 1
            elif self._kleene[k] and self._pick in ("first", "last"):
                last, following = self._going_on(k, lanes, last, following, latest[k][1], place)
            groups.append(range(begin, last + 1))
            begin = following
        if not self._kleene[self._end]:
            groups.append((place,))
        elif fewest:
            groups.append([*range(begin, begin + self._need[self._end] - 1), place])
        else:
            groups.append(range(begin, place + 1))
        return groups

    def _going_on(
        self, step: int, lanes: Sequence[Content], last: int, following: int, most: int, place: int
    ) -> tuple[int, int]:
        """Where a group ends that takes what comes before the next step's event, and where that stands."""
        content, beside = lanes[step], lanes[step + 1]
        orders = [lane.order for lane in lanes]
        while True:
            order = beside.order[following]
            last = max(last, bisect_left(content.order, order) - 1)
            # Of events of one time one comes first by the sort key.
            if last >= most or content.order[last + 1] > order:
                return last, following
            if sort_key(beside.events[following]) < sort_key(content.events[last + 1]):
                return last, following
            last += 1
            following = self._next(step, orders, order, place)

    def _between_neighbours(
        self, lanes: Sequence[Content], latest: Sequence[tuple[int, int]], start: int, place: int
    ) -> list[Places]:
        """The maximal match whose only group, the one before the end event, has the fewest events: it begins
        after the last event that leaves it enough."""
        step = self._end - 1
        left, numbers = lanes[step - 1].order, lanes[step].order
        first = bisect_right(numbers, left[latest[step - 1][1]])
        # All events of the step before that leave it these.
        low = bisect_left(left, numbers[first - 1]) if first else 0
        groups: list[Places] = []
        begin = start
        for k in range(step):
            if k == step - 1:
                begin = max(begin, low)
            groups.append((begin,))
            if k < step - 1:
                begin = bisect_right(lanes[k + 1].order, lanes[k].order[begin])
        return [*groups, range(first, latest[step][1] + 1), (place,)]

    def _between(
        self,
        lanes: Sequence[Content],
        latest: Sequence[tuple[int, int]],
        start: int,
        place: int,
        memo: dict[Any, Any],
    ) -> list[Places] | None:
        """The largest, or smallest, of the maximal matches of two groups: each has all events up to where the
        one ends and the other begins, and all from there on."""
        known: Boundaries | None = memo.get("boundaries")
        if known is None or not known.begin <= start:
            known = memo["boundaries"] = Boundaries(start)
        known.catch_up(lanes[0].order, lanes[1].order, latest[0][1] + 1)
        low = bisect_left(known.lasts, start + self._need[0] - 1)
        high = bisect_right(known.firsts, latest[1][0])
        if low >= high:
            return None
        sizes = known.sizes[low:high]
        size = max(sizes) if self._pick == "longest" else min(sizes)
        best = sizes.index(size)
        for other in range(best + 1, len(sizes)) if sizes.count(size) > 1 else ():
            # Of equals the first, but where the events that tell them apart have one time.
            last, first = known.lasts[low + best], known.firsts[low + best]
            if last + 1 == len(lanes[0].order) or lanes[0].order[last + 1] > lanes[1].order[first]:
                break
            if sizes[other] == size and sort_key(lanes[0].events[last + 1]) < sort_key(
                lanes[1].events[first]
            ):
                best = other
        last, first = known.lasts[low + best], known.firsts[low + best]
        known.forget(low)
        return [range(start, last + 1), range(first, latest[1][1] + 1), (place,)]

    def _most(
        self,
        lanes: Sequence[Content],
        latest: Sequence[tuple[int, int]],
        floor: int,
        start: int,
        place: int,
    ) -> list[Places]:
        """The match with the most events: how many may follow each event is found from the right."""
        orders = [lane.order for lane in lanes]
        lows = [bisect_left(numbers, floor) for numbers in orders]
        # By step and place: how many events may follow this one, and how many there may be from it on if it
        # is the first of its group.
        follow: list[list[int]] = [[] for _ in lanes]
        count: list[list[int]] = [[] for _ in lanes]
        for k in range(self._end, -1, -1):
            low, (first, last), need = lows[k], latest[k], self._need[k]
            after = [0] * (last - low + 1)
            for i in range(last, low - 1, -1):
                if k == self._end:
                    after[i - low] = last - i
                    continue
                j = self._next(k, orders, orders[k][i], place)
                most = count[k + 1][j - lows[k + 1]]
                if self._kleene[k] and i < last:
                    most = max(most, 1 + after[i + 1 - low])
                after[i - low] = most
            follow[k] = after
            count[k] = [need + after[i + need - 1 - low] for i in range(low, first + 1)]
        groups: list[Places] = []
        begin = start
        for k in range(self._end):
            low, after = lows[k], follow[k]
            last = begin + self._need[k] - 1
            following = self._next(k, orders, orders[k][last], place)
            while self._kleene[k]:
                most = after[last - low]
                leaves = count[k + 1][following - lows[k + 1]] == most
                goes_on = last < latest[k][1] and 1 + after[last + 1 - low] == most
                if not goes_on:
                    break
                if leaves and sort_key(lanes[k + 1].events[following]) < sort_key(lanes[k].events[last + 1]):
                    break
                last += 1
                following = self._next(k, orders, orders[k][last], place)
            groups.append(range(begin, last + 1))
            begin = following
        groups.append(range(begin if self._kleene[self._end] else place, place + 1))
        return groups


class Boundaries:
    """Where a group may end and the next one begin, with nothing of either between: kept as events come.

    Args:
        begin: The place in the first lane from which on they are known.

    Attributes:
        lasts, firsts: Of each boundary the place of the event before, and of the one after it.
        sizes: By how many events a match with this boundary differs from others.
    """

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.lasts: list[int] = []
        self.firsts: list[int] = []
        self.sizes: list[int] = []
        self._next = begin

    def catch_up(self, left: list[int], right: list[int], stop: int) -> None:
        """Reads two lanes on, up to a place in the first one: of a past end event no more is asked."""
        place, count = self._next, len(right)
        while place < stop:
            first = bisect_right(right, left[place], self.firsts[-1] if self.firsts else 0)
            if first == count:
                break
            last = bisect_left(left, right[first], place) - 1
            self.lasts.append(last)
            self.firsts.append(first)
            self.sizes.append(last - first)
            place = last + 1
        self._next = place

    def forget(self, low: int) -> None:
        """Drops those before one, once they are many."""
        if low > _SPARE:
            self.begin = self.lasts[low - 1] + 1
            del self.lasts[:low], self.firsts[:low], self.sizes[:low]
