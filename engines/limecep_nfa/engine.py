"""The engine: which runs an end event is looked up in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from limecep.model.match import Match, Range
from limecep.plan.stretch import Stretch
from limecep_nfa.absence import Absence
from limecep_nfa.automaton import build
from limecep_nfa.explanation import explained
from limecep_nfa.runs import Runs
from limecep_nfa.search import Search
from limecep_nfa.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.picked import Picker
    from limecep.plan.plan import Alternative, Plan
    from limecep.plan.stretch import Book
    from limecep.store.view import View
    from limecep_nfa.automaton import State
    from limecep_nfa.buffer import Entry


class NfaEngine:
    """SEMANTICS 6: all matches."""

    results: ClassVar[Literal["all", "maximal"]] = "all"

    def __init__(self, plan: Plan, options: Any, context: Context) -> None:
        del options
        self._evaluators = [Evaluator(a, n, plan, context) for n, a in enumerate(plan.alternatives)]
        self._pick = plan.pick
        self._pickers: list[Picker | None] = []
        if plan.pick is not None:
            from limecep.plan.picked import picker_of

            self._pickers = [picker_of(plan, a, maximal=False) for a in plan.alternatives]
        if len(self._evaluators) == 1:
            # One call less for every match.
            only = self._evaluators[0]
            self.matches = only.matches  # type: ignore[method-assign]
            self.matches_from = only.matches_from  # type: ignore[method-assign]

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """All matches that end with `end`, each once an alternative."""
        return (match for e in self._evaluators for match in e.matches(end, view))

    def matches_from(self, end: Event, view: View, t_gen: int) -> Iterable[Match]:
        """Those of `matches` that start at a time."""
        return (match for e in self._evaluators for match in e.matches_from(end, view, t_gen))

    def count(self, end: Event, view: View) -> int | None:
        """How many there are, where that need not be found out one by one. Alternatives may have equal ones,
        which count once."""
        return self._evaluators[0].count(end, view) if len(self._evaluators) == 1 else None

    def picked(self, end: Event, view: View) -> list[Match] | None:
        """The one of `matches` that the plan picks; None where it takes all of them."""
        if self._pick is None or not self._pickers or None in self._pickers:
            return None
        found: list[Match] = []
        for evaluator, picker in zip(self._evaluators, self._pickers, strict=True):
            match = None if picker is None else evaluator.picked(end, view, picker)
            if match is not None:
                found.append(match)
        if len(found) > 1:
            from limecep.model.picks import best

            return [match for match in (best(self._pick, found),) if match is not None]
        return found

    def touched(self, event: Event, view: View) -> list[Event]:
        """The end events whose matches an event may change that is about to enter: it is in their window, or
        they are in that of which it is the end, if it may forbid them there."""
        ordering, order = view.ordering, view.order(event)
        found: dict[int, Event] = {}
        for e in self._evaluators:
            low = ordering.floor(order) if e.absence.trails else order
            for step in e.ends:
                content = view.steps[e.number][step].content
                first = bisect_left(content.order, low)
                stop = bisect_right(content.order, ordering.ceiling(order))
                found.update((end.ordinal, end) for end in content.events[first:stop])
        return list(found.values())

    def explain(self) -> list[str]:
        """How matches of each alternative are found, in words."""
        return [explained(e.automaton, on_demand=e.on_demand) for e in self._evaluators]


class Asked:
    """An end event that is asked about, and the view of one alternative.

    Attributes:
        end: The event.
        order: Its order number, the greatest if it may have several.
        floor: The least order number in the window that ends with it.
        first, last: The order numbers between which matches are to start; both count.
        view: The view.
        steps, negations: The lanes of the alternative's steps, as they are now.
    """

    __slots__ = ("end", "first", "floor", "last", "negations", "order", "steps", "view")

    def __init__(self, end: Event, view: View, number: int, t_gen: int | None = None) -> None:
        self.end = end
        self.view = view
        self.order = view.ordering.latest(end)
        self.floor = view.ordering.floor(self.order)
        self.first, self.last = self.floor, self.order
        if t_gen is not None:
            first, last = view.ordering.between(t_gen, t_gen)
            self.first, self.last = max(first, self.first), min(last, self.last)
        self.steps = [lane.content for lane in view.steps[number]]
        self.negations = [lane.content for lane in view.negations[number]]


class Evaluator:
    """One alternative."""

    def __init__(self, alternative: Alternative, number: int, plan: Plan, context: Context) -> None:
        self.alternative = alternative
        self.number = number
        self.ends = alternative.ends
        self.select = plan.select
        self.budget = plan.max_per_end
        self.context = context
        self.automaton = build(alternative, plan.select)
        self.absence = Absence(alternative)
        #: Whether there are too many runs to be kept.
        self.on_demand = plan.select == "stam" and self.automaton.looks_back
        self._memo = ("nfa", number)

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        """The matches that end with `end`."""
        return self._matches(Asked(end, view, self.number))

    def matches_from(self, end: Event, view: View, t_gen: int) -> Iterable[Match]:
        """Those of `matches` that start at a time."""
        asked = Asked(end, view, self.number, t_gen)
        return () if self.absence.by_start and not self._any_spared(asked) else self._matches(asked)

    def _matches(self, asked: Asked) -> Iterator[Match]:
        cut = yield from self._searched(asked) if self.on_demand else self._found(asked)
        if cut:
            self.context.truncated(asked.end)

    def count(self, end: Event, view: View) -> int | None:
        """How many matches end with `end`; None if they have to be looked at."""
        if self.on_demand or self.absence.conditional:
            return None
        asked = Asked(end, view, self.number)
        runs = self._runs(asked)
        if runs.full:
            return None
        count = 0
        for step in self.ends:
            if entries := self._entries(runs, step, asked):
                count += self._ways(runs, step, asked).count(entries)
        return count

    def picked(self, end: Event, view: View, picker: Picker) -> Match | None:
        """What is picked of the matches that end with `end`."""
        step = self.ends[0]
        if not self._accepts(step, end):
            return None
        asked = Asked(end, view, self.number)
        place = view.steps[self.number][step].place(view.order(end), end)
        memo = view.memo.setdefault(("nfa-picked", self.number), {})
        groups = picker.find(asked.steps, asked.floor, place, memo)
        if groups is None:
            return None
        taken = [tuple([c.events[i] for i in g]) for c, g in zip(asked.steps, groups, strict=True)]
        return Match(self.alternative, tuple(taken))

    def _found(self, asked: Asked) -> Generator[Match, None, bool]:
        """The matches that runs came to. Gives at its end whether some may be missing."""
        runs = self._runs(asked)
        budget = self.budget
        by_start = self.absence.by_start
        spared = self._spared(asked) if by_start else None
        holds = None if by_start else self._holds(asked, runs.books)
        for step in self.ends:
            if entries := self._entries(runs, step, asked):
                ways = self._ways(runs, step, asked)
                for groups in ways.matches(entries, spared, holds, budget):
                    yield Match(self.alternative, groups)
                budget = ways.left
        return runs.full or budget < 0

    def _searched(self, asked: Asked) -> Generator[Match, None, bool]:
        """The matches, where nothing is kept. Gives at its end whether some may be missing."""
        ordering = asked.view.ordering
        search = Search(
            self.automaton, asked.steps, asked.negations, ordering, self.budget, self.context.raise_if_stopped
        )
        for step in self.ends:
            if self._accepts(step, asked.end):
                place = asked.view.steps[self.number][step].place(asked.view.order(asked.end), asked.end)
                latest = self._latest(step, asked)
                for groups in search.ending(place, step, asked.first, latest, self._holds(asked)):
                    yield Match(self.alternative, groups)
        return search.budget < 0

    def _runs(self, asked: Asked) -> Runs:
        """The runs, every event up to the end event read.

        They are kept in the view's memo from one end event to the next. An end event whose window begins
        before what they know, or after what they have read, has them made anew.
        """
        memo = asked.view.memo
        known: Runs | None = memo.get(self._memo)
        if known is None or not known.begin <= asked.floor <= known.reached:
            known = memo[self._memo] = self._fresh(asked)
        known.read(asked.end, asked.order)
        if known.full:
            # What is left out must not depend on what was asked before, nor on what has the same time: what
            # may be in a match alone decides.
            del memo[self._memo]
            known = self._fresh(asked)
            known.read(asked.end, asked.order, alone=True)
        return known

    def _fresh(self, asked: Asked) -> Runs:
        stream = asked.view.stream
        return Runs(
            self.automaton,
            self.select,
            asked.steps,
            asked.negations,
            None if stream is None else stream.content,
            asked.view.ordering,
            asked.floor,
            self.budget,
            self.context.raise_if_stopped,
        )

    def _entries(self, runs: Runs, step: int, asked: Asked) -> list[Entry]:
        """The entries of the runs that are matches with the end event, taken for a step."""
        return [
            entry
            for state in self.automaton.by_step[step]
            if state.ends
            for entry in runs.at(state, asked.end)
            if not state.closes or _closed(entry, state, runs.books)
        ]

    def _ways(self, runs: Runs, step: int, asked: Asked) -> Ways:
        latest = self._latest(step, asked)
        return Ways(runs, asked.first, latest, self.context.raise_if_stopped)

    def _latest(self, step: int, asked: Asked) -> list[int]:
        """By step, the greatest order number that a match which ends with a step may begin with there."""
        known = self.absence.latest_starts(asked.negations, asked.view.ordering, asked.order, step)
        return known if asked.last == asked.order else [min(order, asked.last) for order in known]

    def _spared(self, asked: Asked) -> Callable[[Event], bool]:
        """What says of the start of a match that nothing forbids it."""
        spares, negations, ordering = self.absence.spares, asked.negations, asked.view.ordering
        floor, order = asked.floor, asked.order
        known = asked.view.memo.setdefault(("nfa-absence", self.number), {})
        return lambda start: spares(start, negations, ordering, floor, order, known)

    def _any_spared(self, asked: Asked) -> bool:
        """Whether nothing forbids what begins with some event that a match is to start with."""
        content, spared = asked.steps[0], self._spared(asked)
        first, stop = bisect_left(content.order, asked.first), bisect_right(content.order, asked.last)
        return any(spared(start) for start in content.events[first:stop])

    def _holds(self, asked: Asked, books: Sequence[Book] = ()) -> Callable[[tuple[Group, ...]], bool] | None:
        """What says of a whole match that nothing forbids it; None if that need not be asked. Groups that are
        ranges are read from the books."""
        if not self.absence.conditional:
            return None
        hit, ordering, floor, negations = self.absence.hit, asked.view.ordering, asked.floor, asked.negations
        known = asked.view.memo.setdefault(("nfa-absence", self.number), {})

        def holds(groups: tuple[Group, ...]) -> bool:
            return not hit(groups, negations, ordering, floor, known)  # type: ignore[arg-type]

        def holds_of_ranges(groups: tuple[Group, ...]) -> bool:
            read = [
                Stretch(books[k], g.start, g.stop) if isinstance(g, Range) else g
                for k, g in enumerate(groups)
            ]
            return not hit(read, negations, ordering, floor, known)

        return holds_of_ranges if any(self.automaton.ranges) else holds

    def _accepts(self, step: int, end: Event) -> bool:
        """Whether a step takes an event."""
        wanted = self.alternative.steps[step].filter
        return end.type in wanted.types and (wanted.accepts is None or wanted.accepts(end))


def _closed(entry: Entry, state: State, books: Sequence[Book]) -> bool:
    """Whether the runs of an entry fulfil what waits for the end of a match."""
    groups = entry.known(books)
    return all(c.holds(groups) for c in state.closes)
