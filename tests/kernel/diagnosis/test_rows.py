"""Look-ups that found no row are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline

if TYPE_CHECKING:
    from limecep.registry import Registry

ROWS = [{"m": "press-1", "max": 5}, {"m": "press-2", "max": 5}]
TIMED = [{**row, "since": 100} for row in ROWS]


def suspicions(registry: Registry, condition: str, machines: list[Any], rows: Any = ROWS) -> list[Any]:
    table: dict[str, Any] = {"key": "m"}
    if "since" in rows[0]:
        table["from_time"] = {"field": "since", "format": "epoch_s"}
    query = f"PATTERN SEQ(A a, A? b) WHERE {condition} WITHIN 1 s"
    document = {"version": 1, "tables": {"limits": table}, "patterns": {"p": {"query": query}}}
    pipeline = Pipeline.from_dict(document, registry=registry, tables={"limits": rows})
    pipeline.feed([Event("A", str(n), n, payload={"m": m, "v": 9}) for n, m in enumerate(machines)])
    pipeline.finish()
    found = pipeline.report()["patterns"]["p"]
    return [(r["message"], r["hint"]) for r in found.get("suspicions", []) if r["code"] == "absent-row"]


@pytest.mark.parametrize("condition", ["a.v > limits[a.m].max", "a.m IN limits"])
def test_that_no_event_has_a_row_is_told_with_what_there_is(condition: str, installed: Registry) -> None:
    assert suspicions(installed, condition, ["pres-1", "pres-9", None]) == [
        (
            "table 'limits' had no row for a.m in all 3 A: such as 'pres-1', 'pres-9'",
            "did you mean 'press-1'?",
        )
    ]


@pytest.mark.parametrize(
    ("condition", "machines"),
    [
        ("a.v > limits[a.m].max", ["pres-1", "press-1"]),
        ("a.v > limits[a.m].max", [None, None]),
        ("a.v > limits[lower(a.m)].max", ["x"]),
        ("a.v > limits['x'].max", ["x"]),
    ],
)
def test_where_some_have_one_or_nobody_can_tell_nothing_is_said(
    condition: str, machines: list[Any], installed: Registry
) -> None:
    assert suspicions(installed, condition, machines) == []


def test_keys_of_another_kind_are_told_as_that(installed: Registry) -> None:
    rows = [{"m": 7, "max": 5}, {"m": 8, "max": 5}]
    assert suspicions(installed, "a.v > limits[a.m].max", [9, 10]) == [
        (
            "table 'limits' had no row for a.m in all 2 A: such as 9, 10",
            "'m' of the table is text, and 9 is a number",
        )
    ]
    ((_, hint),) = suspicions(installed, "a.v > limits[a.m].max", ["7"], rows)
    assert hint == "'m' of the table is a number, and '7' is text"
    ((_, hint),) = suspicions(installed, "a.v > limits[a.m].max", [70], rows)
    assert hint == "did you mean '7'?"


def test_rows_that_hold_from_later_on_are_told_as_that(installed: Registry) -> None:
    ((said, hint),) = suspicions(installed, "a.v > limits[a.m].max", ["press-1"], TIMED)
    assert said == "table 'limits' had no row for a.m in the only A: such as 'press-1'"
    assert hint == "a row holds from its time on: events before that find none"
