"""The engine `maximal`: its alternatives, each evaluated in a way of its own."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Literal

from limecep.contracts.engine import Batching
from limecep.model.match import Match, Range
from limecep_maximal.contiguity import ContiguousRuns
from limecep_maximal.evaluator import Evaluator
from limecep_maximal.together import Together

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.picked import Picker
    from limecep.plan.plan import Plan
    from limecep.store.lane import Content
    from limecep.store.recent import Recent
    from limecep.store.view import View
    from limecep_maximal.config import MaximalOptions
    from limecep_maximal.single_starts import Changed, SingleStarts


class MaximalEngine:
    """SEMANTICS 7: the matches contained in no other, under STNM with rule (c)."""

    results: ClassVar[Literal["all", "maximal"]] = "maximal"

    def __init__(self, plan: Plan, options: MaximalOptions, context: Context) -> None:
        budget = plan.max_per_end
        self._evaluators: list[Evaluator | ContiguousRuns] = [
            ContiguousRuns(a, i, budget, context)
            if plan.select == "sc"
            else Evaluator(a, i, plan.select == "stnm", budget, options.enumeration, context)
            for i, a in enumerate(plan.alternatives)
        ]

        self._pick = plan.pick
        self._pickers: list[Picker | None] = []
        if plan.pick is not None:
            from limecep.plan.picked import picker_of

            self._pickers = [picker_of(plan, a, maximal=True) for a in plan.alternatives]
        self._starts: SingleStarts | None = None
        if len(self._evaluators) == 1:
            # One call less for every end event.
            only = self._evaluators[0]
            if isinstance(only, Evaluator):
                self._starts = only.starts
            self.matches = only.matches  # type: ignore[method-assign]
            self.count = only.count  # type: ignore[method-assign]
            if isinstance(only, Batching):
                self.matches_of = only.matches_of  # type: ignore[method-assign]
            self.touched = only.touched  # type: ignore[method-assign]

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """The maximal matches that end with `end`, each once an alternative."""
        return (m for e in self._evaluators for m in e.matches(end, view))

    def count(self, end: Event, view: View) -> int | None:
        """How many `matches` gives, where that is cheaper to know."""
        return None

    def matches_of(self, ends: Sequence[Event], view: View) -> list[list[Match]] | None:
        """What `matches` gives for each of some end events, where that is cheaper than one by one."""
        return None

    def picked(self, end: Event, view: View) -> list[Match] | None:
        """The one of `matches` that the plan picks; None where it takes all of them."""
        if self._pick is None or not self._pickers or None in self._pickers:
            return None
        found: list[Match] = []
        for number, (evaluator, picker) in enumerate(zip(self._evaluators, self._pickers, strict=True)):
            if picker is None or not isinstance(evaluator, Evaluator):
                continue
            step = evaluator.ends[0]
            place = evaluator.place(end, step, view)
            if place < 0:
                continue
            lanes = [lane.content for lane in view.steps[number]]
            floor = view.ordering.floor(lanes[step].order[place])
            groups = picker.find(lanes, floor, place, view.memo.setdefault(("picked", number), {}))
            if groups is not None:
                found.append(Match(evaluator.planned, _groups(evaluator.shape.kleene, lanes, groups)))
        if len(found) > 1:
            from limecep.model.picks import best

            return [match for match in (best(self._pick, found),) if match is not None]
        return found

    @classmethod
    def together(cls, asked: Sequence[tuple[MaximalEngine, View]], recent: Recent) -> Together:
        """Patterns with one alternative, evaluated at once."""
        return Together([(engine._evaluators[0], view) for engine, view in asked], recent)

    def touched(self, event: Event, view: View) -> list[Event] | None:
        """The end events whose matches an event may change that is about to enter, where few are known."""
        found: list[Event] = []
        for evaluator in self._evaluators:
            ends = evaluator.touched(event, view)
            if ends is None:
                return None
            found += ends
        return found

    def going(self, event: Event, view: View) -> tuple[list[Match], Changed | None] | None:
        """The matches that an event may change that is about to enter, where they are found by their start,
        and the starts."""
        return None if self._starts is None else self._starts.going(event, view)

    def coming(self, view: View, changed: Changed) -> list[Match]:
        """The matches of these starts, now that the event is there."""
        return [] if self._starts is None else self._starts.coming(view, changed)

    def matches_from(self, end: Event, view: View, t_gen: int) -> Iterable[Match] | None:
        """Those of `matches` that start at a time; None where all have to be found for that."""
        found: list[Iterable[Match]] = []
        for evaluator in self._evaluators:
            matches = evaluator.matches_from(end, view, t_gen)
            if matches is None:
                return None
            if not _is_empty(matches):
                found.append(matches)
        return chain.from_iterable(found) if found else ()

    def exposed(self, event: Event, view: View) -> Sequence[Event] | None:
        """The end events of which an event that has just come brings matches to light; None if not known."""
        if len(self._evaluators) > 1:
            return None
        only = self._evaluators[0]
        forward = only.forward if isinstance(only, Evaluator) else None
        return None if forward is None else forward.exposed(event, view)

    def explain(self) -> list[str]:
        """The way of each alternative."""
        return [e.explain() for e in self._evaluators]


def _is_empty(matches: Iterable[Match]) -> bool:
    return isinstance(matches, (list, tuple)) and not matches


def _groups(
    kleene: Sequence[bool], lanes: Sequence[Content], places: Sequence[Sequence[int]]
) -> tuple[Group, ...]:
    """The groups that stand at some places: those of repeated steps are ranges, as all that are found."""
    return tuple(
        Range(lane, taken[0], taken[-1] + 1, len(lane.late)) if several else (lane.events[taken[0]],)
        for several, lane, taken in zip(kleene, lanes, places, strict=True)
    )
