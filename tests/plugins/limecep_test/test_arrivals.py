"""What arrives in a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep_test.arrivals import Advance, Come, Pass, Refuse, events_of
from limecep_test.document import START
from tests.plugins.limecep_test.conftest import LIVE, PIPELINE, case

if TYPE_CHECKING:
    from limecep_test.arrivals import Step
    from tests.plugins.limecep_test.conftest import House

NET = "net: []"
TS = "2026-01-01T12:00:{:02}Z"
REVISING = PIPELINE.replace("id: id}", "id: id, revise: {version: v}}")


def steps(house: House, events: str, head: str = "", more: str = "", pipeline: str = PIPELINE) -> list[Step]:
    prepared = house.prepared(case(events, "counts: {read: 0}", more), head, pipeline)
    assert prepared.problems == []
    return prepared.tests[0].steps


def seconds(step: Step) -> float:
    assert isinstance(step, (Pass, Advance))
    return (step.to - START) / 1_000_000


def test_events_arrive_when_they_happen_or_when_what_is_before_them_did(house: House) -> None:
    events = events_of(steps(house, "g3(percent=62) heat10 h5 s21@24 s22", "attributes: {room: hall}\n"))
    assert [(e.type, e.id, e.source) for e in events] == [
        ("Gas", "g3", "gas"),
        ("Heat", "heat10", "rest"),
        ("Heat", "h5", "rest"),
        ("Smoke", "s21", "rest"),
        ("Smoke", "s22", "rest"),
    ]
    times = [((e.t_gen - START) / 1e6, (e.t_arr - START) / 1e6) for e in events]
    assert times == [(3, 3), (10, 10), (5, 10), (21, 24), (22, 24)]
    assert events[0].payload == {"room": "hall", "percent": 62}


def test_the_same_word_again_is_the_same_event_again(house: House) -> None:
    first, second, third = events_of(steps(house, "g3(percent=62) g3 g3(percent=1)@9"))
    assert (first.id, first.payload) == (second.id, second.payload) == ("g3", {"percent": 62})
    assert (third.id, third.payload, third.t_arr - START) == ("g3", {"percent": 1}, 9_000_000)


def test_an_event_may_have_an_id_a_source_and_a_sequence_number_of_its_own(house: House) -> None:
    (event,) = events_of(steps(house, "g3(id=x, source=rest, seq=4, v=1)"))
    assert (event.id, event.source, event.seq, event.payload) == ("x", "rest", 4, {"v": 1})


def test_the_unit_and_the_start_are_those_of_the_file(house: House) -> None:
    (event,) = events_of(steps(house, "g1.5", "unit: minutes\nstart: 1970-01-01T00:00:00Z\n"))
    assert event.t_gen == 90_000_000


def test_time_may_pass_without_an_event(house: House) -> None:
    found = steps(house, "[g3 @5, {silence: 30s}, {advance: 60}]")
    assert [seconds(s) for s in found[1:]] == [5, 35, 60]
    assert [type(s) for s in found] == [Come, Pass, Pass, Advance]


def test_records_and_messages_are_read_as_their_source_reads_them(house: House) -> None:
    ts = TS.format(3)
    raw = f'{{"id": "b", "ts": "{ts}", "percent": 7}}'
    record = f"{{id: a, ts: '{ts}', percent: 62}}"
    found = steps(
        house, f"[{{gas: {record}}}, {{gas: '{raw}', at: 9}}, {{rest: {{kind: Heat, ts: '{ts}'}}}}]"
    )
    first, second, third = events_of(found)
    assert (first.type, first.id, first.t_gen, first.t_arr - START) == (
        "Gas",
        "a",
        START + 3_000_000,
        3_000_000,
    )
    assert first.payload["percent"] == 62
    assert (second.id, second.t_arr - START) == ("b", 9_000_000)
    assert (third.type, third.t_arr - START) == ("Heat", 9_000_000)


def test_records_of_a_broker_arrive_by_the_clock(house: House) -> None:
    found = steps(house, f"[g1, {{gas: {{id: a, ts: '{TS.format(0)}'}}, at: 4}}]", pipeline=LIVE)
    assert [(e.t_arr - START) / 1e6 for e in events_of(found)] == [1, 4]


def test_a_record_that_gives_no_event_is_refused(house: House) -> None:
    (step,) = steps(house, "[{gas: {id: a}}]")
    assert isinstance(step, Refuse)
    assert "'ts' is missing" in step.error


def test_that_it_does_is_a_mistake_where_nobody_expects_it(house: House) -> None:
    assert house.said(case("[{gas: {id: a}}]", NET)) == ["bad-event 4 {"]


def test_files_come_first_merged_by_arrival(house: House) -> None:
    for name, ids in (("gas.jsonl", (1, 4)), ("rest.jsonl", (2, 3))):
        lines = [f'{{"kind": "Heat", "id": "{name[0]}{n}", "ts": "{TS.format(n)}"}}' for n in ids]
        (house.folder / name).write_text("\n".join([*lines, "{", ""]))
    found = steps(house, "s50", more="data: {gas: gas.jsonl, rest: rest.jsonl}")
    assert [(e.type, round((e.t_gen - START) / 1e6)) for e in events_of(found)] == [
        ("Gas", 1),
        ("Heat", 2),
        ("Heat", 3),
        ("Gas", 4),
        ("Smoke", 50),
    ]
    assert sum(isinstance(s, Refuse) for s in found) == 2


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ("g1 x3", "unused-type 4 x3"),
        ("g1 hea", "bad-event 4 hea"),
        ("g9 s1@3", "bad-event 4 s1@3"),
        ("g9 @3", "bad-event 4 @3"),
        ("g1(source=gaz)", "unknown-source 4 g1(source=gaz)"),
        ("[{gaz: {}}]", "unknown-source 4 gaz"),
        ("[{gas: {}, rest: {}}]", "bad-event 4 {"),
        ("[{gas: [1]}]", "bad-event 4 ["),
        ("[{silence: 30}]", "bad-event 4 30"),
        ("[{advance: soon}]", "bad-event 4 soon"),
        ("[5]", "bad-event 4 5"),
    ],
)
def test_what_cannot_arrive_is_told_with_its_place(house: House, events: str, said: str) -> None:
    assert said in house.said(case(events, NET))


def test_a_beginning_that_several_types_have_is_told(house: House) -> None:
    several = PIPELINE.replace("Heat+ h[]", "Hall+ h[]").replace("Smoke s", "Heat s")
    assert house.said(case("g1 h3", NET), pipeline=several) == ["bad-event 4 h3"]
    assert [e.type for e in events_of(steps(house, "g1 ha3 he3", pipeline=several))] == [
        "Gas",
        "Hall",
        "Heat",
    ]


def test_under_strict_contiguity_every_type_counts(house: House) -> None:
    strict = PIPELINE.replace("RETURN g.percent AS percent\n", "\n    select: sc\n")
    assert [e.type for e in events_of(steps(house, "g1 Other3", pipeline=strict))] == ["Gas", "Other"]


def test_events_of_a_source_that_may_take_them_back_are_written_as_records(house: House) -> None:
    assert house.said(case("g1", NET), pipeline=REVISING) == ["bad-event 4 g1"]


def test_a_pipeline_without_sources_is_fed_all_the_same(house: House) -> None:
    begin, end = PIPELINE.index("sources:"), PIPELINE.index("patterns:")
    (event,) = events_of(steps(house, "g1", pipeline=PIPELINE[:begin] + PIPELINE[end:]))
    assert event.source == ""
