"""Reads a week, the day in it and the hour."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.api import Context
    from limecep_mine.config import MineOptions

_FORM = re.compile(r"(\d{4})-W(\d{2})-([1-7]) (\d{2})", re.ASCII)


class MineTime:
    """Reads times such as `2026-W02-1 13`."""

    def __init__(self, options: MineOptions, context: Context) -> None:
        self._zone = timezone(timedelta(hours=options.hours))

    def read(self, value: Any) -> datetime:
        """The beginning of that hour."""
        found = _FORM.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            raise ValueError(f"does not look like 2026-W02-1 13: {str(value)[:40]}")
        year, week, day, hour = map(int, found.groups())
        midnight = datetime.fromisocalendar(year, week, day)
        return midnight.replace(hour=hour, tzinfo=self._zone)
