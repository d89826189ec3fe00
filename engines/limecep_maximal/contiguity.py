"""Strict contiguity: backwards through the stream, from one event to the one before.

What is next to an event is given, so there is little to choose: how long groups are, and which of several
events at one time. All matches of an end event are found, and the largest kept.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from limecep.model.match import Match
from limecep_maximal.explanation import WAYS
from limecep_maximal.search import LOOK_EVERY, forbidden, largest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content
    from limecep.store.view import View

Groups = tuple[tuple["Event", ...], ...]

#: A group from an event on, and how many events that is. (Between them the rest, a chain or None: mypyc takes
#: no tuple type that contains itself.)
Chain = tuple["Event", Any, int]


class ContiguousRuns:
    """One alternative under strict contiguity."""

    #: It shares nothing with other patterns.
    follows = False
    needs: tuple[int, ...] = ()
    awaits_step_before = False

    def __init__(self, alternative: Alternative, number: int, budget: int, context: Context) -> None:
        self.alternative = alternative
        self.ends = alternative.ends
        self.number = number
        self.budget = budget
        self.context = context
        self._quantifiers = [s.quantifier for s in alternative.steps]
        self._filters = [s.filter for s in alternative.steps]
        self._pairs = [
            [c.pair for c in alternative.conditions if c.pair is not None and c.steps == (k,)]
            for k in range(len(alternative.steps))
        ]
        size = len(alternative.steps)
        #: By step, whether all steps before may be empty, so that a match may begin there.
        self._begins = [all(q.minimum == 0 for q in self._quantifiers[:k]) for k in range(size)]
        #: By step, those that can stand directly before it.
        self._steps_before = [
            [j for j in range(k) if all(q.minimum == 0 for q in self._quantifiers[j + 1 : k])]
            for k in range(size)
        ]
        #: Whether a longer first group is never worse.
        self._local = not alternative.negations and all(c.pair is not None for c in alternative.conditions)

    def explain(self) -> str:
        """The way it goes."""
        return f"contiguous: {WAYS['contiguous']}"

    def matches(self, end: Event, view: View) -> list[Match]:
        """The matches that end with `end` and are contained in no other that does."""
        negations = [lane.content for lane in view.negations[self.number]]
        floor = view.ordering.floor(view.order(end))
        found = [
            groups
            for groups in self._ending(end, view)
            if all(c.holds(groups) for c in self.alternative.conditions)
            and not forbidden(self.alternative, groups, negations, view.ordering, floor)
        ]
        kept = largest(self.alternative, found, self.context.raise_if_stopped)
        return [Match(self.alternative, groups) for groups in kept]

    def count(self, end: Event, view: View) -> int | None:
        """Counting takes as long as finding."""
        return None

    def matches_from(self, end: Event, view: View, t_gen: int) -> None:
        """What starts at a time is found with all others."""

    def touched(self, event: Event, view: View) -> list[Event] | None:
        """Not known."""
        return None

    def _ending(self, end: Event, view: View) -> Iterator[Groups]:
        """What may be a match, as far as order, quantifiers and neighbours go."""
        assert view.stream is not None
        stream = view.stream.content
        events, numbers = stream.events, stream.order
        place = view.stream.place(view.order(end), end)
        floor = view.ordering.floor(numbers[place])
        size, budget = len(self._quantifiers), self.budget
        # A place, the step that takes its event, the group from there on, and the groups of later steps.
        pending: list[tuple[int, int, Chain, Groups]] = [
            (place, k, (end, None, 1), ((),) * (size - 1 - k))
            for k in self.alternative.ends
            if self._accepts(k, end)
        ]
        while pending:
            budget -= 1
            if budget < 0:
                self.context.truncated(end)
                return
            if not budget % LOOK_EVERY:
                self.context.raise_if_stopped()
            place, step, group, later = pending.pop()
            first, _, length = group
            quantifier = self._quantifiers[step]
            before = list(_before(stream, place, floor))
            longer = []
            if quantifier.maximum is None or length < quantifier.maximum:
                longer = [
                    p
                    for p in before
                    if self._accepts(step, events[p])
                    and all(pair(events[p], first) for pair in self._pairs[step])
                ]
            pending += [(p, step, (events[p], group, length + 1), later) for p in longer]
            begins = self._begins[step] and not (self._local and longer)
            if length < quantifier.minimum or not (begins or self._steps_before[step]):
                continue
            groups = (_events(group), *later)
            if begins:
                yield (*((),) * step, *groups)
            for k in self._steps_before[step]:
                further = (*((),) * (step - 1 - k), *groups)
                together = self.alternative.together(k, step)
                pending += [
                    (p, k, (events[p], None, 1), further)
                    for p in before
                    if (together or numbers[p] < numbers[place]) and self._accepts(k, events[p])
                ]

    def _accepts(self, step: int, event: Event) -> bool:
        accepts = self._filters[step]
        return event.type in accepts.types and (accepts.accepts is None or accepts.accepts(event))


def _before(stream: Content, place: int, floor: int) -> Iterator[int]:
    """The places next to one, on its left: of what stands at its time, and at the time before."""
    numbers = stream.order
    earlier = bisect_left(numbers, numbers[place]) - 1
    for p in range(place - 1, -1, -1):
        if numbers[p] < floor or (p < earlier and numbers[p] < numbers[earlier]):
            return
        yield p


def _events(chain: Chain | None) -> tuple[Event, ...]:
    found = []
    while chain is not None:
        found.append(chain[0])
        chain = chain[1]
    return tuple(found)
