"""Start groups that only an end event follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written
from limecep_maximal.start_groups import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "runs", "SEQ(A+ a, B b) WHERE a[1].v = b.v"),
        ("stnm", "runs", "SEQ(A+ a, B b) WHERE a.v <= b.v"),
        ("stnm", "runs", "SEQ(A+ a, B b) WHERE last(a).v = b.v"),
        ("stnm", "runs", "SEQ(A+ a, B b) WHERE sum(a.v) > 1"),
        ("stnm", "runs", "SEQ(A{1,2} a, B b)"),
        ("stnm", "runs", "SEQ(A{2} a, B b) WHERE a[i+1].v = a[i].v AND last(a).v = b.v"),
        ("stnm", "runs", "SEQ(A+ a, B b) WHERE a[i+1].v >= a[i].v AND b.v > last(a).v"),
        ("stnm", "runs", "SEQ(A+ a, B b) WHERE a[1].v > 0 AND sum(a.v) < 3"),
        ("stnm", "runs", "SEQ(!C n, A+ a, B b) WHERE sum(a.v) > 1"),
        ("stnm", "runs", "SEQ(A+ a, !C n, B b) WHERE n.v = last(a).v"),
        ("stnm", "runs", "SEQ(A+ a, B b, !C n) WHERE sum(a.v) > 1"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def test_every_so_often_it_looks_whether_the_run_has_to_end(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A{2,} a[], B b) WHERE a.v <= b.v WITHIN 1 h")
    for event in written(" ".join(f"a{i}={i}" for i in range(10 * LOOK_EVERY)) + " b900=1"):
        driven.feed(event)
    assert [len(m.groups[0]) for m in driven.matches(driven.ends[-1])] == [2]
    assert driven.looks >= 10
