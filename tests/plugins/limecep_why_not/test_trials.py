"""What the pattern's own engine finds in a few events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable


def found(house: Any, text: str, within: int = 9, lifted: tuple[str, ...] = ()) -> list[str]:
    matches = house.trials.found(written(text), within * SECOND, frozenset(lifted))
    return sorted(" ".join(e.id for g in m.events.values() for e in g) for m in matches)


def test_the_engine_and_the_policies_of_the_pattern_decide(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b) WITHIN 9 seconds")
    assert found(made, "a1 b2 b3") == ["a1 b2"]
    assert found(made, "a1 b2 b3", lifted=("select",)) == ["a1 b2", "a1 b3"]
    assert found(made, "a1 b12", within=11) == ["a1 b12"]
    assert made.trials.rules == {"select": "stnm"}


def test_rules_are_those_that_choose_among_matches(house: Callable[..., Any]) -> None:
    results = {"type": "corrected", "skip": "past-last", "pick": "last"}
    made = house("SEQ(A a, B b) WITHIN 9 seconds", select="stam", results=results)
    assert made.trials.rules == {"results": "skip: past-last", "pick": "last"}
    assert found(made, "a1 a2 b3 b4") == ["a2 b3"]
    assert found(made, "a1 a2 b3 b4", lifted=("pick",)) == ["a1 b3"]
    assert found(made, "a1 a2 b3 b4", lifted=("results", "pick")) == ["a1 b3", "a1 b4", "a2 b3", "a2 b4"]


def test_what_waits_for_time_is_found(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, !B b) WITHIN 9 seconds", results={"type": "corrected", "emit": "complete"})
    assert found(made, "a1 a12 b13") == ["a1"]
