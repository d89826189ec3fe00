"""The ways that go forward from one end event to the next, and what they keep in a view."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep_maximal.bounds import ANY_START
from limecep_maximal.conditional_runs import Runs
from limecep_maximal.hits import Hits
from limecep_maximal.single_step import SingleStep
from limecep_maximal.spared_ends import SparingRuns
from limecep_maximal.spared_groups import SparedGroups
from limecep_maximal.standing_groups import StandingGroups

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.store.lane import Content
    from limecep.store.view import View
    from limecep_maximal.law import Law

    Groups = tuple[Group, ...]


class ForwardPass:
    """One alternative.

    Args:
        law: What does not change of it.
        number: Its number.
        neighbours: By step, whether an event may follow its neighbour in a group; None where any may.
        raise_if_stopped: The context's.
        alone: Whether it has but one step.

    Attributes:
        remembers: Whether the matches of end events are known until they have left the window, so that those
            of one start cost less than all.
    """

    def __init__(
        self,
        law: Law,
        number: int,
        neighbours: Sequence[Callable[[Event, Event], bool] | None],
        raise_if_stopped: Callable[[], None],
        *,
        alone: bool,
    ) -> None:
        self._law = law
        self._number = number
        self._neighbours = neighbours
        self._look = raise_if_stopped
        self._find = self._alone if alone else self._regrouped if law.regroups else self._runs
        self.remembers = not alone and bool(law.trails or law.growing)
        #: Where a view's memo has what came farthest.
        self._kept = ("alone" if alone else "runs", number)

    def ending(self, place: int, view: View, starts: tuple[int, int] = ANY_START) -> Sequence[Groups]:
        """The matches that end with the event at a place of the lane of the end, and, where it remembers
        them, start between two order numbers."""
        return self._find(place, [lane.content for lane in view.steps[self._number]], view, starts)

    def exposed(self, event: Event, view: View) -> list[Event] | None:
        """The end events before an event that has just come, as the last one, of which it brings matches to
        light; None where that is not known."""
        known: SingleStep | SparedGroups | Runs | None = view.memo.get(self._kept)
        if known is None:
            return None
        ends, order = view.steps[self._number][-1].content, view.order(event)
        begin = bisect_left(ends.order, view.ordering.floor(order))
        places = known.spared(begin, bisect_right(ends.order, order))
        return None if places is None else [ends.events[p] for p in places]

    def _alone(
        self, place: int, contents: Sequence[Content], view: View, starts: tuple[int, int]
    ) -> Sequence[Groups]:
        """The groups of the only step that end at a place."""
        order = contents[0].order[place]
        floor = view.ordering.floor(order)
        known: SingleStep | None = view.memo.get(self._kept)
        if known is None or floor < known.low:
            kind = StandingGroups if self._law.trails else SingleStep
            hits = self._hits(view, floor)
            known = kind(self._law, contents[0], hits, view.ordering, self._neighbours[0], floor)
            view.memo[self._kept] = known
        self._look()
        return known.ending(place)

    def _regrouped(
        self, place: int, contents: Sequence[Content], view: View, starts: tuple[int, int]
    ) -> Sequence[Groups]:
        """The groups of the start, with the end event at a place."""
        floor = view.ordering.floor
        # What completes a group at the end events of the window has to be known, too.
        low = floor(floor(contents[-1].order[place]))
        known: SparedGroups | None = view.memo.get(self._kept)
        if known is None or low < known.low:
            hits = self._hits(view, low)
            known = SparedGroups(self._law, contents, hits, view.ordering, self._neighbours, low, self._look)
            view.memo[self._kept] = known
        return known.ending(place, starts)

    def _hits(self, view: View, low: int) -> list[Hits]:
        """The lanes of the negated steps, from an order number on."""
        lanes = zip(self._law.forbidding, view.negations[self._number], strict=True)
        return [Hits(forbidding, lane.content, low) for forbidding, lane in lanes]

    def _runs(
        self, place: int, contents: Sequence[Content], view: View, starts: tuple[int, int]
    ) -> Sequence[Groups]:
        """What the end event at a place completes. Runs are kept between evaluations: those that came
        farthest, and those of what was asked about last of what is past. Where neither lead on to this end
        event, they are made anew from a window before."""
        begin, numbers = place, contents[-1].order
        if not self._law.growing:
            begin = bisect_left(numbers, view.ordering.floor(numbers[place]))
        farthest: Runs | None = view.memo.get(self._kept)
        for known in (farthest, view.memo.get(("past", self._number))):
            if known is not None:
                found = known.answer(place, starts)
                if found is None and begin <= known.stop < place:
                    found = self._led_on(known, place, starts)
                if found is not None:
                    return found
        first = begin
        if self._law.trails and not self._law.growing:
            # What is remembered of the end events of the window has to be true of them, too.
            first = bisect_left(numbers, view.ordering.floor(numbers[begin]))
        hits = self._hits(view, view.ordering.floor(numbers[first]))
        kind = SparingRuns if self._law.recalls else Runs
        made = kind(self._law, contents, hits, view.ordering, self._neighbours, first, begin, self._look)
        which = "runs" if farthest is None or farthest.stop <= place else "past"
        view.memo[which, self._number] = made
        return self._led_on(made, place, starts)

    def _led_on(self, runs: Runs, place: int, starts: tuple[int, int]) -> Sequence[Groups]:
        """The same, by runs that have not come to it yet."""
        for earlier in range(runs.stop, place):
            runs.answer(earlier)
        found = runs.answer(place, starts)
        assert found is not None
        return found
