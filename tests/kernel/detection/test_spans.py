"""Ranges of time: what is in them, what they hold."""

from __future__ import annotations

from random import Random

import pytest

from limecep.detection.spans import Spans


@pytest.mark.parametrize(
    ("spans", "merged"),
    [
        ([], []),
        ([(3, 5), (1, 2)], [(1, 5)]),
        ([(1, 2), (4, 5)], [(1, 2), (4, 5)]),
        ([(1, 9), (2, 3), (8, 12)], [(1, 12)]),
        ([(5, 4), (7, 7)], [(7, 7)]),
    ],
)
def test_ranges_that_meet_or_touch_are_one(
    spans: list[tuple[int, int]], merged: list[tuple[int, int]]
) -> None:
    assert list(Spans(spans)) == merged
    assert bool(Spans(spans)) is bool(merged)


def test_they_are_the_times_in_any_of_them() -> None:
    chosen = Random(1)
    for _ in range(300):
        drawn = [(low := chosen.randrange(30), low + chosen.randrange(6)) for _ in range(chosen.randrange(6))]
        times = {t for low, high in drawn for t in range(low, high + 1)}
        spans = Spans(drawn)
        assert {t for t in range(-1, 40) if t in spans} == times
        if times:
            assert spans.hull == (min(times), max(times))
        for low in range(-1, 38, 3):
            for high in range(low, low + 8):
                assert spans.holds((low, high)) is times.issuperset(range(low, high + 1))
                gaps = spans.gaps((low, high))
                assert [t for a, b in gaps for t in range(a, b + 1)] == [
                    t for t in range(low, high + 1) if t not in times
                ]


def test_nothing_is_held_by_any() -> None:
    assert Spans().holds((5, 4))
    assert not Spans().holds((5, 5))
