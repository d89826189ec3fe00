"""Runs of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep_test.cases import counted
from tests.plugins.limecep_test.conftest import PIPELINE, case

if TYPE_CHECKING:
    from tests.plugins.limecep_test.conftest import House

EVENTS = "g3(percent=62) h5 s21 h10@24 s21"
LOOKED_UP = PIPELINE.replace("$limit", "limits[g.room].max").replace(
    "patterns:", "tables: {limits: {from: files, channel: no.csv, key: room}}\npatterns:"
)


def test_all_that_is_expected_may_hold(house: House) -> None:
    expect = """\
updates: [emit fire g=g3 h=h5 s=s21, "correct fire g=g3 h=h5,h10 s=s21 -> percent=62 by h10 @24"]
net: [fire g=g3]
late: []
counts: {read: 5, accepted: 4, late: 0, duplicate: 1, emitted: 1, corrected: 1, retracted: 0, live: 1}"""
    expect = expect.replace("net: [fire g=g3]", "net: [fire]")
    (result,) = house.results(case(EVENTS, expect))
    assert result.passed
    assert counted(result.outcome)["late"] == 0


@pytest.mark.parametrize(
    ("expect", "lines"),
    [
        (
            "updates: [emit fire g=g3 h=h5 s=s21]",
            [
                "updates: - expected, + got",
                "    emit fire g=g3 h=h5 s=s21",
                "  + correct fire g=g3 h=h5,h10 s=s21 -> percent=62   (match ",
            ],
        ),
        (
            "net: [fire g=g3 h=h10 s=s21]",
            ["net: - expected, + got", "  - fire g=g3 h=h10 s=s21", "  + fire g=g3 h=h5,h10 s=s21 -> "],
        ),
        ("late: [future h10]", ["late: - expected, + got", "  - future h10"]),
        (
            "counts: {read: 5, duplicate: 2}",
            ["counts: - expected, + got", "  - duplicate: 2", "  + duplicate: 1"],
        ),
    ],
)
def test_what_does_not_hold_is_shown_beside_what_came(house: House, expect: str, lines: list[str]) -> None:
    (result,) = house.results(case(EVENTS, expect))
    assert not result.passed
    said = list(result.lines())
    assert said[len(lines) :] == list(result.why)
    said = said[: len(lines)]
    assert all(line.startswith(begin) for line, begin in zip(said, lines, strict=True))


def test_a_pattern_that_was_to_find_something_says_why_it_did_not(house: House) -> None:
    (result,) = house.results(case("g3(percent=6) h5 s21", "net: [fire g=g3 h=h5 s=s21]"))
    assert any(line.startswith("why none  fire  g.percent > $limit held for none") for line in result.lines())


def test_parameters_and_other_values_are_those_of_the_test(house: House) -> None:
    tests = (
        case(EVENTS, "net: []", "params: {limit: 70}")
        + case(EVENTS, "net: [fire]")
        + case(EVENTS, "net: []", "set: {params.limit: 63}")
        + case(EVENTS, "net: []", "params: {limit: 70}")
    )
    assert [r.passed for r in house.results(tests)] == [True] * 4


def test_tables_are_those_of_the_test_and_nothing_is_read(house: House) -> None:
    pipeline = LOOKED_UP.replace("sources:", "connectors: {files: {type: file}}\nsources:")
    pipeline = pipeline.replace("params: {limit: 40}\n", "")
    rows = "tables: {limits: [{room: hall, max: 50}, {room: oven, max: 90}]}\n"
    tests = case("g3(percent=62, room=hall) h5 s21", "net: [fire]")
    tests += case("g3(percent=62, room=oven) h5 s21", "net: []")
    tests += case(
        "g3(percent=62, room=oven) h5 s21", "net: [fire]", "tables: {limits: [{room: oven, max: 9}]}"
    )
    assert [r.passed for r in house.results(tests, rows, pipeline)] == [True] * 3


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("updates: [emit fires g=g3]", "unknown-pattern 6 fires"),
        ("net: [fire x=g3]", "unknown-variable 6 x"),
        ("net: ['fire h=h5,h11']", "unknown-event 6 h11"),
        ("net: [fire by tim]", "unknown-event 6 tim"),
        ("late: [h7]", "unknown-event 6 h7"),
    ],
)
def test_what_can_never_come_is_a_mistake(house: House, expect: str, said: str) -> None:
    assert house.said(case(EVENTS, expect)) == [said]


@pytest.mark.parametrize(("events", "marked"), [('""', '""'), ("['@5', {advance: 6}]", "[")])
def test_a_test_in_which_nothing_arrives_is_a_mistake(house: House, events: str, marked: str) -> None:
    assert house.said(case(events, "net: []", "any_order: 2")) == [f"tests-nothing 4 {marked}"]


def test_records_that_give_no_event_have_no_order(house: House) -> None:
    (result,) = house.results(case("[{gas: {id: a}}]", "late: [invalid]", "any_order: 2"))
    assert result.passed


def test_an_entry_that_brackets_cut_in_two_is_told_to_be_quoted(house: House) -> None:
    (problem,) = house.prepared(case(EVENTS, "net: [fire h=h5,h10]")).problems
    assert (problem.code, problem.hint) == (
        "unknown-pattern",
        "in brackets, put an entry with commas in quotes",
    )


def test_a_source_that_is_not_there_has_no_data(house: House) -> None:
    (house.folder / "x.jsonl").touch()
    assert house.said(case("g1", "net: []", "data: {gaz: x.jsonl}")) == ["unknown-source 7 gaz"]


def test_what_is_wrong_with_the_pipeline_is_told_once(house: House) -> None:
    wrong = PIPELINE.replace("$limit", "$limt")
    tests = case("g1", "net: []") + case("g2", "net: []")
    assert house.said(tests, pipeline=wrong) == ["unknown-parameter 11 $limt"]


def test_what_is_wrong_with_values_of_a_test_is_told_at_the_test(house: House) -> None:
    for more in ("params: {lmit: 7}", "set: {sources.hous.id: id}"):
        [problem] = house.prepared(case(EVENTS, "net: []", more)).problems
        assert problem.place is not None
        assert (problem.place.file, problem.place.text.strip()) == (str(house.file), "- name: it")


def test_a_pattern_that_waits_for_time_says_so_whatever_another_test_found(house: House) -> None:
    pipeline = PIPELINE.replace("Smoke s)", "Smoke s, !Gas y)")
    found, waiting = case(EVENTS, "net: [fire]"), case(EVENTS, "net: [fire]", "ends: false")
    [first, second] = house.results(found + waiting, pipeline=pipeline)
    assert not first.differences
    said = "why none  fire  1 evaluations wait for time to pass; later events move it, {advance: TIME}, or"
    assert [*second.lines()][-1].startswith(said)
