"""The built-in time formats do what every time format must do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from limecep.testing.plugin import PluginConformance
from limecep.testing.time import TimeConformance
from limecep_times.config import SinceOptions
from limecep_times.since import Since

if TYPE_CHECKING:
    from limecep.contracts.context import Context


class TestSpreadsheet(TimeConformance):
    samples = (
        (0, datetime(1899, 12, 30, tzinfo=UTC)),
        (46_027.5, datetime(2026, 1, 5, 12, tzinfo=UTC)),
        ("46027.25", datetime(2026, 1, 5, 6, tzinfo=UTC)),
    )

    def make_format(self, context: Context) -> Since:
        return Since(SinceOptions(begin="1899-12-30", unit="days"), context)


class TestTicks(TimeConformance):
    samples = ((639_031_680_000_000_005, datetime(2026, 1, 5, tzinfo=UTC)), (10, -62_135_596_800_000_000 + 1))

    def make_format(self, context: Context) -> Since:
        return Since(SinceOptions(begin="0001-01-01", unit="100ns"), context)


class TestPlugin(PluginConformance):
    module = "limecep_times.plugin"
