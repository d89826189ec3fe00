"""Explanations as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep_why.text import Times

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

QUERY = "SEQ(A a, B b) WITHIN 2 days"


def test_times_of_one_day_are_without_it() -> None:
    times = Times(
        {"start": "2026-01-05T10:00:00Z", "events": [{"time": "2026-01-05T11:00:00.5Z"}], "key": {"to": "x"}}
    )
    assert times.day == "2026-01-05"
    assert times.of("2026-01-05T11:00:00.5Z") == "11:00:00.5"


def test_times_of_several_days_have_theirs(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 b90000")
    text = asked.why(match)
    assert "  2026-01-05 10:00:01 to 2026-01-06 11:00:00, 24h59m of 48h" not in text
    assert "2026-01-05 10:00:01  a  A  a1" in text
    assert ", on " not in text


def test_data_does_not_move_the_cursor_and_is_cut(asked: Asked) -> None:
    asked.run(QUERY, "a1 b2")
    file = asked.folder / "s.jsonl"
    file.write_text(file.read_text().replace('"a1"', '"\\u001b[2J"').replace('"b2"', f'"{"x" * 100}"'))
    text = asked.why("")
    assert "\x1b" not in text
    assert "?[2J" in text
    assert f"{'x' * 59}…" in text
    assert "x" * 61 not in text


def test_a_key_stands_with_its_attributes(asked: Asked) -> None:
    [match] = asked.run(f"{QUERY} PARTITION BY v", "a1=7 b2=7")
    assert asked.why(match).startswith(f"p  v 7  {match}  live at revision 1\n")


def test_notes_are_broken_into_lines(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 b2")
    asked.pipeline.write_text(asked.pipeline.read_text().replace("    arrival: came\n", ""))
    assert max(len(line) for line in asked.why(match).splitlines()) <= 100
