"""Options of the time formats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from limecep import option

#: How many microseconds each unit has: a fraction of two whole numbers.
UNITS: dict[str, tuple[int, int]] = {
    "days": (86_400_000_000, 1),
    "hours": (3_600_000_000, 1),
    "minutes": (60_000_000, 1),
    "s": (1_000_000, 1),
    "ms": (1_000, 1),
    "us": (1, 1),
    "100ns": (1, 10),
    "ns": (1, 1_000),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SinceOptions:
    """Options of `since`."""

    begin: str = option(
        help="When counting begins, as ISO 8601; without a zone it is UTC. Spreadsheets count days from "
        "1899-12-30 on, GPS seconds from 1980-01-06, Apple from 2001-01-01, .NET 100ns from 0001-01-01.",
        example="1899-12-30",
    )
    unit: Literal["days", "hours", "minutes", "s", "ms", "us", "100ns", "ns"] = option(
        "s", help="What is counted."
    )

    def __post_init__(self) -> None:
        try:
            _ = self.instant
        except ValueError:
            raise ValueError(f"'begin' is no date and no time in ISO 8601: {self.begin}") from None

    @property
    def instant(self) -> datetime:
        """When counting begins."""
        begin = datetime.fromisoformat(self.begin)
        return begin.replace(tzinfo=UTC) if begin.tzinfo is None else begin
