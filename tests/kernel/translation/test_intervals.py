from __future__ import annotations

import pytest

from limecep.translation.intervals import duration
from limecep.translation.tree import Node


@pytest.mark.parametrize(
    ("number", "unit", "expected"),
    [
        ("90", "SECOND", 90_000_000), ("1", "hour", 3_600_000_000), ("0.5", "SECONDS", 500_000),
        ("5 minutes", "", 300_000_000), ("2", "WEEK", 14 * 86_400_000_000), ("0", "DAY", None),
        ("1", "MONTH", None), ("1 02", "DAY", None), ("", "", None), ("0.0000001", "SECOND", None),
    ],
)  # fmt: skip
def test_intervals_are_microseconds(number: str, unit: str, expected: int | None) -> None:
    assert duration(Node("interval", (number, unit))) == expected
