"""Records as rows: what people see at a terminal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.language.parser import parse
from limecep.model.walk import named
from limecep.output.rows import Rows, duration

QUERY = (
    "PATTERN SEQ(Gas a, Temperature+ b[], Smoke? c, Door d) WHERE a.percentage > 40 AND b[i+1].t.value >"
    " b[i].t.value AND count(b) > 1 AND a.source != 'x' AND c.level > 0 WITHIN 30 s"
)
NAMED = {"gas_fire": named(parse(QUERY).where)}


def event(id: str, **payload: Any) -> dict[str, Any]:
    return {"type": "T", "id": id, "time": "2026-01-05T10:00:03Z", "source": "s", "payload": payload}


def record(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "op": "emit",
        "match": "5e0c16ab12",
        "revision": 1,
        "pattern": "gas_fire",
        "key": {"room": "kitchen"},
        "start": "2026-01-05T10:00:03Z",
        "end": "2026-01-05T10:00:21.4Z",
        "events": {
            "a": [event("g1", percentage=62)],
            "b": [event(f"t{n}", t={"value": 24 + n / 10}) for n in range(3)],
            "c": [],
            "d": [event("d1")],
        },
        "cause": {"kind": "in_order", "event": "d1"},
        "latency": 0.04,
    }
    return {**made, **changes}


def row(changes: dict[str, Any], width: int | None = None, **options: Any) -> str:
    return Rows(NAMED, **options).row(record(**changes), width)


def test_a_where_names_attributes_by_variable() -> None:
    assert NAMED["gas_fire"] == {
        "a": (("percentage",), ("source",)),
        "b": (("t", "value"),),
        "c": (("level",),),
    }


def test_a_match_is_a_row_with_the_values_that_made_its_conditions_true() -> None:
    assert row({}) == (
        "+ emit     2026-01-05 10:00:21.4Z  gas_fire  kitchen  5e0c16  18.4s  +40ms"
        "  a.percentage 62  a.source s  b.t.value 24.0 24.1 24.2"
    )


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"op": "correct", "revision": 2}, "~ correct  "),
        ({"op": "correct", "revision": 2}, "  5e0c16 r2  "),
        ({"op": "correct", "revision": 2}, "  (in order d1)"),
        ({"op": "retract", "cause": {"kind": "next_match", "event": None}}, "  (next match)"),
        ({"op": "retract"}, "- retract  "),
        ({"op": "final", "cause": {"kind": "time", "event": None}}, "= final    "),
        ({"cause": {"kind": "late_event", "event": "t42"}}, "  (late event t42)"),
        ({"key": {"room": "k", "house": None}}, "  k,-  "),
        ({"key": None}, "  gas_fire  5e0c16  "),
        ({"events": {"a": ["g1"], "b": ["t1", "t2"], "c": []}}, "  a g1  b t1 t2"),
        ({"events": {"d": [event("a" * 20)]}}, f"  d {'a' * 11}…"),
        ({"events": {"a": [event("g", percentage=None)]}}, "  a.percentage -  "),
        ({"events": {"a": [event("g", percentage=True)]}}, "  a.percentage true  "),
        ({"events": {"a": [event("g", percentage=1 / 3)]}}, "  a.percentage 0.333333  "),
        ({"events": {"a": [event("g", percentage="x" * 30)]}}, f"  a.percentage {'x' * 23}…  "),
        ({"events": {"a": [event("g", source="own")]}}, "  a.source own"),
        ({"events": {"d": [event(f"d{n}") for n in range(12)]}}, "  d d0 d1 d2 d3 … d11 (12)"),
        ({"events": {"d": [event(f"d{n}") for n in range(6)]}}, "  d d0 d1 d2 d3 d4 d5"),
    ],
)
def test_what_a_row_says(changes: dict[str, Any], shown: str) -> None:
    assert shown in f"{row(changes)}  "


def test_a_record_without_events_has_a_row_too() -> None:
    bare = record()
    del bare["events"]
    assert Rows({}).row(bare).endswith("  18.4s  +40ms")


@pytest.mark.parametrize(
    ("late", "shown"),
    [
        (
            {"reason": "invalid", "raw": "{x", "error": "not JSON", "source": "gas", "position": "a.jsonl:7"},
            "! invalid    gas  a.jsonl:7  not JSON  {x",
        ),
        (
            {
                "reason": "extremely_late",
                "event": event("t9"),
                "score": 3.14159,
                "threshold": 2.5,
                "source": "s",
                "position": "7",
            },
            "! extremely late  2026-01-05 10:00:03Z  s  7  T t9  score 3.14, threshold 2.5",
        ),
    ],
)
def test_the_late_output_has_rows(late: dict[str, Any], shown: str) -> None:
    assert Rows({}).row(late).split() == shown.split()


def test_columns_are_as_wide_as_what_they_have_held() -> None:
    rows = Rows(NAMED)
    first = rows.row(record(key={"room": "a long room"}))
    second = rows.row(record(key={"room": "k"}))
    assert first.index("5e0c16") == second.index("5e0c16")


def test_where_a_row_is_too_long_the_values_have_a_line_of_their_own() -> None:
    head = "+ emit     2026-01-05 10:00:21.4Z  gas_fire  kitchen  5e0c16  18.4s  +40ms"
    values = "a.percentage 62  a.source s  b.t.value 24.0 24.1 24.2"
    assert row({}, len(head) + len(values) + 2) == f"{head}  {values}"
    assert row({}, len(head) + len(values) + 1) == f"{head}\n           {values}"


def test_on_a_narrow_terminal_nothing_of_a_row_is_lost() -> None:
    head = ["+ emit     2026-01-05 10:00:21.4Z", "gas_fire  kitchen  5e0c16", "18.4s  +40ms"]
    values = ["a.percentage 62  a.source s", "b.t.value 24.0 24.1 24.2"]
    assert row({}, 40).split(f"\n{' ' * 11}") == [*head, *values]
    assert row({"events": {}}, 40).split(f"\n{' ' * 11}") == head
    assert row({}, 5) == row({}, 24)
    assert row({}, 24).split() == row({}).split()


def test_a_record_that_could_not_be_read_takes_a_few_lines_only() -> None:
    late = {"reason": "invalid", "raw": "{x" * 500, "error": "not JSON", "source": "gas", "position": "a:7"}
    lines = Rows({}).row(late, 60).split("\n")
    assert len(lines) == 5
    assert lines[-1].endswith("…")
    assert max(map(len, lines)) <= 60


def test_the_delay_is_shown_where_it_is_known() -> None:
    assert "  +1h00m" in row({"delay": 3600.0})


def test_only_the_op_is_coloured() -> None:
    assert row({}, coloured=True) == row({}).replace("+ emit", "\x1b[32m+ emit\x1b[0m")


@given(st.text())
def test_no_data_moves_the_cursor(text: str) -> None:
    shown = row({"key": {"k": text}, "events": {"a": [event(text, percentage=text)], "d": [event(text)]}})
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"), (0.00004, "0.0ms"), (0.0045, "4.5ms"), (0.04, "40ms"), (0.9996, "1000ms"), (1, "1s"),
        (18.44, "18.4s"), (673, "11m13s"), (3600, "1h00m"), (7500, "2h05m"), (273_600, "3d04h"),
    ],
)  # fmt: skip
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration(timedelta(seconds=seconds)) == text


def test_values_of_return_stand_in_the_place_of_attributes() -> None:
    emitted = row({"values": {"room": "kitchen", "mean": 24.5, "up": None}})
    assert emitted.endswith("  room kitchen  mean 24.5  up -")
    changed = {"op": "correct", "revision": 2, "cause": {"kind": "late_event", "event": "t9"}}
    corrected = row(
        {"values": {"room": "hall", "mean": 25.0}, "values_before": {"room": "hall", "mean": 24.5}, **changed}
    )
    assert corrected.endswith("  room hall  mean 24.5 → 25.0  (late event t9)")
