"""Why matches came and went where one cause stands for all."""

from __future__ import annotations

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.why import InOrder
from limecep.plan.compiler import compile_plan

(ALTERNATIVE,) = compile_plan(parse("PATTERN SEQ(A+ a[], B b) WITHIN 10 s"), name="p").alternatives
START, END = Event("A", "a20", 20, ordinal=1), Event("B", "b25", 25, ordinal=4)
MATCH = Match(ALTERNATIVE, ((START,), (END,)))


def test_what_came_in_order_is_its_own_cause_where_no_other_is_given() -> None:
    assert InOrder("in_order", None).found(MATCH) == ("in_order", END)
    assert InOrder("time", None).found(MATCH) == ("time", None)
    assert InOrder("in_order", START).found(MATCH) == ("in_order", START)
    assert InOrder("in_order", None).lost(MATCH) == ("in_order", None)
    assert InOrder("time", START).lost(MATCH) == ("time", START)
