"""A number that is missing is waited for as long as a transaction may take."""

from __future__ import annotations

from limecep_sql.gaps import BEGINNING, Gaps


def test_numbers_without_gaps_are_taken_at_once() -> None:
    gaps = Gaps(5)
    gaps.seen(4, 0)
    assert gaps.whole(BEGINNING, [1, 2, 3, 4]) == 4
    assert gaps.whole(BEGINNING, [0, 1]) == 2
    assert gaps.whole(4, [5]) == 1
    assert gaps.passed == 0


def test_what_is_behind_a_gap_waits() -> None:
    gaps = Gaps(5)
    gaps.seen(6, 10)
    assert gaps.whole(2, [3, 6]) == 1
    gaps.seen(9, 14)
    assert gaps.whole(3, [6, 9]) == 0
    gaps.seen(9, 15)
    assert gaps.whole(3, [6, 9]) == 1
    assert gaps.whole(3, [4, 5, 6, 9]) == 3
    gaps.seen(9, 19)
    assert gaps.whole(6, [9]) == 1


def test_gaps_that_were_passed_are_counted() -> None:
    gaps = Gaps(0)
    gaps.seen(9, 0)
    assert gaps.whole(BEGINNING, [2, 3, 9]) == 3
    assert gaps.passed == 2
