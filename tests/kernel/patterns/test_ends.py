"""End events are told by their type and the conditions of the last step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.patterns.ends import EndEvents
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from limecep.model.event import Event


@pytest.mark.parametrize(
    ("query", "types", "surely", "ends"),
    [
        ("SEQ(A a, B b)", "B", "B", "b3=1 b4=2 b5"),
        ("SEQ(A a, B b) WHERE b.v > 1", "B", "", "b4=2"),
        ("SEQ(A a, !B x, (B OR C) y) WHERE y.v > 1", "BC", "", "b4=2 c6=2"),
        ("SEQ(A a, B* b[])", "AB", "AB", "a1 a2=2 b3=1 b4=2 b5"),
    ],
)
def test_they_are_those_that_the_last_steps_take(query: str, types: str, surely: str, ends: str) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p")
    found = EndEvents(plan)
    assert (found.types, found.surely) == (frozenset(types), frozenset(surely))
    store = Store()
    view = store.subscribe(plan).only
    assert view is not None
    expected = [e.id for e in written(ends)]
    told: list[Event] = []
    for event in written("a1 a2=2 b3=1 b5 b4=2 c6=2 x7"):
        if (type_set := store.type_set(event.type)) is not None:
            store.add(event, type_set)
        if event in found:
            told.append(event)
    assert {e.id for e in told} == set(expected)
    within = found.between(view, 2 * SECOND, 5 * SECOND)
    assert within == sorted((e for e in told if 2 <= e.t_gen / SECOND <= 5), key=lambda e: e.t_gen)
