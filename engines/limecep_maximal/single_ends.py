"""The commonest shape, without a generator for every group.

Under STNM, where the first step and the last take one event each, every step must take something, nothing is
negated and no condition is left to decide, a match is new at its end event iff its last group has enough only
since the previous one (rule (c) of SEMANTICS 7). `tight_pairs` gives the same; this is what sparse streams
spend their time in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.match import Range
from limecep_maximal.bounds import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.match import Group
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.shape import Shape

Groups = tuple["Group", ...]

#: Matches that differ in their start only: the places of the first start and after the last one, and the
#: other groups.
Sheaf = tuple[int, int, Groups]


def touched(shape: Shape, steps: Sequence[Content], step: int, order: int) -> Sequence[int]:
    """The places of the end events whose matches may differ once a step has one more event.

    From an event on, every group follows from the one before, and the match ends with the first end event
    after its last group has enough. So the event touches the match it leads to, and those that led on from
    the next events of its step, which come too late now.

    Args:
        shape: A plain shape with no group of several events before the last but one.
        steps: What each step holds, the event not among it.
        step: The step that takes the event.
        order: The event's order number.
    """
    last = len(steps) - 1
    numbers = steps[step].order
    place = beyond = bisect_left(numbers, order)
    # Those of the same time may stand before it or after it.
    while beyond < len(numbers) and numbers[beyond] == order:
        beyond += 1
    beyond = min(beyond + shape.minimum[step], len(numbers))
    if step == last:
        return range(place, beyond)
    # A first event displaces no other: the start is free.
    chains = [order, *numbers[place:beyond]] if step else [order]
    for k in range(step + 1, last):
        following = steps[k].order
        more = shape.minimum[k] - 1
        chains = [following[i] for at in chains if (i := bisect_right(following, at) + more) < len(following)]
    ends = steps[last].order
    return [i for at in chains if (i := bisect_right(ends, at)) < len(ends)]


class SingleEnds:
    """Evaluation on the lanes as they are."""

    __slots__ = ("_floor", "_floor_of", "_kleene", "_need", "_sheaves", "_steps")

    def __init__(self, shape: Shape, steps: Sequence[Content], ordering: Ordering) -> None:
        self._steps = steps
        self._kleene = shape.kleene
        self._need = shape.minimum
        self._floor_of = ordering.floor
        self._floor = NEVER
        self._sheaves: list[Sheaf] = []

    def ending(self, place: int) -> list[Sheaf]:
        """The matches that end with the event at a place of the last lane, and that no earlier end event
        completed."""
        end = self._steps[-1]
        numbers = end.order
        closed = numbers[place - 1] if place else NEVER
        order = numbers[place]
        self._floor = self._floor_of(order)
        self._sheaves = []
        self._left(len(self._steps) - 2, order, NEVER, closed, ((end.events[place],),))
        return self._sheaves

    def _left(self, step: int, right: int, bound: int, closed: int, tail: Groups) -> None:
        """Completes matches leftwards.

        Args:
            step: Whose group is to be found.
            right: The order number of the next group's first event.
            bound: The group must not end before this: else an event could be put between.
            closed: Its event with which it has enough must not stand before this.
            tail: The groups that follow.
        """
        content = self._steps[step]
        numbers = content.order
        stop = bisect_left(numbers, right)
        low = max(bound, closed, self._floor)
        if not stop or numbers[stop - 1] < low:
            return
        if not step:
            self._sheaves.append((bisect_left(numbers, low, 0, stop), stop, tail))
            return
        if self._kleene[step]:
            self._ranges(step, stop, closed, tail)
            return
        events = content.events
        starts = self._steps[0].order
        i = stop
        while i and numbers[i - 1] >= low:
            i -= 1
            at = numbers[i]
            front = numbers[i - 1] if i else NEVER
            if step > 1:
                self._left(step - 1, at, front, NEVER, ((events[i],), *tail))
                continue
            # What the call would do: most matches come from here.
            last = bisect_left(starts, at)
            first = max(front, self._floor)
            if last and starts[last - 1] >= first:
                begin = last - 1
                if begin and starts[begin - 1] >= first:
                    begin = bisect_left(starts, first, 0, begin)
                self._sheaves.append((begin, last, ((events[i],), *tail)))

    def _ranges(self, step: int, stop: int, closed: int, tail: Groups) -> None:
        """Groups that end before the place `stop`: each begins with the first event after one of the step to
        the left."""
        content = self._steps[step]
        numbers = content.order
        partner = self._steps[step - 1].order
        more = self._need[step] - 1
        place = stop - 1
        while place >= 0:
            i = bisect_left(partner, numbers[place])
            if not i or partner[i - 1] < self._floor:
                return
            first = bisect_right(numbers, partner[i - 1], 0, place + 1)
            if first + more < stop:
                if numbers[first + more] < closed:
                    return
                front = numbers[first - 1] if first else NEVER
                group = Range(content, first, stop, len(content.late))
                self._left(step - 1, numbers[first], front, NEVER, (group, *tail))
            place = first - 1
