"""What an end event completes: how long the last group is, and which starts count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE last(b).v <= c.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE b[i].v <= c.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE sum(b.v) <= c.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE c.v > a.v AND sum(b.v) > 0"),
        ("stnm", "runs", "SEQ(!C n, A a, B{1,2} b, C c)"),
        ("stnm", "runs", "SEQ(A a, B+ b, !A n, C c) WHERE n.v = last(b).v"),
        ("stnm", "runs", "SEQ(A a, B+ b, !A n, C c) WHERE n.v = c.v"),
        ("stnm", "runs", "SEQ(A+ a, B+ b, C c) WHERE b[1].v < c.v AND last(b).v > 0"),
        ("stnm", "runs", "SEQ(A a, B{2,3} b, C c) WHERE b[i].v >= c.v"),
    ],
)
def test_matches_end_as_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)
