"""Statements about events that are there already: what they change, for whom, and how they are counted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.model.event import UNVERSIONED

if TYPE_CHECKING:
    from conftest import Made

PAIR = "SEQ(A a, B b) WITHIN 9 s"


def test_an_event_that_is_said_anew_corrects_its_matches_under_their_names(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    assert made.says("a1@1v1", "b1@3v1") == ["emit1 a1 b1 in_order"]
    assert made.says("a1@2v2") == ["correct2 a1 b1 revision"]
    assert made.says("a1@5v3") == ["retract3 a1 b1 revision"]
    assert made.says("a1@2v4") == ["emit4 a1 b1 revision"]
    assert made.outcomes == {"in_order": 2, "revised": 3}


def test_an_event_that_is_withdrawn_takes_its_matches_along_and_may_come_again(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    made.says("a1@1v1", "b1@3v1")
    assert made.says("b1@3v2x") == ["retract2 a1 b1 withdrawal"]
    assert made.detection.store.size == 1
    assert made.says("b1@4v3") == ["emit3 a1 b1 late_event"]
    assert made.outcomes == {"in_order": 2, "withdrawn": 1, "revised": 1}


@pytest.mark.parametrize(
    "condition",
    ["b[i].v >= a.v", "b[i].v >= a.v AND avg(b.v) > 0", "sum(b.v) > a.v"],
    ids=["filtered", "filtered-and-tried", "tried"],
)
def test_what_is_said_of_the_middle_of_a_group_is_told_where_its_lane_is_the_engines(
    revising: type[Made], condition: str
) -> None:
    made = revising((f"SEQ(A a, B+ b) WHERE skip-till-any-match AND {condition} WITHIN 9 s", None))
    made.says("a1@1v1", v=1)
    made.says("b1@2v1", "b2@3v1", "b3@5v1", v=2)
    assert made.says("b2@3v2", v=3) == ["correct4 a1 b1 b2 b3 revision"]
    assert made.says("b2@4v3", v=4) == ["correct5 a1 b1 b2 b3 revision"]
    assert made.says("b2@4v4x") == ["correct6 a1 b1 b3 withdrawal"]


def test_what_only_forbade_brings_back_what_it_forbade(revising: type[Made]) -> None:
    made = revising(("SEQ(A a, !C c, B b) WITHIN 9 s", None))
    assert made.says("a1@1v1", "c1@2v1", "b1@3v1") == []
    assert made.says("c1@2v2x") == ["emit1 a1 b1 withdrawal"]


@pytest.mark.parametrize("words", [("a1@1v2", "a1@1v1"), ("a1@1v1", "a1@1v1"), ("a1@1v2x", "a1@1v1")])
def test_what_is_older_or_as_old_changes_nothing(revising: type[Made], words: tuple[str, str]) -> None:
    made = revising((PAIR, None))
    made.says(*words)
    assert made.outcomes["duplicate"] == 1


def test_what_repeats_the_last_statement_is_a_copy_and_outdates_those_before_it(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    made.says("a1@1v1", "b1@3v1")
    assert made.says("a1@1v5") == []
    assert made.says("a1@2v4", "a1@4v3x") == []
    assert made.outcomes == {"in_order": 2, "duplicate": 3}


def test_one_batch_may_say_everything_about_an_event(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    made.detection.feed(
        [made.statement(w) for w in ("a1@1v1", "a1@2v3", "a1@1v2", "b1@3v1", "b2@4v1", "b1@3v2x")]
    )
    assert made.told() == [
        "emit1 a1 b1 in_order", "retract2 a1 b1 withdrawal", "emit1 a1 b2 withdrawal",
    ]  # fmt: skip


def test_every_statement_counts_for_the_place_of_those_that_follow(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    places = []
    for words in (["a1@1v1", "a1@2v2"], ["x1@2v1x", "b1@3v1"], ["a1@50v3x"]):
        statements = [made.statement(word) for word in words]
        made.detection.feed(statements)
        places.append(made.detection.place)
    assert places == [2, 4, 5]


def test_a_revision_moves_time_forward_and_a_withdrawal_does_not(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    made.says("a1@1v1")
    made.says("a1@7v2")
    assert made.detection.lta == 7_000_000
    made.says("a1@50v3x")
    assert made.detection.lta == 7_000_000


@pytest.mark.parametrize(
    ("query", "options", "told"),
    [
        (PAIR, {"emit": "final"}, []),
        (PAIR, {"final": True}, ["retract2 a1 b1 revision"]),
        ("SEQ(A a, B b, !C c) WITHIN 4 s", {}, []),
        ("SEQ(A a, B b, !C c) WITHIN 4 s", {"emit": "final"}, []),
    ],
)
def test_what_moves_time_forward_takes_back_first_what_time_would_tell(
    revising: type[Made], query: str, options: dict[str, Any], told: list[str]
) -> None:
    made = revising((query, 2), **options)
    made.says("a1@1v1", "b1@3v1")
    assert made.says("b1@90v2", "x1@200v1") == told


def test_it_is_judged_by_the_earlier_of_both_times_and_if_refused_changes_nothing(
    revising: type[Made],
) -> None:
    made = revising((PAIR, 3))
    made.says("a1@1v1", "b1@3v1", "b2@10v1")
    made.told()
    assert made.says("a1@9v2", "a1@1v3x") == []
    assert [(r.reason, r.patterns) for r in made.refusals] == [("extremely_late", ("p0",))] * 2
    assert made.outcomes == {"in_order": 3, "extremely_late": 2}
    assert made.detection.statistics.lateness.count == 0


def test_each_pattern_sees_what_it_accepted(revising: type[Made]) -> None:
    made = revising((PAIR, 3), (PAIR, None))
    assert made.says("a1@1v1", "b1@8v1") == ["emit1 a1 b1 in_order"] * 2
    assert made.says("a1@1v2x") == ["retract2 a1 b1 withdrawal"]
    assert made.says("a2@8v1", "b2@9v1") == ["emit1 a2 b2 in_order"] * 2
    assert made.says("a1@8v3") == ["emit1 a1 b2 late_event"]
    assert made.detection.store.size == 5


def test_what_moves_to_another_key_leaves_the_one_it_was_in(revising: type[Made]) -> None:
    made = revising(("SEQ(A a) WITHIN 9 s PARTITION BY k", None))
    assert made.says("a1@1v1", k=1) == ["emit1 a1 in_order"]
    assert made.says("a1@1v2", k=2) == ["emit1 a1 late_event", "retract2 a1 revision"]


def test_a_withdrawal_of_a_type_that_no_pattern_names_moves_no_time(
    revising: type[Made],
) -> None:
    made = revising((PAIR, None))
    made.says("x1@5v1x")
    assert made.outcomes == {"irrelevant": 1}
    assert made.detection.lta < 0


def test_a_withdrawal_without_a_version_withdraws_what_counts_when_it_comes(revising: type[Made]) -> None:
    made = revising((PAIR, None))

    def dead() -> list[str]:
        said = made.statement("a1@0v0x")
        said.version = UNVERSIONED
        made.detection.feed([said])
        return made.told()

    assert dead() == []
    assert made.detection.statistics.source("").unmet == 1
    assert made.says("a1@1v4", "b1@3v1") == ["emit1 a1 b1 in_order"]
    assert dead() == ["retract2 a1 b1 withdrawal"]
    assert made.says("a1@1v4", "a1@1v3") == []
    assert dead() == []
    assert made.says("a1@1v5") == ["emit3 a1 b1 late_event"]
    assert made.outcomes == {"in_order": 2, "withdrawn": 2, "duplicate": 3, "revised": 1}


@pytest.mark.parametrize("query", [PAIR, "SEQ(A a, B+ b[], C c) WITHIN 9 s", "SEQ(A+ a[], B b) WITHIN 9 s"])
def test_a_withdrawal_takes_no_more_work_than_the_late_event_however_much_memory_holds(
    revising: type[Made], query: str
) -> None:
    def work(events: int) -> list[tuple[int, int]]:
        made = revising((query, None))
        made.says(*[f"{'abc'[n % 3]}{n}@{n}v1" for n in range(events) if n != events - 8])
        counters = made.detection.detectors[0].context.counters
        lanes = [lane for t in made.detection.store.types.values() for lane in t.shared()]
        contents = [lane.content for lane in lanes]
        found = []
        for version in ("1", "2x", "3", "4x"):
            made.detection.patterns()
            before = Counter(counters)
            made.says(f"{'abc'[(events - 8) % 3]}{events - 8}@{events - 8}v{version}")
            made.detection.patterns()
            found.append((
                counters["engine_runs"] - before["engine_runs"],
                counters["events_handed"] - before["events_handed"],
            ))  # fmt: skip
        # Nothing has been copied.
        assert [lane.content for lane in lanes] == contents
        return found

    few = work(60)
    assert work(240) == few
    (late_runs, late_handed), *others = few
    assert late_runs
    assert all(runs <= late_runs and handed <= late_handed for runs, handed in others)
