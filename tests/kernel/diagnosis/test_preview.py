"""What a sample of the sources says of a pipeline before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.diagnosis.preview import suspicions

if TYPE_CHECKING:
    from conftest import Sampling

SOURCE = {
    "type": "file",
    "channel": "s.csv",
    "as": {"field": "kind"},
    "time": {"field": "t", "format": "epoch_s"},
}


def rows(count: int, kind: str = "A", begin: int = 1_800_000_000) -> list[str]:
    return [f"{begin + n},{kind},{n}" for n in range(count)]


@pytest.mark.parametrize("more", [{"follow": True}, {"channel": "-", "format": "csv"}])
def test_what_may_come_from_where_nobody_looked_is_not_missing(
    sampling: Sampling, more: dict[str, Any]
) -> None:
    sampling.write("s.csv", rows(5))
    assert sampling.said(10, "PATTERN SEQ(X x, Y y) WITHIN 1 s", s={**SOURCE, **more}) == []


def test_what_is_said_of_part_of_the_records_says_so(sampling: Sampling) -> None:
    sampling.write("s.csv", rows(500), header="t,kind,V")
    query = "PATTERN SEQ(A a) WHERE a.v > 3 WITHIN 1 s"
    assert sampling.said(100, query, s={**SOURCE, "payload": ["V"]}) == [
        "warning absent-attribute: a.v was missing in all 100 A of the sample: they have 'V'"
    ]


def test_absent_types_are_looked_for_in_negated_steps_too(sampling: Sampling) -> None:
    sampling.write("s.csv", [*rows(3), *rows(2, "Restart")])
    assert sampling.said(100, "PATTERN SEQ(A a, !Restrat r) WITHIN 1 h", s=SOURCE) == [
        "warning unnamed-type: source 's' brings 'Restart', which no pattern names",
        "warning absent-type: no Restrat came; there came 'Restart' (2)",
    ]


def test_mixed_columns_are_told_with_what_is_odd_in_them(sampling: Sampling) -> None:
    sampling.write("s.csv", [*rows(3), "1800000005,A,unavailable", *rows(2, "B")])
    assert sampling.said(100, s=SOURCE) == [
        "warning mixed-kinds: a.v holds 3 numbers and 1 text ('unavailable')"
    ]


def test_text_that_is_never_different_from_a_number_is_told(sampling: Sampling) -> None:
    sampling.write("s.csv", ["1800000005,A,off", "1800000006,B,7"])
    said = sampling.said(100, "PATTERN SEQ(A a, B b) WHERE a.v != 4 WITHIN 1 h", s=SOURCE)
    assert said == ["warning kinds-differ: a.v != 4 compared text with a number in the only A"]


def test_invalid_records_are_counted_with_the_first_error(sampling: Sampling) -> None:
    sampling.write("s.csv", ["soon,A,1", *rows(3), *rows(3, "B"), "later,B,1"])
    assert sampling.said(100, s=SOURCE) == [
        "warning some-invalid: 2 of 8 records of source 's' are invalid; the first at s.csv:2: time 't' is "
        "not a number of s: 'soon'"
    ]


def test_a_sound_pipeline_has_no_suspicions(sampling: Sampling) -> None:
    sampling.write("s.csv", [*rows(30), *rows(30, "B")])
    assert sampling.said(100, s=SOURCE) == []
    assert sampling.said(10, s=SOURCE) == [
        "warning absent-type: no B came in the sample; there came 'A' (10)"
    ]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SEQ(A+ a[]) WHERE sum(a.v) > 5", "sum(a.v): v is text in the only A"),
        ("SEQ(A a) WHERE a.v + 1 > 5", "a.v + 1: v is text in the only A"),
        ("SEQ(A a) WHERE a.v", "a.v: v is text in the only A"),
    ],
)
def test_what_cannot_be_calculated_with_is_told(sampling: Sampling, query: str, message: str) -> None:
    sampling.write("s.csv", ["1800000005,A,off"])
    assert sampling.said(100, f"PATTERN {query} WITHIN 1 h", s=SOURCE) == [f"warning kinds-differ: {message}"]


def test_an_id_compared_with_a_number_is_told_with_the_field_it_is_made_of(sampling: Sampling) -> None:
    sampling.write("s.csv", ["1800000005,A,7"])
    source = {**SOURCE, "id": "v"}
    query = "PATTERN SEQ(A a) WHERE a.id = 7 WITHIN 1 h"
    found = suspicions(sampling.config(query, s=source), sampling.samples(9, query, s=source))
    assert [p.hint for _, p in found] == ["the id of an event is text, such as '7'; the field itself is a.v"]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("a.v > 3 AND a.v < 2", "a.v > 3 AND a.v < 2 holds for no value"),
        ("a.v > 3 AND 3 >= a.v", "a.v > 3 AND 3 >= a.v holds for no value"),
        ("a.v = 3 AND a.v = 4", "a.v = 3 AND a.v = 4 holds for no value"),
        ("a.v BETWEEN 9 AND 3", "a.v BETWEEN 9 AND 3 holds for no value"),
    ],
)
def test_conditions_that_no_event_can_fulfil_together_are_told(
    sampling: Sampling, condition: str, message: str
) -> None:
    sampling.write("s.csv", rows(500))
    said = sampling.said(100, f"PATTERN SEQ(A a) WHERE {condition} WITHIN 1 h", s=SOURCE)
    assert said == [f"warning never-held: {message}"]


@pytest.mark.parametrize(
    "condition",
    [
        "a.v > 3 AND a.v < 4",
        "a.v >= 3 AND a.v <= 3",
        "a.v > 3 AND a.t < 2",
        "a.v > 3 OR a.v < 2",
        "a.v BETWEEN 3 AND 3",
    ],
)
def test_conditions_that_some_event_may_fulfil_are_not(sampling: Sampling, condition: str) -> None:
    sampling.write("s.csv", rows(500))
    assert sampling.said(100, f"PATTERN SEQ(A a) WHERE {condition} WITHIN 1 h", s=SOURCE) == []


KEYED = "PATTERN SEQ(A a, B b) WITHIN 1 h PARTITION BY m"
DIFFER = "warning keys-differ: no m, of PARTITION BY, had events for every step: A had 'm0'; B had 'm1'"


@pytest.mark.parametrize(
    ("keys", "count", "said"),
    [
        (("m0", "m1"), 100, [DIFFER]),
        (("m0", "m1"), 20, [DIFFER]),
        (("m0", "m0"), 100, []),
    ],
)
def test_keys_that_steps_do_not_share_are_told(
    sampling: Sampling, keys: tuple[str, str], count: int, said: list[str]
) -> None:
    text = [f"{1_800_000_000 + n},{'AB'[n % 2]},{keys[n % 2]}" for n in range(50)]
    sampling.write("s.csv", text, header="t,kind,m")
    assert sampling.said(count, KEYED, s=SOURCE) == said


def test_keys_that_hardly_come_again_may_come_after_the_sample(sampling: Sampling) -> None:
    text = [f"{1_800_000_000 + n},{'AB'[n % 2]},k{n}" for n in range(500)]
    sampling.write("s.csv", text, header="t,kind,m")
    assert sampling.said(100, KEYED, s=SOURCE) == []


def test_times_that_a_change_of_the_clocks_gives_twice_or_skips_are_told(sampling: Sampling) -> None:
    sampling.write("s.csv", ["2026-03-29T03:30:00,A,1", "2026-10-25T03:30:00,A,1", "2026-10-25T03:31:00,A,2"])
    source = {**SOURCE, "time": {"field": "t", "zone": "Europe/Athens"}}
    assert sampling.said(100, "PATTERN SEQ(A a) WITHIN 1 h", s=source) == [
        "warning clock-change: 2 times of source 's': given twice by a change of the clocks",
        "warning clock-change: 1 time of source 's': skipped by a change of the clocks",
    ]


def test_a_key_that_is_asked_for_in_where_is_shown_there(sampling: Sampling) -> None:
    sampling.write("s.csv", [*rows(3), *rows(3, "B")])
    query = "PATTERN SEQ(A a, B b) WHERE [room] WITHIN 1 h"
    ((_, found),) = suspicions(sampling.config(query, s=SOURCE), sampling.samples(9, query, s=SOURCE))
    assert query[found.start : found.end] == "room"


def test_times_in_another_unit_are_told(sampling: Sampling) -> None:
    sampling.write("s.csv", rows(30))
    source = {**SOURCE, "time": {"field": "t", "format": "epoch_ms"}}
    [said] = sampling.said(100, "PATTERN SEQ(A a) WITHIN 1 h", s=source)
    assert said.startswith("warning odd-time: the times of source 's' are from 1970-01-21T20:00:00Z to ")
