"""Figures in bounded memory."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from limecep_profile.sketches import MOST_EXACT, PRECISION, Recent, Spread


def spread(values: list[int]) -> Spread:
    made = Spread()
    for value in values:
        made.add(value)
    return made


def test_few_different_numbers_are_exact() -> None:
    made = spread([59, 0, 1, 1, 29] * 1000)
    assert (made.count, made.greatest) == (5000, 59)
    assert [made.quantile(share) for share in (0, 0.5, 0.7, 1)] == [0, 1, 29, 59]
    assert made.tail(1) == (2000, 29)
    assert made.tail(59) == (0, 0)


def test_many_are_as_precise_as_it_says_and_take_no_more_room() -> None:
    random = Random(1)
    values = [int(random.lognormvariate(12, 3)) for _ in range(50_000)]
    made = spread(values)
    values.sort()
    for share in (0.01, 0.1, 0.5, 0.9, 0.99, 1):
        exact = values[int(share * (len(values) - 1))]
        assert made.quantile(share) == pytest.approx(exact, rel=2 * PRECISION, abs=1)
    count, middle = made.tail(values[25_000])
    assert count == pytest.approx(25_000, rel=0.02)
    assert middle == pytest.approx(median(values[25_000:]), rel=0.05)
    assert len(made._counts) < MOST_EXACT


def test_nothing_has_no_quantiles() -> None:
    assert (Spread().quantile(0.5), Spread().tail(0), Spread().greatest) == (0, (0, 0), None)


def test_only_what_was_seen_last_is_remembered() -> None:
    recent = Recent(2)
    assert recent.get("a", 1) is None
    assert recent.get("a", 2) == 1
    assert recent.get("b") is None
    assert recent.get("c") is None
    assert recent.get("a", 3) is None
