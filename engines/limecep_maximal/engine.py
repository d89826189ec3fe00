"""Which way each alternative of a pattern is evaluated, and rule (c) over what it gives."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from limecep.model.match import Match
from limecep_maximal.completions import Completions
from limecep_maximal.counting import count_singles
from limecep_maximal.paths import Forest, Paths, Reduction
from limecep_maximal.pinned import Pins
from limecep_maximal.search import Rules, Search
from limecep_maximal.tight import Shape, Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Alternative, Plan, StepFilter
    from limecep.store.lane import Content
    from limecep.store.view import View


class MaximalEngine:
    """SEMANTICS 7: the matches contained in no other, under STNM with rule (c)."""

    results: ClassVar[Literal["all", "maximal"]] = "maximal"

    def __init__(self, plan: Plan, options: Any, context: Context) -> None:
        del options
        self._evaluators = [
            Evaluator(a, i, plan.select == "stnm", plan.max_per_end, context) for i, a in enumerate(plan.alternatives)
        ]

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """The maximal matches that end with `end`, each once an alternative."""
        if len(self._evaluators) == 1:
            return self._evaluators[0].matches(end, view)
        return (m for e in self._evaluators for m in e.matches(end, view))

    def count(self, end: Event, view: View) -> int | None:
        """How many `matches` gives, where single steps alone make that a matter of counting."""
        if len(self._evaluators) == 1:
            return self._evaluators[0].count(end, view)
        return None


class Evaluator:
    """One alternative."""

    def __init__(
        self, alternative: Alternative, number: int, next_match: bool, budget: int, context: Context
    ) -> None:
        self.alternative = alternative
        self.number = number
        self.next_match = next_match
        self.budget = budget
        self.counters = context.counters
        self.ends = [(k, alternative.steps[k].filter) for k in alternative.ends]
        self.shape = Shape(alternative, next_match=next_match)
        self.rules = Rules(alternative, next_match=next_match)
        self.pins = Pins(alternative)
        pairs: list[list[Any]] = [[] for _ in alternative.steps]
        for condition in alternative.conditions:
            if condition.pair is not None:
                pairs[condition.steps[0]].append(condition.pair)
        self.pairs = [_both(p) for p in pairs]
        plain = all(
            s.quantifier.maximum is None or s.quantifier.maximum == 1 for s in alternative.steps
        ) and all(n.hits is None for n in alternative.negations)
        #: What the alternative calls for: ranges and paths, the same after choosing some events, or enumeration.
        self.way: Literal["tight", "pinned", "search"] = "search"
        if plain and all(c.pair is not None for c in alternative.conditions):
            self.way = "tight"
        elif plain and not next_match and self.pins.possible:
            self.way = "pinned"
        completing = next_match and not alternative.growing and len(alternative.steps) > 1
        self.completes_simply = completing and self.way == "tight" and self.shape.completes_simply
        self.completes = completing and not self.completes_simply
        self.countable = (
            not next_match
            and self.way == "tight"
            and not alternative.negations
            and all(s.quantifier.single for s in alternative.steps)
        )

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        """The matches of this alternative that end with `end`."""
        if len(self.ends) == 1:
            return self._ending(end, *self.ends[0], view)
        return (m for step, accepts in self.ends for m in self._ending(end, step, accepts, view))

    def _ending(self, end: Event, step: int, accepts: StepFilter, view: View) -> Iterator[Match]:
        """The matches that end with `end`, taken by a step."""
        lane = view.steps[self.number][step]
        events = lane.content.events
        if events and events[-1] is end:
            place = len(events) - 1
        elif end.type in accepts.types and (accepts.accepts is None or accepts.accepts(end)):
            place = lane.place(view.order(end), end)
        else:
            return iter(())
        if self._hopeless(step, lane.content.order[place], view):
            return iter(())
        contents = [lane.content for lane in view.steps[self.number]]
        negations = [lane.content for lane in view.negations[self.number]]
        if self.completes:
            return self._uncompleted(place, step, contents, negations, view)
        return self._candidates(place, step, contents, negations, view)

    def _hopeless(self, step: int, order: int, view: View) -> bool:
        """Whether the step before cannot have taken anything: one look at the tail of its lane."""
        if not step or self.shape.optional[step - 1]:
            return False
        numbers = view.steps[self.number][step - 1].content.order
        return not numbers or numbers[-1] < view.ordering.floor(order)

    def count(self, end: Event, view: View) -> int | None:
        """How many matches there are, if that is known without making them."""
        if self.countable:
            lanes = view.steps[self.number]
            order = view.order(end)
            return count_singles(
                [lane.content.order for lane in lanes[:-1]], view.ordering.floor(order), order
            )
        return None

    def _uncompleted(
        self,
        place: int,
        step: int,
        contents: Sequence[Content],
        negations: Sequence[Content],
        view: View,
    ) -> Iterator[Match]:
        """The candidates whose run no earlier one completed."""
        numbers = contents[step].order
        begin = bisect_left(numbers, view.ordering.floor(numbers[place]))
        known: Completions | None = view.memo.get(("completions", self.number))
        if known is None or known.begin > begin or known.stop < begin:
            known = view.memo[("completions", self.number)] = Completions(begin)
        for earlier in range(known.stop, place):
            known.add(earlier, list(self._candidates(earlier, step, contents, negations, view)))
        candidates = list(self._candidates(place, step, contents, negations, view))
        if known.stop == place:
            known.add(place, candidates)
            known.forget(begin)
        for match in candidates:
            if not known.completed(match, place):
                yield match

    def _candidates(
        self,
        place: int,
        step: int,
        contents: Sequence[Content],
        negations: Sequence[Content],
        view: View,
    ) -> Iterator[Match]:
        """The matches that end at a place of the lane of `step` and are contained in no other that does."""
        alternative = self.alternative
        groups: tuple[Group, ...]
        if self.way == "search":
            search = Search(self.rules, contents, negations, view.ordering, self.budget)
            for groups in search.ending(place, step):
                yield Match(alternative, groups)
            self._report(search.budget)
            return
        if self.way == "pinned":
            end = contents[step].events[place]
            budget = self.budget
            for lanes in self.pins.choices(contents, view.ordering, end, step):
                paths = [self._fresh_paths(k, lanes[k], view) for k in range(len(lanes))]
                window = Window(self.shape, lanes, negations, view.ordering, paths, budget)
                try:
                    at = lanes[step].events.index(end)
                except ValueError:
                    continue
                for groups in window.ending(at, step, None):
                    yield Match(alternative, groups)
                budget = window.budget
            self._report(budget)
            return
        known_paths = [self._paths(k, contents[k], view) for k in range(len(contents))]
        window = Window(self.shape, contents, negations, view.ordering, known_paths, self.budget)
        previous = contents[step].order[place - 1] if self.completes_simply and place else None
        for groups in window.ending(place, step, previous):
            yield Match(alternative, groups)
        self._report(window.budget)

    def _report(self, budget: int) -> None:
        if budget < 0:
            self.counters["truncated"] += 1

    def _paths(self, step: int, content: Content, view: View) -> Paths | None:
        """The paths of a step's lane, kept between evaluations."""
        if self.pairs[step] is None:
            return None
        key = ("paths", self.number, step)
        known: Paths | None = view.memo.get(key)
        if known is None:
            known = view.memo[key] = self._fresh_paths(step, content, view)
        elif isinstance(known, (Forest, Reduction)):
            known.catch_up()
        return known

    def _fresh_paths(self, step: int, content: Content, view: View) -> Forest | Reduction | None:
        accepts = self.pairs[step]
        if accepts is None:
            return None
        return (Forest if self.next_match else Reduction)(content, view.ordering, accepts)


def _both(pairs: list[Any]) -> Any:
    """One test of neighbours that stands for all of them; None for none."""
    if len(pairs) < 2:
        return pairs[0] if pairs else None
    return lambda a, b: all(p(a, b) for p in pairs)
