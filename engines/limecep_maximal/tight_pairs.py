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
from limecep_maximal.bounds import NEVER, Bounds, Path, places
from limecep_maximal.paths import ALWAYS
from limecep_maximal.search import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Groups = tuple[Group, ...]


class Window(Bounds):
    """One evaluation: the matches that end with one event, on the lanes as they are."""

    __slots__ = ()

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
            self.look_back(content.order[place - 1], order)
        if self.previous >= 0 and shape.plain_start:
            # So little is left to look at that it is not worth finding out where it cannot begin.
            self.first_start = bisect_left(self.steps[0].order, self.floor)
            self.earliest = [self.floor] * (step + 1)
        elif not self.reachable(step, order):
            return iter(())
        if shape.trails:
            self.look_behind(step, order)
        tail: Groups = ((),) * (shape.size - step - 1)
        if shape.kleene[step]:
            if step in self.spans:
                return self._spans(step, place + 1, place, tail)
            if self.paths[step] is None:
                return self._ranges(step, place, order, tail, since=NEVER)
            return self._paths(step, range(place, place + 1), NEVER, tail, since=NEVER)
        free = step == shape.size - 1 and not shape.optional[step]
        front = NEVER if free or not shape.next_match or place == 0 else content.order[place - 1]
        return self._left(step, order, front, NEVER, ((content.events[place],), *tail), since=NEVER)

    def _left(
        self, step: int, first: int, front: int, before: int, tail: Groups, *, since: int
    ) -> Iterator[Groups]:
        """Completes a match leftwards.

        Args:
            step: The leftmost group so far belongs to it; `tail` holds that group and those after it.
            first: The order number of its first event.
            front: No event of the group to the left may end before this: else one could be put in front.
            before: The order number of the latest event that could be put in front were this the start.
            since: By rule (c) the match is left out if nothing from this order number on could be put in
                front of it: its start counted at the end event that completed it. `NEVER` keeps it.
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
            and self.start_from <= first < self.start_below
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
        shape = self.shape
        # Most matches come through here: not a call more than needed.
        earlier = self.before(0, right) if self.previous >= 0 and shape.may_close[0] else -1
        if shape.kleene[0]:
            need = shape.minimum[0]
            if stop - start < need or numbers[stop - 1] < bound:
                return
            if not self.start_from <= numbers[start] < below:
                return
            if earlier >= 0:
                since = max(since, self.completed_range(0, earlier, right, numbers, start + need - 1, stop))
            if since == NEVER or (start and numbers[start - 1] >= since):
                yield (Range(content, start, stop, len(content.late)), *tail)
            return
        if since != NEVER:
            return
        if earlier >= 0 and right == self.end_order:
            bound = max(bound, self.ends[earlier])
            earlier = -1
        events = content.events
        if below < right:
            stop = bisect_left(numbers, below, 0, stop)
        for i in range(max(start, bisect_left(numbers, max(bound, self.start_from), 0, stop)), stop):
            if earlier < 0 or self.completed_single(0, earlier, numbers[i]) == NEVER:
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
        if step in self.spans:
            return self._spans(step, stop, bisect_left(numbers, low, 0, stop), tail)
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
        earlier = self.before(step, right)
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
                completed = max(since, self.completed_single(step, earlier, at))
            yield from self._left(step, at, front, NEVER, ((events[i],), *tail), since=completed)

    def _ranges(self, step: int, last: int, right: int, tail: Groups, *, since: int) -> Iterator[Groups]:
        """The ranges of a plain group that end with its event at `last`."""
        if step in self.edges:
            yield from self._edged(step, last, tail)
            return
        shape = self.shape
        content = self.steps[step]
        numbers = content.order
        version = len(content.late)
        lowest = bisect_left(numbers, self.earliest[step], 0, last + 1)
        need = shape.minimum[step] - 1
        earlier = self.before(step, right)
        closing = earlier >= 0 and right == self.end_order and not self.start_may_be_new
        settled = self.ordering.floor(self.ends[earlier]) if closing else ALWAYS
        # From this place on nothing earlier can have completed what begins: the common case, without a call.
        fresh = bisect_left(numbers, self.ends[earlier]) if earlier >= 0 else 0
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
                completed = since
                if first + need < fresh:
                    completed = self.completed_range(step, earlier, right, numbers, first + need, last + 1)
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
            completed = self.completed_range(step, earlier, right, numbers, start + need, last + 1)
            completed = max(since, completed)
            yield from self._left(step, numbers[start], front, front, (group, *tail), since=completed)

    def _edged(self, step: int, last: int, tail: Groups) -> Iterator[Groups]:
        """The same where its first event has to go with the last one of the group before: of all such pairs
        those that no other stands between."""
        test = self.edges[step]
        content, before = self.steps[step], self.steps[step - 1]
        numbers, left = content.order, before.order
        low = bisect_left(left, self.floor)
        partners: dict[int, int] = {}
        for first in range(bisect_left(numbers, self.earliest[step], 0, last + 1), last + 1):
            event = content.events[first]
            partner = bisect_left(left, numbers[first]) - 1
            while partner >= low and not test(before.events[partner], event):
                partner -= 1
                self.budget -= 1
            if partner < low:
                continue
            partners[first] = partner
            if last - first + 1 < self.shape.minimum[step]:
                continue
            earlier = first - 1
            while numbers[earlier] > left[partner] if earlier >= 0 else False:
                if partners.get(earlier, -1) >= partner:
                    break
                earlier -= 1
            else:
                if self.budget < 0:
                    return
                group = Range(content, first, last + 1, len(content.late))
                yield from self._ranges(step - 1, partner, numbers[first], (group, *tail), since=NEVER)

    def _spans(self, step: int, stop: int, low: int, tail: Groups) -> Iterator[Groups]:
        """The ranges of a group under conditions that its ends settle, from the place `low` of its last event
        to another (not included)."""
        content = self.steps[step]
        numbers = content.order
        first = bisect_left(numbers, self.earliest[step], 0, stop)
        spans = self.spans[step]
        # Before the first step there is nothing that would forbid the largest.
        find = spans.between if step else spans.outermost
        for begin, last, container in find(first, stop, max(low, first)):
            self.budget -= 1
            if self.budget < 0:
                return
            front = numbers[container] if container >= 0 else NEVER
            group = Range(content, begin, last + 1, len(content.late))
            yield from self._left(step, numbers[begin], front, front, (group, *tail), since=NEVER)

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
        earlier = self.before(step, right)
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
                if not self.budget % LOOK_EVERY:
                    self.shape.raise_if_stopped()
                path = stack.pop()
                place, _, length = path
                if length >= need:
                    completed = self.completed_path(step, earlier, numbers, path, need)
                    if completed == settled:
                        continue
                    completed = max(since, completed)
                    before = paths.latest_before(place)
                    before_order = numbers[before] if before >= 0 else NEVER
                    front = before_order
                    if self.shape.next_match:
                        front = numbers[place - 1] if place else NEVER
                    if self._may_begin(step, numbers[place], front, before_order):
                        group = tuple([content.events[i] for i in places(path)])
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
