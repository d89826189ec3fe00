"""Start groups: which lead to the first event of the second step, and where they may begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "runs", "SEQ(A+ a, B b, C c) WHERE c.v >= b.v"),
        ("stnm", "runs", "SEQ(A+ a, B+ b, C c) WHERE sum(b.v) > 0"),
        ("stnm", "runs", "SEQ(A{1,2} a, B b, C c)"),
        ("stnm", "runs", "SEQ(A+ a, B+ b, C c) WHERE sum(a.v) > 1"),
        ("stnm", "runs", "SEQ(A+ a, B+ b, C c) WHERE b[1].v >= last(a).v"),
        ("stnm", "runs", "SEQ(A+ a, !C n, B b, C c) WHERE c.v = b.v"),
        ("stnm", "runs", "SEQ(A+ a, !C n, B b, A c) WHERE n.v = last(a).v"),
        ("stnm", "runs", "SEQ(A+ a, B{1,2} b, C c) WHERE a[i+1].v >= a[i].v"),
        ("stnm", "runs", "SEQ(A{2,3} a, B{1,2} b) WHERE a[i+1].v >= a[i].v AND a[1].v < 2"),
        ("stnm", "runs", "SEQ(A a, B{1,2} b, C c) WHERE b[2].v > b[1].v"),
        ("stnm", "runs", "SEQ(A+ a, B b, C{1,2} c) WHERE a.v > 0 AND a[1].v < 2"),
    ],
)
def test_matches_begin_as_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)
