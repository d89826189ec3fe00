"""The engine: which runs an end event is looked up in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from limecep.model.match import Match
from limecep_nfa.absence import Absence
from limecep_nfa.automaton import build
from limecep_nfa.runs import Runs
from limecep_nfa.search import Search
from limecep_nfa.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Alternative, Plan
    from limecep.store.view import View
    from limecep_nfa.automaton import State
    from limecep_nfa.buffer import Entry


class NfaEngine:
    """SEMANTICS 6: all matches."""

    results: ClassVar[Literal["all", "maximal"]] = "all"

    def __init__(self, plan: Plan, options: Any, context: Context) -> None:
        del options
        self._evaluators = [Evaluator(a, n, plan, context) for n, a in enumerate(plan.alternatives)]

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """All matches that end with `end`, each once an alternative."""
        return (match for e in self._evaluators for match in e.matches(end, view))

    def count(self, end: Event, view: View) -> int | None:
        """How many there are, where that need not be found out one by one. Alternatives may have equal ones,
        which count once."""
        return self._evaluators[0].count(end, view) if len(self._evaluators) == 1 else None

    def touched(self, event: Event, view: View) -> list[Event]:
        """The end events whose matches an event may change that is about to enter: it is in their window, or
        they are in that of which it is the end, if it may forbid them there."""
        ordering, order = view.ordering, view.order(event)
        found: dict[int, Event] = {}
        for e in self._evaluators:
            low = ordering.floor(order) if e.absence.trails else order
            for step in e.alternative.ends:
                content = view.steps[e.number][step].content
                first = bisect_left(content.order, low)
                stop = bisect_right(content.order, ordering.ceiling(order))
                found.update((end.ordinal, end) for end in content.events[first:stop])
        return list(found.values())


class Evaluator:
    """One alternative."""

    def __init__(self, alternative: Alternative, number: int, plan: Plan, context: Context) -> None:
        self.alternative = alternative
        self.number = number
        self.select = plan.select
        self.budget = plan.max_per_end
        self.counters = context.counters
        self.automaton = build(alternative)
        self.absence = Absence(alternative)
        #: Whether there are too many runs to be kept.
        self.on_demand = plan.select == "stam" and self.automaton.looks_back

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        """The matches that end with `end`."""
        if self.on_demand:
            yield from self._searched(end, view)
            return
        runs, full = self._runs(end, view)
        holds = self._whole(end, view) if self.absence.conditional else None
        ways = None
        for step in self.alternative.ends:
            entries = self._entries(runs, step, end, view)
            if entries:
                ways = self._ways(runs, step, end, view, self.budget if ways is None else ways.budget)
                for groups in ways.matches(entries, holds):
                    yield Match(self.alternative, groups)
        if full or (ways is not None and ways.budget < 0):
            self.counters["truncated"] += 1

    def count(self, end: Event, view: View) -> int | None:
        """How many matches end with `end`; None if they have to be looked at."""
        if self.on_demand or self.absence.conditional:
            return None
        runs, full = self._runs(end, view)
        if full:
            return None
        count = 0
        for step in self.alternative.ends:
            entries = self._entries(runs, step, end, view)
            if entries:
                count += self._ways(runs, step, end, view, 0).count(entries)
        return count

    def _searched(self, end: Event, view: View) -> Iterator[Match]:
        """The matches, where nothing is kept."""
        contents = [lane.content for lane in view.steps[self.number]]
        negations = [lane.content for lane in view.negations[self.number]]
        holds = self._whole(end, view) if self.absence.conditional else None
        search = Search(self.automaton, contents, negations, view.ordering, self.budget)
        order = view.order(end)
        for step in self.alternative.ends:
            if self._accepts(step, end):
                latest = self.absence.latest_starts(negations, view.ordering, order, step)
                place = view.steps[self.number][step].place(order, end)
                for groups in search.ending(place, step, latest, holds):
                    yield Match(self.alternative, groups)
        if search.budget < 0:
            self.counters["truncated"] += 1

    def _runs(self, end: Event, view: View) -> tuple[Runs, bool]:
        """The runs, every event up to an end event read, and whether some had to be left out.

        They are kept in the view's memo from one end event to the next. An end event whose window begins
        before what they know has them made anew.
        """
        order = view.order(end)
        floor = view.ordering.floor(order)
        key = ("nfa", self.number)
        known: Runs | None = view.memo.get(key)
        if known is None or known.begin > floor:
            known = view.memo[key] = self._fresh(floor, view)
        known.read(end, order)
        if not known.full:
            return known, False
        # What is left out must not depend on what was asked before: the window alone decides.
        del view.memo[key]
        if known.begin < floor:
            known = self._fresh(floor, view)
            known.read(end, order)
        return known, known.full

    def _fresh(self, begin: int, view: View) -> Runs:
        return Runs(
            self.automaton,
            self.select,
            [lane.content for lane in view.steps[self.number]],
            [lane.content for lane in view.negations[self.number]],
            None if view.stream is None else view.stream.content,
            view.ordering,
            begin,
            self.budget,
        )

    def _entries(self, runs: Runs, step: int, end: Event, view: View) -> list[Entry]:
        """The entries of the runs that are matches with an end event, taken for a step."""
        order = view.order(end)
        return [
            entry
            for state in self.automaton.by_step[step]
            if state.ends
            for entry in runs.at(state, end, order)
            if not state.closes or self._closed(entry, state)
        ]

    def _closed(self, entry: Entry, state: State) -> bool:
        groups = entry.known(len(self.alternative.steps))
        return all(c.holds(groups) for c in state.closes)

    def _ways(self, runs: Runs, step: int, end: Event, view: View, budget: int) -> Ways:
        order = view.order(end)
        negations = [lane.content for lane in view.negations[self.number]]
        latest = self.absence.latest_starts(negations, view.ordering, order, step)
        return Ways(runs, self.select == "stnm", view.ordering.floor(order), latest, budget)

    def _whole(self, end: Event, view: View) -> Callable[[tuple[Group, ...]], bool]:
        """Says of a match whether no negated step that is held against it is hit."""
        negations = [lane.content for lane in view.negations[self.number]]
        floor = view.ordering.floor(view.order(end))
        return lambda groups: not self.absence.hit(groups, negations, view.ordering, floor)

    def _accepts(self, step: int, end: Event) -> bool:
        """Whether a step takes an event."""
        wanted = self.alternative.steps[step].filter
        return end.type in wanted.types and (wanted.accepts is None or wanted.accepts(end))
