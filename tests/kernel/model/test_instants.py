"""Instants are RFC 3339 in UTC."""

from __future__ import annotations

import pytest

from limecep.model.instants import rfc3339

#: The first and the last microsecond of the years 1 to 9999.
FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999


@pytest.mark.parametrize(
    ("t", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (1_500_000, "1970-01-01T00:00:01.5Z"),
        (10_000_000, "1970-01-01T00:00:10Z"),
        (120, "1970-01-01T00:00:00.00012Z"),
        (FIRST, "0001-01-01T00:00:00Z"),
        (FIRST - 1, "0001-01-01T00:00:00Z"),
        (LAST, "9999-12-31T23:59:59.999999Z"),
        (LAST + 1, "9999-12-31T23:59:59.999999Z"),
        (10**30, "9999-12-31T23:59:59.999999Z"),
        (-(10**30), "0001-01-01T00:00:00Z"),
    ],
)
def test_an_instant_has_as_many_decimals_as_it_needs(t: int, text: str) -> None:
    assert rfc3339(t) == text
