"""Builds every partial match event by event and keeps those that turn out to be matches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, ClassVar, Literal

from limecep.api import Match, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.api import Alternative, Context, Event, Lane, NegatedStep, Plan, View
    from limecep_mine.config import MineOptions

#: The events of each positive step; empty where none was chosen.
Groups = tuple[tuple["Event", ...], ...]


class MineEngine:
    """Gives all matches."""

    # What it answers; `capabilities` in plugin.py says the same. With "rule" it gives those of all matches of
    # an end event that a rule of its own keeps, and has `rule` and `keeps`: limecep.contracts.engine.Ruling.
    results: ClassVar[Literal["all", "maximal", "rule"]] = "all"

    def __init__(self, plan: Plan, options: MineOptions, context: Context) -> None:
        self._plan = plan
        self._most = options.tries * plan.max_per_end
        self._context = context

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        """The matches that end with `end`."""
        tries = 0
        for number, alternative in enumerate(self._plan.alternatives):
            search = _Search(alternative, view, number, end, first_only=self._plan.select == "stnm")
            partial = search.starts()
            while partial:
                groups, step = partial.pop()
                tries += 1
                if tries > self._most:
                    self._context.truncated(end)
                    return
                if tries % 200 == 0:
                    self._context.raise_if_stopped()
                if groups[step][-1] is not end:
                    partial += search.longer(groups, step)
                elif search.complete(groups, step):
                    yield Match(alternative, groups)

    def count(self, end: Event, view: View) -> int | None:
        """Counting takes as long as finding."""
        return None


class _Search:
    """The matches of one alternative that end with one event. A partial match is its groups, and the step its
    last event was chosen for."""

    def __init__(
        self, alternative: Alternative, view: View, number: int, end: Event, *, first_only: bool
    ) -> None:
        self._alternative = alternative
        self._view = view
        self._lanes = view.steps[number]
        self._negations = list(zip(alternative.negations, view.negations[number], strict=True))
        self._end = end
        self._end_key = sort_key(end)
        self._end_order = view.order(end)
        self._first_only = first_only

    def starts(self) -> list[tuple[Groups, int]]:
        """Every event of the window that can be the first of a match. It is free under every policy."""
        none: Groups = tuple(() for _ in self._lanes)
        floor = self._view.ordering.floor(self._end_order)
        return [
            (groups, step)
            for step in self._steps_from(0)
            for event in self._until_end(step, bisect_left(self._lanes[step].content.order, floor))
            if self._eligible(groups := _with(none, step, event), step)
        ]

    def longer(self, groups: Groups, step: int) -> list[tuple[Groups, int]]:
        """Every partial match with one event more."""
        quantifier = self._alternative.steps[step].quantifier
        last, lane = groups[step][-1], self._lanes[step]
        place = lane.place(self._view.order(last), last)
        order = lane.content.order[place]
        found: list[tuple[Groups, int]] = []
        if quantifier.maximum is None or len(groups[step]) < quantifier.maximum:
            found += self._choices(groups, step, place + 1)
        if len(groups[step]) >= quantifier.minimum:
            for later in self._steps_from(step + 1):
                found += self._choices(groups, later, bisect_right(self._lanes[later].content.order, order))
        if self._view.stream is not None:
            # Strict contiguity: of events of whatever type, none stands between two that are chosen.
            numbers = self._view.stream.content.order
            i = bisect_right(numbers, order)
            following = numbers[i] if i < len(numbers) else order
            found = [(g, k) for g, k in found if self._view.order(g[k][-1]) <= following]
        return found

    def complete(self, groups: Groups, step: int) -> bool:
        """Whether a partial match that ends with the end event is a match."""
        steps = self._alternative.steps
        return (
            len(groups[step]) >= steps[step].quantifier.minimum
            and all(s.quantifier.minimum == 0 for s in steps[step + 1 :])
            and all(c.holds(groups) for c in self._alternative.conditions)
            and not any(self._hit(negation, lane, groups) for negation, lane in self._negations)
        )

    def _steps_from(self, step: int) -> Iterator[int]:
        """The steps that can take the next event: from `step` on, up to the first that may not be empty."""
        for later in range(step, len(self._lanes)):
            yield later
            if self._alternative.steps[later].quantifier.minimum > 0:
                return

    def _choices(self, groups: Groups, step: int, begin: int) -> Iterator[tuple[Groups, int]]:
        """The groups with one more event for `step`: any eligible one, or under STNM the first."""
        for event in self._until_end(step, begin):
            chosen = _with(groups, step, event)
            if self._eligible(chosen, step):
                yield chosen, step
                if self._first_only:
                    return

    def _until_end(self, step: int, begin: int) -> Iterator[Event]:
        events = self._lanes[step].content.events
        for place in range(begin, len(events)):
            if sort_key(events[place]) > self._end_key:
                return
            yield events[place]

    def _eligible(self, groups: Groups, step: int) -> bool:
        return all(c.allows(groups, step) for c in self._alternative.conditions)

    def _hit(self, negation: NegatedStep, lane: Lane, groups: Groups) -> bool:
        """Whether an event of the negated step stands where none may."""
        ordering = self._view.ordering
        before = [e for group in groups[: negation.after] for e in group]
        after = [e for group in groups[negation.after :] for e in group]
        order, events = lane.content.order, lane.content.events
        if before:
            low = bisect_right(order, ordering.latest(before[-1]))
        else:
            low = bisect_left(order, ordering.floor(self._end_order))
        if after:
            high = bisect_left(order, ordering.of(after[0]))
        else:
            high = bisect_right(order, ordering.ceiling(ordering.of(before[0])))
        return any(negation.hits is None or negation.hits(x, groups) for x in events[low:high])


def _with(groups: Groups, step: int, event: Event) -> Groups:
    return (*groups[:step], (*groups[step], event), *groups[step + 1 :])
