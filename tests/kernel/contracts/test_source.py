"""Lines: messages that are made when they are asked for."""

from __future__ import annotations

import pytest

from limecep.contracts.source import Lines, Message, channels_of, positions_of


def test_lines_are_messages_that_are_made_when_asked_for() -> None:
    lines = Lines([b"a", b"b", b"c"], "log", 5, 9)
    made = [Message(v, "log", f"log:{n}", 9) for n, v in enumerate((b"a", b"b", b"c"), 5)]
    assert [*lines] == made
    assert [lines[0], lines[-1]] == [made[0], made[-1]]
    assert [*lines[1:]] == made[1:]
    assert [*lines[::-2]] == made[::-2]
    assert [*positions_of(lines)] == positions_of(made) == ["log:5", "log:6", "log:7"]
    assert [*channels_of(lines)] == [*channels_of(made)] == ["log"]
    assert [*zip(lines.values, lines.arrivals, lines.event_times, strict=True)] == [
        (m.value, m.t_arr, m.event_time) for m in made
    ]
    assert [*lines.ends] == made[-1:]
    assert [*lines[:0].ends] == []
    assert lines[1:].positions[1:][0] == lines.positions[-1] == "log:7"
    with pytest.raises(IndexError):
        lines[3]
