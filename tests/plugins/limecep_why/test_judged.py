"""The conditions of a match with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked


def conditions(asked: Asked, query: str, events: str, more: str = "") -> list[tuple[str, Any, list[str]]]:
    told = asked.told(asked.run(query, events, more=more)[0])
    return [
        (c["condition"], c["truth"], [i.get("text", f"{i.get('more')} more") for i in c["instances"]])
        for c in told["conditions"]
    ]


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
def test_every_condition_is_as_written_and_true(engine: str, asked: Asked) -> None:
    query = "SEQ(A a, B+ b[], C? c, D d) WHERE a.v > $limit AND b[i].v > 0 AND c.v > 1 AND d.v > 1 WITHIN 1 h"
    assert conditions(asked, query, "a1=11 b2=1 b3=2 d4=2", f"engine: {engine}") == [
        ("a.v > $limit", True, ["11 > 10"]),
        ("b[i].v > 0", True, ["1 > 0", "2 > 0"]),
        ("c.v > 1", True, []),
        ("d.v > 1", True, ["2 > 1"]),
    ]


def test_what_an_optional_step_did_not_take_is_told_as_about_nothing(asked: Asked) -> None:
    [match] = asked.run("SEQ(A a, C? c, D d) WHERE c.v > 1 WITHIN 1 h", "a1 d4")
    assert "c.v > 1  true: there is nothing that it is about" in asked.why(match)


def test_of_many_choices_the_first_are_shown_and_all_counted(asked: Asked) -> None:
    events = " ".join(f"b{n}=1" for n in range(2, 102))
    [(_, truth, shown)] = conditions(
        asked, "SEQ(A a, B+ b[], C c) WHERE b.v < 5 WITHIN 1 h", f"a1 {events} c200"
    )
    assert truth is True
    assert len(shown) == 21
    assert shown[-1] == "80 more"


def test_conditions_on_negated_steps_stand_with_these(asked: Asked) -> None:
    query = "SEQ(A a, !X x, B b) WHERE x.v > a.v AND a.v > 1 WITHIN 1 h"
    assert [c[0] for c in conditions(asked, query, "a1=2 b4")] == ["a.v > 1"]
    assert asked.told("")["absences"][0]["conditions"] == ["x.v > a.v"]


def test_a_pattern_without_conditions_has_none(asked: Asked) -> None:
    [match] = asked.run("SEQ(A a) WITHIN 1 s", "a1")
    assert "conditions" not in asked.why(match)
