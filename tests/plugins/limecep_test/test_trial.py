"""A pipeline under test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep_test.trial import Late
from tests.plugins.limecep_test.conftest import LIVE, PIPELINE, case

if TYPE_CHECKING:
    from limecep_test.trial import Outcome
    from tests.plugins.limecep_test.conftest import House

ABSENCE = "SEQ(Gas g, !Smoke s)\n      WITHIN 30 seconds\n"


def absent(pipeline: str) -> str:
    """That the smoke stays away."""
    return pipeline[: pipeline.index("SEQ")] + ABSENCE + pipeline[pipeline.index("sinks") :]


def outcome(house: House, events: str, more: str = "", pipeline: str = PIPELINE, head: str = "") -> Outcome:
    (result,) = house.results(case(events, "counts: {read: 0}", more), head, pipeline)
    return result.outcome


def log(found: Outcome) -> list[str]:
    return [e.line(by=True, at=True) for e in found.updates]


def test_updates_come_as_the_pipeline_gives_them(house: House) -> None:
    found = outcome(house, "g3(percent=62) h5 s21 h10@24 s21")
    assert log(found) == [
        "emit fire g=g3 h=h5 s=s21 -> percent=62 by s21 @21",
        "correct fire g=g3 h=h5,h10 s=s21 -> percent=62 by h10 @24",
    ]
    counts = {name: n for name, n in found.counts.items() if n}
    assert counts == {"read": 5, "in_order": 3, "out_of_order": 1, "duplicate": 1}
    assert [e.line(op=False) for e in found.net] == ["fire g=g3 h=h5,h10 s=s21 -> percent=62"]


def test_nothing_of_a_run_is_left_for_the_next(house: House) -> None:
    prepared = house.prepared(case("g3(percent=62) h5 s21", "net: [fire]"))
    (ready,) = prepared.tests
    first, second = ready.run(), ready.run()
    assert first.passed
    assert second.passed
    assert log(first.outcome) == log(second.outcome)
    assert first.outcome.counts == second.outcome.counts


def test_what_is_refused_says_why(house: House) -> None:
    bounded = PIPELINE.replace("RETURN g.percent AS percent\n", "\n    lateness: {type: bound, within: 5s}\n")
    found = outcome(house, "[s60 g3, {gas: {id: a}}]", pipeline=bounded)
    assert found.late[0] == Late(
        reason="extremely_late", id="g3", error="57 s late, more than 5 s", patterns=("fire",)
    )
    assert (found.late[0].line(), found.late[1].line()) == ("extremely_late g3", "invalid")
    assert found.late[0].details == "57 s late, more than 5 s; fire"


def test_a_pattern_that_found_nothing_says_why(house: House) -> None:
    found = outcome(house, "g3(percent=6) h5 s21")
    assert any("g.percent > $limit held for none" in why for why in found.why_none["fire"])


def test_the_end_of_the_input_is_the_end_of_time_unless_it_goes_on(house: House) -> None:
    assert log(outcome(house, "g3", pipeline=absent(PIPELINE))) == ["emit fire g=g3 by time @3"]
    assert log(outcome(house, "g3", "ends: false", absent(LIVE))) == []


def test_silence_lets_time_go_on_where_sources_may_be_idle(house: House) -> None:
    idle = absent(LIVE).replace("channel: gas,", "channel: gas, idle_after: 10s,")
    idle = idle.replace("as: {field: kind},", "as: {field: kind}, follow: true, idle_after: 10s,")
    # Idle after 13 s, and from then on event time passes: 33 s is reached at 43 s.
    assert log(outcome(house, "g3 @60", "ends: false", idle)) == ["emit fire g=g3 by time @43.1"]
    assert log(outcome(house, "g3 @43", "ends: false", idle)) == []
    assert log(outcome(house, "[g3, {silence: 41s}]", "ends: false", idle)) == [
        "emit fire g=g3 by time @43.1"
    ]


def test_so_does_the_time_from_one_arrival_to_the_next(house: House) -> None:
    # `rest` is silent from the beginning, and idle after 30 s.
    live = absent(LIVE).replace("as: {field: kind},", "as: {field: kind}, follow: true, idle_after: 30s,")
    (first,) = log(outcome(house, "g3 g50", "ends: false", live))
    assert first.startswith("emit fire g=g3 by ")
    waiting = live.replace("idle_after: 30s", "idle_after: off")
    assert log(outcome(house, "g3 g50", "ends: false", waiting)) == []


def test_event_time_may_be_told(house: House) -> None:
    assert log(outcome(house, "[g3, {advance: 33}]", "ends: false", absent(LIVE))) == []
    (told,) = log(outcome(house, "[g3, {advance: 34}]", "ends: false", absent(LIVE)))
    assert told.startswith("emit fire g=g3 by time")


def test_nothing_of_the_pipeline_is_opened(house: House) -> None:
    more = "state: {dir: state}\nsinks: {out: {type: file, channel: out.jsonl}}\n"
    outcome(house, "g3(percent=62) h5 s21", pipeline=LIVE.replace("sinks: {out: {type: stdout}}\n", more))
    assert sorted(p.name for p in house.folder.iterdir()) == ["house.test.yaml", "house.yaml"]
