"""The conformance suite on an engine made of the oracle, and on engines that are wrong on purpose."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, ClassVar, Literal

import pytest
from hypothesis import Phase, settings

from limecep.model.event import Event, sort_key
from limecep.model.match import Match
from limecep.model.pattern import Pattern, Sequence, Step
from limecep.testing.cases import CASES
from limecep.testing.engine import EngineConformance
from limecep.testing.oracle import Assignment, all_matches, identity, maximal_matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.plan.plan import Alternative, Plan
    from limecep.store.view import View


#: The cases that brute force can do.
SMALL = tuple(c for c in CASES if len(c.events.split()) < 20)


class Naive:
    """Asks the oracle about everything that is in the view, one alternative at a time."""

    results: ClassVar[Literal["all", "maximal"]] = "maximal"

    def __init__(self, plan: Plan, context: Context) -> None:
        self._plan = plan
        self._context = context

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        for k, alternative in enumerate(self._plan.alternatives):
            lanes = [*view.steps[k], *view.negations[k]]
            if view.stream is not None:
                lanes.append(view.stream)
            events = {identity(e): e for lane in lanes for e in lane.content.events}
            if len(events) > 20:
                self._context.truncated(end)
                return
            for found in self._found(alternative, list(events.values()), end):
                groups = dict(found)
                yield Match(
                    alternative,
                    tuple(tuple(events[i] for i in groups.get(s.variable, ())) for s in alternative.steps),
                )

    def count(self, end: Event, view: View) -> int | None:
        return sum(1 for _ in self.matches(end, view))

    def _found(self, alternative: Alternative, events: list[Event], end: Event) -> list[Assignment]:
        steps = [Step(s.variable, s.filter.types, s.quantifier) for s in alternative.steps]
        parts: list[Step] = []
        for k in range(len(steps) + 1):
            parts += [
                Step(n.variable, n.filter.types, negated=True) for n in alternative.negations if n.after == k
            ]
            parts += steps[k : k + 1]
        plan = self._plan
        pattern = Pattern(Sequence(tuple(parts)), plan.pattern.where, plan.within)
        growing = alternative.growing or self.results == "all"
        find = all_matches if growing else maximal_matches
        by_identity = {identity(e): e for e in events}

        def last(m: Assignment) -> Event:
            return max((by_identity[i] for _, group in m for i in group), key=sort_key)

        matches = [m for m in find(pattern, events, select=plan.select) if last(m) is end]
        if self.results == "all":
            return matches
        return [m for m in matches if not any(_contained(m, other) for other in matches)]


class NaiveAll(Naive):
    results = "all"


class Silent(Naive):
    """Finds nothing."""

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        return iter(())


class Stutters(Naive):
    """Gives every match twice."""

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        for match in super().matches(end, view):
            yield from (match, match)


class KeepsAcrossCalls(Naive):
    """Remembers its first answer for an end event, whatever comes."""

    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(plan, context)
        self._kept: dict[str, list[Match]] = {}

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        if end.id not in self._kept:
            self._kept[end.id] = list(super().matches(end, view))
        return iter(self._kept[end.id])


class Stubborn(Naive):
    """Works long, and never looks whether the run has to end."""

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        begun = process_time()
        while process_time() - begun < 0.6:
            pass
        return iter(())


def _contained(m: Assignment, other: Assignment) -> bool:
    larger = dict(other)
    return m != other and all(set(group) <= set(larger.get(v, ())) for v, group in m)


class TestNaiveMaximal(EngineConformance):
    examples = 100
    cases = SMALL

    def make_engine(self, plan: Plan, context: Context) -> Engine:
        return Naive(plan, context)


class TestNaiveAll(EngineConformance):
    examples = 60
    cases = SMALL

    def make_engine(self, plan: Plan, context: Context) -> Engine:
        return NaiveAll(plan, context)


def suite(engine: type[Naive]) -> EngineConformance:
    class Suite(EngineConformance):
        examples = 40
        seed = 1

        def make_engine(self, plan: Plan, context: Context) -> Engine:
            return engine(plan, context)

    return Suite()


@pytest.fixture
def unshrunk() -> Iterator[None]:
    """Leaves failures as they were found: making them small takes a minute."""
    settings.register_profile("unshrunk", phases=[Phase.generate])
    settings.load_profile("unshrunk")
    yield
    settings.load_profile("default")


@pytest.mark.usefixtures("unshrunk")
def test_a_failure_shows_pattern_stream_and_both_results() -> None:
    with pytest.raises(AssertionError) as failure:
        suite(Silent).test_agrees_with_the_oracle_in_order("stnm", "plain")
    text = str(failure.value)
    for part in (
        "PATTERN SEQ(",
        "select stnm",
        "000000 ",
        "expected\n  a: ",
        "got\n  none",
        "missing\n  a: ",
    ):
        assert part in text


def test_a_match_given_twice_is_refused() -> None:
    with pytest.raises(AssertionError, match="given twice"):
        suite(Stutters).test_gives_the_right_answer_in_a_small_case(CASES[0])


def test_a_search_that_nothing_can_stop_is_told() -> None:
    with pytest.raises(AssertionError, match="nothing could have stopped it"):
        suite(Stubborn).test_a_long_search_can_be_stopped()


@pytest.mark.usefixtures("unshrunk")
def test_what_an_engine_may_not_keep_is_noticed_after_disorder() -> None:
    suite(KeepsAcrossCalls).test_agrees_with_the_oracle_in_order("stnm", "plain")
    with pytest.raises(AssertionError, match="PATTERN"):
        suite(KeepsAcrossCalls).test_agrees_after_disorder("stnm")
