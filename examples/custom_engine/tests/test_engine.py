"""The engine does what every engine must do, and what its rule says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import Pipeline
from limecep.errors import ConfigurationError
from limecep.testing.engine import EngineConformance
from limecep.testing.streams import written
from limecep_top.config import TopOptions
from limecep_top.engine import TopEngine

if TYPE_CHECKING:
    from limecep.api import Context, Plan


class TestTopEngine(EngineConformance):
    """Its meaning is its rule: the suite asks `keeps`."""

    examples = 40

    def make_engine(self, plan: Plan, context: Context) -> TopEngine:
        return TopEngine(plan, TopOptions(by="b.v", count=2), context)


def pipeline(query: str, **options: object) -> Pipeline:
    engine = {"type": "top", "by": "b.v", **options}
    document = {
        "version": 1,
        "patterns": {"p": {"query": query, "select": "stam", "engine": engine, "slack": "none"}},
    }
    return Pipeline.from_dict(document)


def test_the_best_match_gives_way_to_a_better_one_that_comes_late() -> None:
    with pipeline("PATTERN SEQ(A a, B b, C c) WITHIN 10 s") as made:
        (first,) = made.feed(written("a1 b2=5 b3=7 c4"))
        assert first.record("ids")["events"]["b"] == ["b3"]
        gone, come = made.feed(written("b2.5=9"))
        assert (gone.op, gone.id) == ("retract", first.id)
        assert (come.op, come.record("ids")["events"]["b"]) == ("emit", ["b2.5"])
        assert made.feed(written("b2.6=8")) == []


def test_of_equal_sums_the_events_decide_whatever_the_order_of_arrival() -> None:
    for arrival in ("a1 b2=5 b3=5 c4", "b3=5 c4 b2=5 a1"):
        with pipeline("PATTERN SEQ(A a, B b, C c) WITHIN 10 s") as made:
            updates = made.feed(written(arrival)) + made.finish()
            assert updates[-1].record("ids")["events"]["b"] == ["b2"]


def test_it_ranks_by_a_variable_that_takes_events() -> None:
    with pytest.raises(ConfigurationError, match="'by' names 'x', which is no variable of the pattern"):
        pipeline("PATTERN SEQ(A a, !X x, B b) WITHIN 10 s", by="x.v")


def test_it_does_not_go_with_an_absence_at_the_end() -> None:
    with pytest.raises(ConfigurationError, match="may end with an absence, and the engine 'top' chooses"):
        pipeline("PATTERN SEQ(A a, B b, !C c) WITHIN 10 s")
