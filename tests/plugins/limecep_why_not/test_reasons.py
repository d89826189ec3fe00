"""Why nothing near can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.testing.streams import SECOND, written
from limecep_why_not.candidates import Region
from limecep_why_not.reasons import reason, spelled

if TYPE_CHECKING:
    from collections.abc import Callable


def why(house: Any, text: str, at: int, required: str = "", **more: Any) -> str:
    events = written(text)
    within = house.plan.within
    region = Region(time=at * SECOND, radius=within, within=within)
    asked = {"key": None, "whole": True} | more
    return reason(
        house.plan, events, region, required=[e for e in events if e.id in required.split()], **asked
    )


def test_it_says_what_is_nearest_or_that_nothing_came(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b) WITHIN 9 seconds PARTITION BY v")
    assert why(made, "x1", 3) == "no A or B came at all"
    nearest = "is near: the nearest is"
    assert why(made, "a1=1 a2=2", 99) == f"no A or B {nearest} A a2 at 1970-01-01T00:00:02Z"
    assert why(made, "a1=1 a2=2 a70=2", 35).endswith("is A a2 at 1970-01-01T00:00:02Z")
    assert why(made, "a1=1 a2=2 a70=2", 38).endswith("is A a70 at 1970-01-01T00:01:10Z")
    of_key = f"no A or B of the key 1 {nearest} A a1 at 1970-01-01T00:00:01Z"
    assert why(made, "a1=1 a2=2", 99, key="1") == of_key
    assert why(made, "a1 b99", 99, required="a1") == "A a1 is not near: it is at 1970-01-01T00:00:01Z"


def test_it_says_whether_all_was_looked_at(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b) WITHIN 9 seconds")
    assert why(made, "a1", 3) == "no match was found with 3 changes or fewer"
    assert why(made, "a1", 3, whole=False) == "no match was found in what was looked at"


def test_a_key_may_be_written_with_its_names(house: Callable[..., Any]) -> None:
    plan = house("SEQ(A a) WITHIN 9 seconds PARTITION BY v").plan
    [number], [truth], [none] = written("a1=7"), written("a1=true"), written("a1")
    assert spelled(plan, number) == ("7", "v=7")
    assert spelled(plan, truth) == ("true", "v=true")
    assert spelled(plan, none) == ("",)
