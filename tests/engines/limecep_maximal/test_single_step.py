"""One step: a match is a group that ends with the end event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "alone", "A+ a WHERE sum(a.v) > 1"),
        ("stnm", "alone", "A{2,3} a"),
        ("stnm", "alone", "SEQ(!B n, A+ a) WHERE sum(a.v) > 1 AND n.v = a[1].v"),
        ("stnm", "alone", "A{2,3} a WHERE a[i+1].v >= a[i].v"),
        ("stnm", "alone", "A+ a WHERE a[i+1].v > a[i].v AND count(a) > 1 AND a[1].v > 0"),
        ("stnm", "alone", "SEQ(A+ a, !B n) WHERE sum(a.v) < 3"),
        ("stnm", "alone", "SEQ(A{1,2} a, !C n) WHERE a[i+1].v = a[i].v AND n.v = last(a).v"),
        ("stnm", "alone", "A+ a WHERE a[1].v > last(a).v"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


@pytest.mark.parametrize(
    ("query", "stream", "groups"),
    [
        ("A{2,3} a[]", "a1 a2 a3 a4", [[], ["a1 a2"], ["a1 a2 a3"], ["a2 a3 a4"]]),
        ("A+ a[] WHERE sum(a.v) < 3", "a1=1 a2=1 a3=1", [["a1"], ["a1 a2"], ["a2 a3"]]),
        ("A+ a[] WHERE count(a) >= 2 AND a[1].v > 1", "a1=1 a2=2 a3=1", [[], [], ["a2 a3"]]),
        ("A+ a[] WHERE avg(a.v) > 1", "a1=1 a2=9 a12.5=2", [[], ["a1 a2"], ["a12.5"]]),
        (
            "A{1,2} a[] WHERE a[i+1].v > a[i].v",
            "a1=1 a2=3 a3=2 a4=4",
            [["a1"], ["a1 a2"], ["a3"], ["a2 a4", "a3 a4"]],
        ),
        ("SEQ(!B n, A{1,2} a[])", "b1 a2 a3 a11.5", [[], [], ["a3 a11.5"]]),
    ],
)
def test_of_the_groups_that_end_with_an_event_the_longest_are_kept(
    bench: Callable[..., Bench], query: str, stream: str, groups: list[list[str]]
) -> None:
    driven = bench(f"{query} WITHIN 10 s")
    for event in written(stream):
        driven.feed(event)
    found = [[" ".join(e.id for e in m.groups[0]) for m in driven.matches(end)] for end in driven.ends]
    assert [sorted(f) for f in found] == groups
