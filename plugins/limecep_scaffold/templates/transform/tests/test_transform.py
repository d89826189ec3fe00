"""The transform does what every transform must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.transform import TransformConformance
from limecep_mine.config import MineOptions
from limecep_mine.transform import MineTransform

if TYPE_CHECKING:
    from limecep.api import Context


class TestMineTransform(TransformConformance):
    def make_transform(self, context: Context) -> MineTransform:
        return MineTransform(MineOptions(), context)


def test_short_matches_are_dropped_and_others_say_how_long_they_are() -> None:
    nothing: None = None
    transform = MineTransform(MineOptions(seconds=2), nothing)  # type: ignore[arg-type]
    record = {"op": "emit", "start": "2026-01-05T10:00:00Z", "end": "2026-01-05T10:00:01Z"}
    assert transform.apply(record) is None
    made = transform.apply({**record, "end": "2026-01-05T10:00:03Z"})
    assert made is not None
    assert made["spans"] == 3.0
