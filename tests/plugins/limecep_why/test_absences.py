"""Where a negated step may have no event, and what came there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked


def absence(asked: Asked, query: str, events: str, match: int = 0) -> tuple[str, list[tuple[str, bool]]]:
    """Where a match could have no event, in seconds after ten, and what came there, and if it forbids."""
    [told] = asked.told(asked.run(query, events)[match])["absences"]
    span = f"{told['from'][14:19]} {told['to'][14:19]}"
    return span, [(e["id"], e["hits"]) for e in told["events"]]


@pytest.mark.parametrize(
    ("query", "events", "span"),
    [
        ("SEQ(A a, !X x, B b) WITHIN 10 s", "a1 b5", "00:01 00:05"),
        ("SEQ(!X x, A a, B b) WITHIN 10 s", "a21 b25", "00:15 00:21"),
        ("SEQ(A a, B b, !X x) WITHIN 10 s", "a1 b5", "00:05 00:11"),
        ("SEQ(A a, !X x, B? b, C c) WITHIN 10 s", "a1 c5", "00:01 00:05"),
        ("SEQ(A+ a[], !X x, B b) WITHIN 10 s", "a1 a2 b5", "00:02 00:05"),
    ],
)
def test_where_there_was_nothing(query: str, events: str, span: str, asked: Asked) -> None:
    assert absence(asked, query, events) == (span, [])


def test_what_forbids_the_match_took_it_back(asked: Asked) -> None:
    [match] = asked.run("SEQ(A a, !X x, B b) WITHIN 10 s", "a1 b5 x3")
    text = asked.why(match)
    assert "retracted with revision 2" in text
    assert (
        "absent  !X x  between a1 and b5: 10:00:01 to 10:00:05\n  X x3 of 10:00:03 forbids the match" in text
    )
    assert "#3  10:20:02  X  x3  of 10:00:03     took it back: revision 2" in text
    assert "2  - retract  told 10:20:02  2 events  (negation: X x3 of 10:00:03)" in text


def test_what_came_there_and_fails_a_condition_is_shown_with_its_values(asked: Asked) -> None:
    query = "SEQ(A a, !X x, B b) WHERE x.v > a.v AND x.v > $limit WITHIN 10 s"
    [match] = asked.run(query, "a1=20 x2=15 x3 b5")
    text = asked.why(match)
    assert "  of those with x.v > a.v\n  of those with x.v > $limit\n" in text
    assert "X x2 of 10:00:02 does not forbid it: 15 > 20 FALSE; 15 > 10 true" in text
    assert "X x3 of 10:00:03 does not forbid it: missing > 20 UNKNOWN; missing > 10 UNKNOWN" in text


def test_events_at_its_ends_of_another_key_and_copies_do_not_count(asked: Asked) -> None:
    query = "SEQ(A a, !X x, B b) WITHIN 10 s"
    assert absence(asked, query, "x1 a1 b5 x5") == ("00:01 00:05", [])
    asked.run("SEQ(A a, !X x, B b) WITHIN 10 s PARTITION BY v", "a1=7 x2=8 x3=7.5 b5=7")
    [told] = asked.told("")["absences"]
    assert told["events"] == []


def test_what_was_refused_as_too_late_does_not_forbid(asked: Asked) -> None:
    query, bound = "SEQ(A a, !X x, B b) WITHIN 10 s", "lateness: {type: bound, within: 1s}"
    [match] = asked.run(query, "a1 b5 a40 x3", more=bound)
    assert "X x3 of 10:00:03 refused as extremely late, so it does not count" in asked.why(match)


def test_equal_assignments_stand_by_the_alternative_that_nothing_forbids(asked: Asked) -> None:
    [match] = asked.run("OR(SEQ(A a, !X x, B b), SEQ(A a, B b)) WITHIN 10 s", "a1 x2 b3")
    told = asked.told(match)
    assert told["standing"] == "live"
    assert told["absences"] == []
