"""Events that patterns derive: they enter, change and leave with the matches that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.model.event import DerivedEvent

if TYPE_CHECKING:
    from conftest import Made

BELOW = ("SEQ(A a, B b) WITHIN 5 s RETURN a.v AS v", None, "V", "end")


def test_a_match_is_an_event_to_other_patterns_as_soon_as_it_is_told(revising: type[Made]) -> None:
    made = revising(BELOW, ("SEQ(V x, C c) WITHIN 9 s", None))
    assert made.says("a1@1v1", "b1@3v1") == ["emit1 a1 b1 in_order"]
    assert made.says("c1@4v1") == ["emit1 V c1 in_order"]


def test_what_stands_on_a_match_follows_it_in_as_many_levels_as_there_are(revising: type[Made]) -> None:
    made = revising(
        ("SEQ(W y, D d) WITHIN 9 s", None),
        ("SEQ(V x, C c) WITHIN 9 s", None, "W", "end"),
        BELOW,
    )
    made.says("a1@1v1", "b1@3v1", "c1@4v1", "d1@5v1")
    assert made.says("b1@3v2x") == [
        "retract2 a1 b1 withdrawal",
        "retract2 V c1 withdrawal",
        "retract2 W d1 withdrawal",
    ]
    assert made.detection.store.size == 3
    assert made.says("b1@3v3") == ["emit3 a1 b1 late_event", "emit3 V c1 derived", "emit3 W d1 derived"]


def test_a_match_in_whose_place_another_comes_takes_what_stands_on_it_along(revising: type[Made]) -> None:
    made = revising(("SEQ(A+ a[], B b) WITHIN 9 s", None, "V", "end"), ("SEQ(V x, C c) WITHIN 9 s", None))
    made.says("a1@2v1", "b1@3v1", "c1@4v1")
    assert made.says("a2@1v1") == ["correct2 a2 a1 b1 late_event", "correct2 V c1 revision"]


def test_what_a_match_says_anew_its_event_says(revising: type[Made]) -> None:
    made = revising(BELOW, ("SEQ(V x, C c) WHERE x.v > 1 WITHIN 9 s", None))
    made.says("a1@1v1", v=1)
    made.says("b1@3v1", "c1@4v1")
    assert made.told() == []
    assert made.says("a1@1v2", v=2) == ["correct2 a1 b1 revision", "emit1 V c1 revision"]
    assert made.says("a1@1v3", v=0) == ["correct3 a1 b1 revision", "retract2 V c1 revision"]


@pytest.mark.parametrize(
    ("time", "told"),
    [("start", ["emit1 V c1 derived"]), ("end", []), ("deadline", [])],
)
def test_an_event_happens_when_it_is_said_to(revising: type[Made], time: str, told: list[str]) -> None:
    made = revising(("SEQ(A a, B b, !D d) WITHIN 5 s", None, "V", time), ("SEQ(V x, C c) WITHIN 9 s", None))
    made.says("a1@1v1", "c1@2v1", "b1@3v1")
    made.detection.finish()
    assert made.told() == ["emit1 a1 b1 time", *told]
    [event] = made.detection.store.types["V"].events.content.events
    assert event.t_gen == {"start": 1, "end": 3, "deadline": 6}[time] * 1_000_000


def test_what_is_derived_late_is_late_for_nobody(revising: type[Made]) -> None:
    made = revising(("SEQ(A a, !B b) WITHIN 5 s", 30, "V", "end"), ("SEQ(V x, C c) WITHIN 9 s", 0))
    assert made.says("a1@1v1", "c1@4v1", "c2@10v1") == ["emit1 a1 time", "emit1 V c1 derived"]
    assert made.outcomes == {"in_order": 3}
    assert made.detection.patterns()["p1"]["refused"] == 0


def test_a_pattern_waits_as_long_as_what_it_stands_on(revising: type[Made]) -> None:
    made = revising(
        ("SEQ(A a, !B b) WITHIN 5 s", None, "V", "end"),
        ("SEQ(C c, !V x) WITHIN 3 s", None),
    )
    made.says("c1@1v1", "a1@2v1")
    # Its own window is over, but whether there is a V at 2 s is not known before 7 s.
    assert made.says("e1@6v1") == []
    assert made.says("c2@8v1") == ["emit1 a1 time"]
    assert made.says("b1@4v1") == ["retract2 a1 negation", "emit1 c1 withdrawal"]


def test_patterns_of_one_type_are_told_apart(revising: type[Made]) -> None:
    made = revising(
        ("SEQ(A a) WITHIN 5 s", None, "V", "end"),
        ("SEQ(A a) WITHIN 5 s", None, "V", "end"),
        ("SEQ(V+ x[], C c) WITHIN 9 s", None),
    )
    made.says("a1@1v1")
    assert made.says("c1@4v1") == ["emit1 V V c1 in_order"]
    assert {e.source for e in made.detection.store.types["V"].events.content.events} == {"p0", "p1"}


def test_the_key_goes_before_a_value_of_its_name(revising: type[Made]) -> None:
    made = revising(
        ("SEQ(A a) WITHIN 5 s PARTITION BY k RETURN a.v AS k, a.v AS w", None, "V", "end"),
        ("SEQ(V x) WITHIN 5 s PARTITION BY k", None),
    )
    made.says("a1@1v1", k=1, v=2)
    [event] = made.detection.store.types["V"].events.content.events
    assert isinstance(event, DerivedEvent)
    assert event.payload == {"k": 1, "w": 2}


def test_what_nobody_reads_is_not_stored(revising: type[Made]) -> None:
    made = revising(BELOW)
    made.says("a1@1v1", "b1@3v1")
    assert "V" not in made.detection.store.types


def test_sources_know_nothing_of_what_is_derived(revising: type[Made]) -> None:
    made = revising(BELOW, ("SEQ(V x, C c) WITHIN 9 s", None))
    made.says("a1@1v1", "b1@3v1", "c1@4v1", "b1@3v2x")
    assert list(made.detection.statistics.sources) == [""]
    assert made.detection.statistics.events()["read"] == 4


def test_an_event_of_the_latest_time_is_looked_at_once_whatever_it_is_called(revising: type[Made]) -> None:
    def runs(name: str) -> Any:
        made = revising(
            ("SEQ(B b) WITHIN 5 s", None, name, "end"), (f"SEQ({name} x, {name} y) WITHIN 9 s", None)
        )
        made.says("b1@1v1", "b2@2v1", "b3@3v1")
        return made.detection.patterns()["p1"]["engine_runs"]

    # `A` comes before, and `V` after, the `B` that it is derived of.
    assert runs("A") == runs("V") == 3
