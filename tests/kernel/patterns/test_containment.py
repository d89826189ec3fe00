"""Containment of matches."""

from __future__ import annotations

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.containment import contains
from limecep.plan.compiler import compile_plan

EVENTS = {n: Event(n[0].upper(), n, int(n[1:]), ordinal=int(n[1:])) for n in ("a1", "b4", "b5", "b6")}


def test_every_group_is_compared_those_with_nothing_in_them_too() -> None:
    three = compile_plan(parse("PATTERN SEQ(A a, B* b[], C+ c[]) WITHIN 1 h"), name="p").alternatives[0]
    groups = [tuple(EVENTS[n] for n in names.split()) for names in ("a1", "b4", "", "b5", "b6", "b5 b6")]
    a, b, none, one, other, both = groups
    assert not contains(Match(three, (a, b, one)), Match(three, (a, none, other)))
    assert contains(Match(three, (a, b, both)), Match(three, (a, none, other)))
    assert not contains(Match(three, (a, none, both)), Match(three, (a, b, other)))
