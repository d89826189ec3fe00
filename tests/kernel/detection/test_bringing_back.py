"""What is brought back for one late event serves those of the batch that come after it."""

from __future__ import annotations

from limecep.detection.bringing_back import _within


def test_as_many_ranges_are_had_as_there_is_room_for() -> None:
    spans = [(0, 4), (10, 13), (20, 29)]
    assert _within(7, spans) == [(0, 4), (10, 13)]
    assert _within(6, spans) == [(0, 4)]
    assert _within(3, spans) == []
    assert _within(1e9, spans) == spans
