"""Test files: what they say, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.embedding.documents import Findings
from limecep_test.document import START, read_file
from tests.plugins.limecep_test.conftest import case

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugins.limecep_test.conftest import House

NET = "net: []"


def test_a_test_has_what_the_file_says_of_all_and_what_it_says_itself(house: House) -> None:
    head = "params: {limit: 1}\nset: {patterns.fire.select: stam}\nattributes: {room: hall, on: 1}\n"
    head += "start: 2026-01-05T10:00:00Z\nunit: minutes\n"
    more = "params: {limit: 2}\nattributes: {on: 2}\nends: false\nany_order: {orders: 7, delay: 3s}"
    house.write(case("g1", NET, more), head)
    findings = Findings()
    file = read_file(house.file, findings)
    assert file is not None
    assert not findings.sorted()
    (it,) = file.cases
    assert (file.unit, file.start) == (60_000_000, 1_767_607_200_000_000)
    assert it.overrides == ("params.limit=2", 'patterns.fire.select="stam"')
    assert it.attributes == {"room": "hall", "on": 2}
    assert not it.ends
    assert it.orders is not None
    assert (it.orders.orders, it.orders.delay, it.orders.seed) == (7, 3_000_000, 1)
    assert (it.updates, it.net, it.late, it.counts) == (None, (), None, None)


def test_times_count_from_a_noon_unless_a_file_says_otherwise(house: House) -> None:
    house.write(case("g1", NET))
    file = read_file(house.file, Findings())
    assert file is not None
    assert (file.start, file.unit) == (START, 1_000_000)
    assert START % 86_400_000_000 == 43_200_000_000


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("  []\n", "tests-nothing 3 ["),
        (case("g1"), "tests-nothing 3 it"),
        (case("g1", "counts:"), "tests-nothing 3 it"),
        ("  - name: it\n    expect: {net: []}\n", "tests-nothing 3 it"),
        ("  - name: it\n    event: g1\n    any_order: 1\n", "unknown-key 4 event"),
        (case("g1", "nets: []\nnet: []"), "unknown-key 6 nets"),
        (case("g1", "counts: {lates: 1}"), "unknown-key 6 lates"),
        (case("g1", "updates: [gone fire]"), "bad-expectation 6 gone"),
        (case("g1", "updates: [5]"), "bad-expectation 6 5"),
        (case("g1", "net: [g=g1]"), "bad-expectation 6 g=g1"),
        (case("g1", "late: [lost g1]"), "bad-expectation 6 lost g1"),
        (case("g1", more="any_order: 0"), "bad-value 5 0"),
        (case("g1", more="any_order: {orders: 2, delays: 3s}"), "unknown-key 5 delays"),
        (case("g1", NET, "data: {gas: nothing.jsonl}"), "unreadable-file 7 nothing.jsonl"),
        ("  - g1\n", "wrong-type 3 g1"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(house: House, tests: str, said: str) -> None:
    assert said in house.said(tests)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("test: x\n", "unknown-key 2 test"),
        ("unit: fortnights\n", "bad-value 2 fortnights"),
        ("start: noon\n", "bad-value 2 noon"),
    ],
)
def test_so_is_what_is_wrong_with_the_file_as_a_whole(house: House, head: str, said: str) -> None:
    assert said in house.said(case("g1", NET), head)


def test_a_pipeline_that_is_not_there_is_told_with_one_that_is(house: House) -> None:
    house.write(case("g1", NET))
    house.file.write_text(house.file.read_text().replace("house.yaml", "hose.yaml"))
    findings = Findings()
    assert read_file(house.file, findings) is None
    (problem,) = findings.sorted()
    assert (problem.code, problem.hint) == ("unreadable-file", "did you mean 'house.yaml'?")
    assert problem.place is not None
    assert (problem.place.line, problem.place.column) == (1, 11)


@pytest.mark.parametrize(
    ("text", "code"), [("", "tests-nothing"), ("- 1\n", "wrong-type"), ("a: [", "not-yaml")]
)
def test_a_file_that_is_no_test_is_told(tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "x.test.yaml"
    file.write_text(text)
    findings = Findings()
    assert read_file(file, findings) is None
    assert [p.code for p in findings.sorted()] == [code]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    findings = Findings()
    assert read_file(tmp_path / "x.test.yaml", findings) is None
    assert [p.code for p in findings.sorted()] == ["unreadable-file"]


def test_expectations_may_be_left_empty_to_be_filled_in(house: House) -> None:
    house.write(case("g1", "updates:"))
    findings = Findings()
    assert read_file(house.file, findings, update=True) is not None
    assert not findings.sorted()
