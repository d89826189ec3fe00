"""The policy does what every lateness policy must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.api import Statistics
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.lateness import LatenessConformance
from limecep.testing.streams import written
from limecep_by_type.config import ByTypeOptions
from limecep_by_type.policy import SECOND, ByType

if TYPE_CHECKING:
    from limecep.api import Context, Plan

BOUNDS = {"A": 2 * SECOND, "B": 60 * SECOND}


class TestByType(LatenessConformance):
    def make_policy(self, plan: Plan, context: Context) -> ByType:
        return ByType(plan, ByTypeOptions(within=BOUNDS), context)


class TestByTypeWithABoundForAll(LatenessConformance):
    def make_policy(self, plan: Plan, context: Context) -> ByType:
        return ByType(plan, ByTypeOptions(within=BOUNDS, otherwise=10 * SECOND), context)


@pytest.mark.parametrize(
    ("event", "refused"),
    [("a98", False), ("a97", True), ("b40", False), ("b39", True), ("c90", False), ("c89", True)],
)
def test_each_type_has_its_bound(event: str, refused: bool) -> None:
    statistics = Statistics({})
    statistics.lta = 100 * SECOND
    nothing: None = None
    policy = ByType(nothing, ByTypeOptions(within=BOUNDS, otherwise=10 * SECOND), nothing)  # type: ignore[arg-type]
    (late,) = written(event)
    assert policy.assess(late, statistics).extremely_late is refused
    assert policy.horizon(statistics) == 40 * SECOND


def test_types_that_the_pattern_does_not_name_are_told() -> None:
    plan = compile_plan(parse("PATTERN SEQ(A a, C c) WITHIN 1 s"), name="p")
    ((key, problem),) = ByTypeOptions(within=BOUNDS).vet(plan)
    assert (key, problem.message) == ("within", "'within' names 'B', which is no event type of the pattern")
