"""Samples of sources, and what they say of a pipeline before it runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.config.loader import load_dict
from limecep.diagnosis.preview import suspicions
from limecep.runtime.sampling import samples

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.diagnosis.sample import Sample
    from limecep.registry import Registry

SOURCE = {
    "type": "file",
    "channel": "s.csv",
    "as": {"field": "kind"},
    "time": {"field": "t", "format": "epoch_s"},
}
QUERY = "PATTERN SEQ(A a, B b) WHERE a.v > 3 AND b.v > 3 WITHIN 1 h"


class Sampling:
    def __init__(self, folder: Path, registry: Registry) -> None:
        self.folder = folder
        self.registry = registry

    def write(self, name: str, rows: list[str], header: str = "t,kind,v") -> None:
        (self.folder / name).write_text("\n".join([header, *rows]) + "\n")

    def config(self, query: str = QUERY, **sources: Any) -> Any:
        document = {
            "version": 1,
            "sources": sources,
            "patterns": {"p": {"query": query}},
            "sinks": {"o": {"type": "none"}},
        }
        loaded = load_dict(document, self.registry, root=self.folder)
        assert loaded.config is not None, loaded.problems
        return loaded.config

    def samples(self, count: int, query: str = QUERY, **sources: Any) -> list[Sample]:
        return list(samples(self.config(query, **sources), self.registry, count, structlog.get_logger()))

    def said(self, count: int, query: str = QUERY, **sources: Any) -> list[str]:
        """Code and message of each suspicion."""
        found = suspicions(self.config(query, **sources), self.samples(count, query, **sources))
        return [f"{p.severity} {p.code}: {p.message}" for _, p in found]


@pytest.fixture
def sampling(tmp_path: Path, installed: Registry) -> Sampling:
    return Sampling(tmp_path, installed)


def rows(count: int, kind: str = "A", begin: int = 1_800_000_000) -> list[str]:
    return [f"{begin + n},{kind},{n}" for n in range(count)]


def test_no_more_is_read_than_asked_for(sampling: Sampling) -> None:
    sampling.write("s.csv", rows(5000))
    (sample,) = sampling.samples(100, s=SOURCE)
    assert (sample.read, sample.whole) == (100, False)
    (sample,) = sampling.samples(9000, s=SOURCE)
    assert (sample.read, sample.whole) == (5000, True)


def test_of_several_files_each_has_its_share(sampling: Sampling) -> None:
    for n in range(4):
        sampling.write(f"s{n}.csv", rows(50, kind=f"K{n}"))
    (sample,) = sampling.samples(40, s={**SOURCE, "channel": "s*.csv"})
    assert sorted({e.type for e in sample.events}) == ["K0", "K1", "K2", "K3"]
    assert sample.read == 40


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"follow": True}, "it is live"),
        ({"channel": "-", "format": "csv"}, "standard input can be read once"),
    ],
)
def test_what_is_live_or_can_be_read_once_is_left_alone(
    sampling: Sampling, more: dict[str, Any], why: str
) -> None:
    sampling.write("s.csv", rows(5))
    (sample,) = sampling.samples(10, s={**SOURCE, **more})
    assert (sample.unread, sample.read) == (why, 0)
    # What may come from there is not missing.
    assert sampling.said(10, "PATTERN SEQ(X x, Y y) WITHIN 1 s", s={**SOURCE, **more}) == []


def test_a_pipe_is_not_drained(sampling: Sampling) -> None:
    os.mkfifo(sampling.folder / "s.csv")
    writer = os.open(sampling.folder / "s.csv", os.O_RDWR)
    os.write(writer, b"t,kind,v\n1,A,1\n")
    try:
        (sample,) = sampling.samples(10, s=SOURCE)
        assert (sample.unread, sample.read) == ("it can be read once", 0)
        assert os.read(writer, 100) == b"t,kind,v\n1,A,1\n"
    finally:
        os.close(writer)


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
