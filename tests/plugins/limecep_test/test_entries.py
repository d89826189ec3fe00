"""Entries of the change log as text."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from limecep_test.entries import Entry, Standing, Unreadable, net, read

ENTRY = Entry(
    op="correct",
    pattern="fire",
    match="81f39cab",
    revision=2,
    key={"room": "hall"},
    events={"g": ("g3",), "h": ("h 4", "h5")},
    values={"percent": 62.5, "name": "x"},
    cause="late_event",
    cause_event="h5",
    at=Decimal("24.500"),
)


def test_what_is_written_is_read_as_the_same() -> None:
    line = ENTRY.line(by=True, at=True)
    assert line == 'correct fire g=g3 h="h 4",h5 -> percent=62.5 name=x by h5 @24.5'
    expected = read(line, op=True)
    assert expected.fits(ENTRY)
    assert (expected.events, expected.values) == (ENTRY.events, ENTRY.values)
    assert ENTRY.details == "match 81f39c r2, room=hall, by h5, @24.5"


@pytest.mark.parametrize(
    "text",
    ["correct fire", "correct fire -> percent=62.5", "correct fire by late_event", "correct fire @24.50"],
)
def test_what_is_not_written_is_not_compared(text: str) -> None:
    assert read(text, op=True).fits(ENTRY)


@pytest.mark.parametrize(
    "text",
    [
        "emit fire",
        "correct fires",
        "correct fire g=g3",
        'correct fire g=g3 h=h5,"h 4"',
        "correct fire -> percent=62",
        "correct fire -> other=1",
        "correct fire by g3",
        "correct fire @24",
    ],
)
def test_what_is_written_must_be_so(text: str) -> None:
    assert not read(text, op=True).fits(ENTRY)


def test_numbers_may_differ_in_their_last_digits_but_truth_is_no_number() -> None:
    third = replace(ENTRY, values={"v": 0.1 + 0.2})
    assert read("correct fire -> v=0.3", op=True).fits(third)
    assert not read("correct fire -> v=1", op=True).fits(replace(ENTRY, values={"v": True}))
    assert not read("correct fire -> v=1", op=True).fits(replace(ENTRY, values=None))


def test_a_match_that_stands_is_expected_without_what_happened_to_it() -> None:
    standing = Standing(ENTRY)
    assert read(standing.line(), op=False).fits(standing)
    assert standing.line().startswith("fire g=g3")
    assert standing.details == ENTRY.details


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("gone fire", "gone"),
        ("emit", "emit"),
        ("emit g=g3", "g=g3"),
        ("emit fire g", "g"),
        ("emit fire g=", "g="),
        ("emit fire by", "by"),
    ],
)
def test_what_is_no_entry_is_told_where_it_stands(text: str, marked: str) -> None:
    with pytest.raises(Unreadable) as error:
        read(text, op=True)
    assert text[error.value.begin : error.value.end] == marked


def test_the_net_results_are_the_last_versions_of_what_is_not_taken_back() -> None:
    first = replace(ENTRY, op="emit", revision=1)
    other = replace(first, match="other")
    gone = replace(other, op="retract", revision=2)
    assert net([first, other, ENTRY, gone]) == [ENTRY]
    assert net([other, gone, other]) == [other]
