"""Durations in words and in YAML."""

from __future__ import annotations

import pytest

from limecep.config.units import duration
from limecep_profile.durations import rounded_up, shown


@pytest.mark.parametrize(
    ("us", "text"),
    [
        (0, "0 seconds"),
        (1, "1 microsecond"),
        (59_000_000, "59 seconds"),
        (60_000_000, "1 minute"),
        (5_400_000_000, "1.5 hours"),
        (300_000 * 86_400_000_000, "300,000 days"),
    ],
)
def test_they_are_shown_in_the_unit_that_suits(us: int, text: str) -> None:
    assert shown(us) == text


def test_they_are_rounded_up_to_what_is_easily_read() -> None:
    assert rounded_up(88_500_000) == (2, "m")
    assert rounded_up(30_000_000) == (30, "s")
    assert rounded_up(400 * 86_400_000_000) == (400, "d")
    for us in (1, 7, 1_001, 59_000_001, 3_600_000_001, 86_400_000_000):
        number, unit = rounded_up(us)
        assert us <= duration(f"{number}{unit}") <= 5 * us
