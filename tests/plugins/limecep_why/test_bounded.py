"""Long lists in part."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_why.bounded import shortened


def say(n: int) -> dict[str, Any]:
    return {"n": n}


def test_short_lists_and_without_a_bound_all_are_whole() -> None:
    assert shortened([1, 2], 2, say) == [{"n": 1}, {"n": 2}]
    assert len(shortened(range(10_000), 0, say)) == 10_000


def test_the_first_and_the_last_are_shown_and_the_others_counted() -> None:
    assert shortened(range(100), 4, say) == [{"n": 0}, {"n": 1}, {"n": 2}, {"more": 96}, {"n": 99}]


def test_what_is_odd_is_shown_before_others() -> None:
    shown = shortened(range(100), 4, say, lambda n: n == 50)
    assert shown == [{"n": 0}, {"n": 1}, {"more": 48}, {"n": 50}, {"more": 48}, {"n": 99}]


@pytest.mark.parametrize("most", [1, 2, 3, 7, 20])
def test_nothing_is_lost_or_shown_twice(most: int) -> None:
    shown = shortened(range(1000), most, say, lambda n: n % 3 == 0)
    assert sum(s.get("more", 1) for s in shown) == 1000
    assert sum("n" in s for s in shown) == max(most, 2)
