"""The late output in words."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.cli.late_report import first, late_lines, spoiled

LATE: dict[str, Any] = {
    "reason": "extremely_late",
    "source": "gas",
    "pattern": "gas_fire",
    "count": 1200,
    "example": {
        "event": {"type": "Smoke", "id": "s7", "time": "2026-01-05T10:00:00Z"},
        "error": "31 s late, more than 10 s",
        "position": "gas.csv:40",
    },
}
KEPT = "          a sink with 'of: late' would keep them"


def invalid(error: str, *fields: str, source: str = "s") -> dict[str, Any]:
    example = {"reason": "invalid", "error": error, "position": "a.csv:2"}
    return {
        "reason": "invalid", "source": source, "pattern": None, "count": 2, "example": example,
        "fields": list(fields),
    }  # fmt: skip


def test_every_reason_is_a_line_with_the_first_of_its_events() -> None:
    elsewhere = {**invalid("odd"), "source": None}
    assert [*late_lines({"late": [LATE, elsewhere]}, [])] == [
        "late      1,200 extremely late, source gas, pattern gas_fire: the first Smoke s7 at gas.csv:40: "
        "31 s late, more than 10 s",
        "late      2 invalid, other sources and patterns: the first at a.csv:2: odd",
        KEPT,
    ]


def test_where_all_of_it_is_is_said() -> None:
    assert [*late_lines({"late": [LATE]}, ["late.jsonl", "x"])][-1] == "          all are in late.jsonl, x"


def test_where_nothing_was_late_nothing_is_said() -> None:
    assert [*late_lines({"late": []}, ["late.jsonl"])] == [*late_lines({}, [])] == []


@pytest.mark.parametrize(("count", "others"), [(10, ""), (11, "2"), (1010, "2,000")])
def test_of_many_reasons_the_others_are_added_up(count: int, others: str) -> None:
    lines = [*late_lines({"late": [invalid("odd", source=f"s{n}") for n in range(count)]}, [])]
    told = [f"late      {others} for other reasons, sources and patterns"] * bool(others)
    assert lines[10:] == [*told, KEPT]


def test_an_event_without_an_error_has_its_time_to_show() -> None:
    event = {"type": "A", "id": "a1", "time": "2026-01-05T10:00:00Z"}
    assert first({"example": {"event": event}}) == "A a1 of them: its time is 2026-01-05T10:00:00Z"


@pytest.mark.parametrize(
    ("error", "fields", "said"),
    [
        ("no time: 'ts' is missing", ["Ts", "v"], "; it has 'Ts', 'v'; did you mean 'Ts'?"),
        ("no time: 'ts' is missing", ["a", "b"], "; it has 'a', 'b'"),
        ("no time: 'ts' is missing", ["ts;v"], "; it has one field, 'ts;v': is the delimiter \";\"?"),
        ("no time: 'ts' is missing", [], "; it has no fields"),
        (
            "time 'ts' is out of range: not in the years 1 to 9999",
            [],
            "; is 'format' the unit of its numbers?",
        ),
        ("not JSON", ["a"], ""),
    ],
)
def test_what_an_invalid_record_has_instead_is_said(error: str, fields: list[str], said: str) -> None:
    assert first(invalid(error, *fields)) == f"at a.csv:2: {error}{said}"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"read": 3, "invalid": 3}, "all 3 records of source 's' are invalid; the first at a.csv:2: odd"),
        ({"read": 1, "invalid": 1}, "the only record of source 's' is invalid; the first at a.csv:2: odd"),
        ({"read": 3, "invalid": 2}, ""),
        ({"read": 0, "invalid": 0}, ""),
        ({}, ""),
        # What earlier runs read is not this one's.
        ({"read": 5, "invalid": 3, "earlier": {"read": 2, "invalid": 0}}, "all 3 records of source 's' are"),
        ({"read": 5, "invalid": 4, "earlier": {"read": 2, "invalid": 2}}, ""),
        ({"read": 5, "invalid": 5, "earlier": {"read": 5, "invalid": 5}}, ""),
    ],
)
def test_a_source_of_which_all_was_invalid_is_named(counts: dict[str, Any], said: str) -> None:
    others = [LATE, invalid("other", source="t"), invalid("odd")]
    found = spoiled({"sources": {"s": counts}, "late": others})
    assert found.startswith(said)
    assert bool(found) is bool(said)


def test_several_such_sources_are_named_and_one_without_an_example_too() -> None:
    all_invalid = {"read": 2, "invalid": 2}
    assert spoiled({"sources": {"s": all_invalid, "t": all_invalid}, "late": [invalid("odd")]}) == (
        "all 2 records of source 's' are invalid; the first at a.csv:2: odd; "
        "all 2 records of source 't' are invalid"
    )
