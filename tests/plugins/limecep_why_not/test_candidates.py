"""Assignments that may be made a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import Event, sort_key
from limecep.testing.streams import SECOND, written
from limecep_why_not.candidates import Drafts, Region
from limecep_why_not.changes import Refused, identity

if TYPE_CHECKING:
    from collections.abc import Callable


def drafts(house: Any, text: str, things: int, late: str = "", required: str = "") -> list[str]:
    events = sorted(written(text), key=sort_key)
    refused = {id(e): Refused(e, 11.0, 10.0) for e in events if e.id in late.split()}
    [alternative] = house.plan.alternatives
    within = house.plan.within
    found = Drafts(
        alternative=alternative,
        region=Region(time=3 * SECOND, radius=within, within=within),
        events=events,
        refused=refused,
        required=[identity(e) for e in events if e.id in required.split()],
    )
    return sorted(
        " ".join("+" if not isinstance(e, Event) else e.id for g in d.groups for e in g)
        for d in found.drafts(things)
    )


def test_without_changes_they_are_the_matches_but_for_what_hits(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, !X x, B b) WHERE b.v > a.v WITHIN 9 seconds")
    assert drafts(made, "a1=1 x2 a3=5 b4=3 b15=9", 0) == ["a1 b4"]


def test_a_change_is_an_added_event_or_what_does_not_hold_or_fit(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b) WHERE b.v > a.v WITHIN 4 seconds")
    assert drafts(made, "a1=5 b3=3 b6=9", 1) == ["+ b3", "+ b6", "a1 +", "a1 b3", "a1 b6"]
    assert drafts(made, "a1=5 b3=9 b6=9", 0, late="b3") == []
    assert "a1 b3" in drafts(made, "a1=5 b3=9 b6=9", 1, late="b3")


def test_they_take_what_is_required(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b) WITHIN 9 seconds")
    assert drafts(made, "a1 a2 b3 b4", 0, required="a2 b4") == ["a2 b4"]
    assert drafts(made, "a1 a2 b3 b4", 0, required="a1 a2") == []


def test_of_many_events_only_lean_groups_are_made(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B+ b[], C c) WITHIN 20 seconds")
    few, many = "a1 b2 b3 c9", f"a1 {' '.join(f'b{n}' for n in range(2, 12))} c12"
    assert drafts(made, few, 0) == ["a1 b2 b3 c9", "a1 b2 c9", "a1 b3 c9"]
    assert drafts(made, many, 0) == sorted(f"a1 b{n} c12" for n in range(2, 12))


def test_a_time_within_a_match_is_no_distance_away() -> None:
    region = Region(time=10, radius=3, within=5)
    assert [region.distance(*ends) for ends in ((8, 12), (11, 12), (1, 6))] == [0, 1, 4]
    assert [region.near(*ends) for ends in ((13, 14), (14, 15), (1, 7), (1, 6))] == [True, False, True, False]
