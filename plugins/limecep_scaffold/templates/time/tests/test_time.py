"""The time format does what every time format must do, and what it is for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from limecep.testing.time import TimeConformance
from limecep_mine.config import MineOptions
from limecep_mine.time import MineTime

if TYPE_CHECKING:
    from limecep.api import Context


class TestMineTime(TimeConformance):
    samples = (("2026-W02-1 13", datetime(2026, 1, 5, 11, tzinfo=UTC)),)

    def make_format(self, context: Context) -> MineTime:
        return MineTime(MineOptions(hours=2), context)
