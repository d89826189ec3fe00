"""The conformance suite on an engine made of the oracle, and on engines that are wrong on purpose."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, ClassVar, Literal

import pytest

from limecep.model.match import Match
from limecep.testing.cases import CASES
from limecep.testing.engine import EngineConformance
from limecep.testing.oracle import identity, of_line
from limecep.testing.oracle.maximal import contained_in_no_other
from limecep.testing.oracle.structure import Line, lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Plan
    from limecep.store.view import View
    from limecep.testing.oracle.building import Groups

pytestmark = pytest.mark.usefixtures("unshrunk")


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
            for groups in self._found(alternative, list(events.values()), end):
                yield Match(alternative, groups)

    def count(self, end: Event, view: View) -> int | None:
        return sum(1 for _ in self.matches(end, view))

    def _found(self, alternative: Alternative, events: list[Event], end: Event) -> list[Groups]:
        line = next(one for one in lines(self._plan.pattern, {}) if _shape(one) == _shape(alternative))
        maximal = self.results == "maximal" and not alternative.growing
        found = of_line(line, events, self._plan.within, self._plan.select, maximal=maximal)
        ending = [groups for groups in found if [e for group in groups for e in group][-1] is end]
        return contained_in_no_other(ending) if self.results == "maximal" else ending


def _shape(sequence: Line | Alternative) -> object:
    """What tells a sequence from others of a pattern."""
    if isinstance(sequence, Line):
        steps = [(s.variable, set(s.types), s.quantifier) for s in sequence.steps]
        return steps, [(n.step.variable, set(n.step.types), n.after) for n in sequence.negations]
    steps = [(s.variable, set(s.filter.types), s.quantifier) for s in sequence.steps]
    return steps, [(n.variable, set(n.filter.types), n.after) for n in sequence.negations]


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


class Conceals(Naive):
    """Says that no event ever brings a match to light."""

    def exposed(self, event: Event, view: View) -> list[Event]:
        return []


class Misspells(Naive):
    def explains(self) -> list[str]:
        return []


class Stubborn(Naive):
    """Works long, and never looks whether the run has to end."""

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        begun = process_time()
        while process_time() - begun < 0.6:
            pass
        return iter(())


class TestNaiveMaximal(EngineConformance):
    examples = 12
    cases = SMALL
    # The built-in engines are tried elsewhere, in tests/engines.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    def make_engine(self, plan: Plan, context: Context) -> Engine:
        return Naive(plan, context)


class TestNaiveAll(EngineConformance):
    examples = 8
    cases = SMALL
    # The built-in engines are tried elsewhere, in tests/engines.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    def make_engine(self, plan: Plan, context: Context) -> Engine:
        return NaiveAll(plan, context)


def suite(engine: type[Naive]) -> EngineConformance:
    class Suite(EngineConformance):
        examples = 40
        seed = 1

        def make_engine(self, plan: Plan, context: Context) -> Engine:
            return engine(plan, context)

    return Suite()


def test_a_failure_shows_pattern_stream_and_both_results() -> None:
    with pytest.raises(AssertionError) as failure:
        suite(Silent).test_agrees_with_the_oracle_in_order("stnm", "plain")
    text = " ".join(str(failure.value).split())
    for part in (
        "PATTERN SEQ(",
        "select stnm",
        "000000 ",
        "expected a: ",
        "got none",
        "missing a: ",
    ):
        assert part in text


def test_a_match_given_twice_is_refused() -> None:
    with pytest.raises(AssertionError, match="given twice"):
        suite(Stutters).test_gives_the_right_answer_in_a_small_case(CASES[0])


def test_a_search_that_nothing_can_stop_is_told() -> None:
    with pytest.raises(AssertionError, match="nothing could have stopped it"):
        suite(Stubborn).test_a_long_search_can_be_stopped()


def test_what_an_engine_may_not_keep_is_noticed_after_disorder() -> None:
    suite(KeepsAcrossCalls).test_agrees_with_the_oracle_in_order("stnm", "plain")
    with pytest.raises(AssertionError, match="PATTERN"):
        suite(KeepsAcrossCalls).test_agrees_after_disorder("stnm")


def test_what_an_engine_says_is_not_brought_to_light_is_looked_at() -> None:
    with pytest.raises(AssertionError, match="not told of"):
        suite(Conceals).test_tells_what_an_event_brings_to_light(
            "stnm", "SEQ(A a, B b, !C n) WHERE n.v = b.v"
        )


def test_an_ability_that_is_misspelt_is_noticed() -> None:
    with pytest.raises(AssertionError, match="explain"):
        suite(Misspells).test_no_optional_ability_is_misspelt()
