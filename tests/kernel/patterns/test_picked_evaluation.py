"""Evaluation where one match of an end event is a result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import ContractBreach
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.picked_evaluation import PickedEvaluation
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = pytest.mark.interpreted

PLAN = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 h"), name="p", pick="last", max_per_end=3)
END = Event("B", "b", 9, ordinal=9)


def match(a: int) -> Match:
    return Match(PLAN.alternatives[0], ((Event("A", f"a{a}", a, ordinal=a),), (END,)))


class Window:
    def within(self, end: Event) -> int:
        return 5

    def within_any(self, ends: Any) -> int:
        return 7


class Engine:
    """Finds the same for each end event, and has whatever else an engine may have."""

    def __init__(self, *starts: int) -> None:
        self.found = [match(a) for a in starts]

    def count(self, end: Event, view: object) -> int:
        raise AssertionError("nobody asks how many there are")

    def matches(self, end: Event, view: object) -> Iterable[Match]:
        return iter(self.found)

    def matches_of(self, ends: list[Event], view: object) -> list[list[Match]]:
        raise AssertionError("each is asked by itself")

    def matches_from(self, end: Event, view: object, t_gen: int) -> list[Match]:
        raise AssertionError("which one is picked depends on all")

    def going(self, event: Event, view: object) -> None:
        raise AssertionError("which one is picked depends on all")

    def coming(self, view: object, changed: object) -> list[Match]:
        raise AssertionError("which one is picked depends on all")


class Knowing(Engine):
    """Knows which one is picked, or says that it does not."""

    told: Any = None

    def picked(self, end: Event, view: object) -> Any:
        return self.told


def evaluation(engine: Any) -> tuple[PickedEvaluation, Counter[str]]:
    counters: Counter[str] = Counter()
    context = Context(label="p", clock=ManualClock(), counters=counters, logger=structlog.get_logger())
    return PickedEvaluation(PLAN, engine, context), counters


def starts(matches: Iterable[Match]) -> list[int]:
    return [m.start.t_gen for m in matches]


VIEW: Any = Window()


def test_the_best_is_picked_of_what_the_engine_gives() -> None:
    asked, counters = evaluation(Engine(1, 5, 3))
    assert starts(asked.matches(END, VIEW)) == [5]
    assert asked.count(END, VIEW) == 1
    assert starts(asked.again([END, END], VIEW, None)) == [5, 5]
    assert starts(asked.again([END], VIEW, lambda m: m.start.t_gen < 5)) == []
    assert counters == {"engine_runs": 5, "on_demand_runs": 3, "events_handed": 24}
    assert asked.going(END, VIEW) is None
    assert asked.started(END, VIEW, 5) is None
    assert asked.sharing is None


def test_of_nothing_nothing_is_picked() -> None:
    asked, _ = evaluation(Engine())
    assert [*asked.matches(END, VIEW)] == []
    assert asked.count(END, VIEW) == 0


def test_an_engine_that_knows_which_one_is_not_asked_for_the_others() -> None:
    engine = Knowing(1, 5, 3)
    engine.told = [match(4)]
    asked, _ = evaluation(engine)
    assert starts(asked.matches(END, VIEW)) == [4]
    engine.told = []
    assert asked.count(END, VIEW) == 0
    engine.told = None
    assert starts(asked.matches(END, VIEW)) == [5]
    engine.told = ["x"]
    with pytest.raises(ContractBreach, match="gave 'x' where a match is due"):
        asked.matches(END, VIEW)


def test_what_is_beyond_the_bound_is_not_looked_at_and_that_is_told() -> None:
    looked = []

    class Endless(Engine):
        def matches(self, end: Event, view: object) -> Iterator[Match]:
            for a in range(1, 9):
                looked.append(a)
                yield match(a)

    asked, counters = evaluation(Endless())
    assert starts(asked.matches(END, VIEW)) == [3]
    assert looked == [1, 2, 3, 4]
    assert counters["truncated"] == 1
