"""Adds how long a match spans."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.api import Context, Record
    from limecep_mine.config import MineOptions


class MineTransform:
    """Gives records of the change log a field `spans`, in seconds; others go on as they are."""

    def __init__(self, options: MineOptions, context: Context) -> None:
        self._least = options.seconds

    def apply(self, record: Record) -> Record | None:
        """The record with one field more; None for a match that is too short."""
        if "op" not in record:
            return record
        spans = datetime.fromisoformat(record["end"]) - datetime.fromisoformat(record["start"])
        seconds = spans.total_seconds()
        return None if seconds < self._least else {**record, "spans": seconds}
