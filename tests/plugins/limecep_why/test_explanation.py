"""The parts of an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

RISING = "SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 30 s"


def test_events_are_in_the_order_of_event_time_with_delay_and_marks(asked: Asked) -> None:
    [match] = asked.run(RISING, "a1 b7=3 b5=2 c9 b8=4", more="slack: none")
    told = asked.told(match)
    assert [(e["id"], e["behind_seconds"], e["out_of_order"], e["late"]) for e in told["events"]] == [
        ("a1", 0.0, False, False),
        ("b5", 2.0, True, False),
        ("b7", 0.0, False, False),
        ("b8", 1.0, True, True),
        ("c9", 0.0, False, False),
    ]
    assert told["events"][1]["delay_seconds"] == 1202.0 - 5.0
    assert (told["start"], told["end"], told["seconds"]) == (
        "2026-01-05T10:00:01Z",
        "2026-01-05T10:00:09Z",
        8.0,
    )
    assert told["within_seconds"] == 30.0


def test_a_revision_names_what_came_and_went(asked: Asked) -> None:
    query = "SEQ(A a, B b) WITHIN 30 s"
    match = asked.run(query, "a1 b7 b5", "--set", "patterns.p.engine=nfa", more="slack: none")[0]
    told = asked.told(match, "--set", "patterns.p.engine=nfa")
    assert [r["op"] for r in told["revisions"]] == [r["op"] for r in asked.records if r["match"] == match]


def test_values_of_a_match_and_what_a_correction_made_of_them(asked: Asked) -> None:
    query = f"{RISING}\n      RETURN count(b) AS n, a.v AS v"
    [match] = asked.run(query, "a1 b3=1 c9 b5=2", more="slack: none")
    told = asked.told(match)
    assert told["values"] == {"n": 2, "v": None}
    assert [(r["values"], r.get("values_before")) for r in told["revisions"]] == [
        ({"n": 1, "v": None}, None),
        ({"n": 2, "v": None}, {"n": 1, "v": None}),
    ]
    text = asked.why(match)
    assert "  n = 2\n  v = -\n" in text
    assert "       n: 1 -> 2\n" in text
    assert "v: -" not in text


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A a, B b) WITHIN 9 s",
        "SEQ(A+ a[], B* b[], C? c, D d) WITHIN 30 s",
        "SEQ(A a, AND(B b, C c)) WITHIN 30 s",
        "OR(SEQ(A a, B b), SEQ(A a, C c)) WITHIN 9 s",
        "SEQ(!X x, A a, !X y, B b) WITHIN 9 s",
        "SEQ(A a, B+ b[], !X x) WITHIN 5 s",
        "SEQ(A a, B+ b[]) WITHIN 9 s",
    ],
)
def test_patterns_of_every_kind_are_explained(engine: str, select: str, query: str, asked: Asked) -> None:
    more = f"engine: {engine}\n    select: {select}\n    slack: none"
    events = "a1 b2 c3 d4 a11 c12 b13 d14 a12.5 b2.5"
    matches = asked.run(query, events, more=more)
    for match in matches[:3]:
        told = asked.told(match)
        assert told["notes"] == []
        assert told["conditions"] == []
        assert {e["id"] for e in told["events"]} <= {*events.split()}


@pytest.mark.parametrize(
    "results",
    ["skip: past-last", "skip: to-next", "emit: complete", "emit: slack", "final: true", "horizon: 3s"],
)
def test_result_policies_of_every_kind_are_explained(results: str, asked: Asked) -> None:
    more = f"lateness: {{type: bound, within: 5s}}\n    results: {{type: corrected, {results}}}"
    matches = asked.run(RISING, "a1 b2=1 c3 b2.5=2 a11 b12=1 c13 a14 b15=1 c16 a40", more=more)
    for match in matches:
        assert asked.told(match)["conditions"][0]["truth"] is True


def test_a_group_of_ten_thousand_gives_a_bounded_text(asked: Asked) -> None:
    events = " ".join(f"b{n}={n}" for n in range(2, 10_002))
    [match] = asked.run("SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 10 h", f"a1 {events} c20000")
    text = asked.why(match)
    assert len(text) < 10_000
    assert "... 9,982 more" in text
    assert "... 9,979 more" in text
