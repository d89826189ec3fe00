"""Which way to emit a pattern needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.patterns.emission.after_slack import AfterSlack, AfterSlackInTime
from limecep.patterns.emission.at_once import AtOnce
from limecep.patterns.emission.in_time import InTime
from limecep.patterns.emission.ways import way_to_emit
from limecep.patterns.emission.when_final import WhenFinal
from limecep.patterns.timing import Timing
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from limecep.contracts.results import Emit
    from limecep.patterns.event_manager import EventManager

PLAIN, GROWING, ABSENCE = "SEQ(A a, B b)", "SEQ(A a, B+ b[])", "SEQ(A a, B b, !C c)"


@pytest.mark.parametrize(
    ("emit", "query", "way"),
    [
        ("eager", PLAIN, AtOnce), ("eager", GROWING, AtOnce), ("eager", ABSENCE, InTime),
        ("complete", PLAIN, AtOnce), ("complete", GROWING, InTime),
        ("slack", PLAIN, AfterSlack), ("slack", ABSENCE, AfterSlackInTime),
        ("final", PLAIN, WhenFinal), ("final", ABSENCE, WhenFinal),
    ],
)  # fmt: skip
def test_the_way_follows_from_the_policy_and_from_what_matches_wait_for(
    emit: Emit, query: str, way: type[EventManager]
) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 5 s"), name="p")
    assert way_to_emit(emit, Timing(plan, emit)) is way
