"""Next-match with conditions: runs go forward from one end event to the next."""

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
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE b[i].v >= a.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE sum(b.v) > 1"),
        ("stnm", "runs", "SEQ(A a, B{1,2} b, C c)"),
        ("stnm", "runs", "SEQ(A a, B b, C c) WHERE c.v = b.v"),
        ("stnm", "runs", "SEQ(A a, B b, C c) WHERE b.v = a.v"),
        ("stnm", "runs", "SEQ(B a, A+ b, B c, A d) WHERE c.v > last(b).v"),
        ("stnm", "runs", "SEQ(A a, B+ b, A c, B d) WHERE c.v = sum(b.v)"),
        ("stnm", "runs", "SEQ(A a, B+ b) WHERE sum(b.v) > 1"),
        ("stnm", "runs", "SEQ(A a, B+ b, B+ c, C d) WHERE avg(c.v) >= 1"),
        ("stnm", "runs", "SEQ(A a, !C n, B b) WHERE n.v = a.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, !C n, A c) WHERE n.v = last(b).v"),
        ("stnm", "runs", "SEQ(A a, B+ b) WHERE b.v >= a.v"),
        ("stnm", "runs", "SEQ(A a, B b, A c, B d) WHERE c.v = b.v AND c.v >= a.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, B c, A d) WHERE c.v = a.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, A c, B d) WHERE sum(b.v) < 2"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def found(driven: Bench, stream: str) -> list[str]:
    """The matches of each end event, in the order of the stream."""
    given = []
    for event in written(stream):
        if (end := driven.feed(event)) is not None:
            given += [" ".join(e.id for g in m.groups for e in g) for m in driven.matches(end)]
    return given


@pytest.mark.parametrize(
    ("query", "stream", "matches"),
    [
        ("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v", "a1=1 b2=2 b3=1 b4=3 c5 c6", ["a1 b2 b4 c5"]),
        ("SEQ(A a, B+ b[], C c) WHERE sum(b.v) > 3", "a1 b2=2 c3 b4=2 c5", ["a1 b2 b4 c5"]),
        ("SEQ(A a, B{2} b[], C c)", "a1 b2 b3 b4 c5", ["a1 b2 b3 c5"]),
        ("SEQ(A a, B b, C c) WHERE c.v = a.v", "a1=1 b2 c3=2 c4=1 c5=1", ["a1 b2 c4"]),
        ("SEQ(A a, B+ b[]) WHERE sum(b.v) > 1", "a1 b2=1 b3=1", ["a1 b2 b3"]),
        ("SEQ(A a, !C n, B b) WHERE n.v = a.v", "a1=1 a2=2 c3=1 b4", ["a2 b4"]),
        (
            "SEQ(A a, B+ b[], C c, D d) WHERE c.v = a.v",
            "a1=1 b2 c3=2 b4 c5=1 b6 c7=1 d8",
            ["a1 b2 b4 b6 c7 d8", "a1 b2 b4 c5 d8"],
        ),
        ("SEQ(A a, B b, C c, D d) WHERE c.v = a.v AND c.v > b.v", "a1=1 b2=5 c3=1 d4", []),
        ("SEQ(A a, B b, C c, D d) WHERE c.v = a.v AND c.v > b.v", "a1=1 b2=0 c3=2 c4=1 d5", ["a1 b2 c4 d5"]),
        ("SEQ(A a, B+ b[], C c, D d) WHERE c.v > last(b).v", "a1 b2=1 c3=2 d4", ["a1 b2 c3 d4"]),
    ],
)
def test_a_run_takes_the_first_that_is_eligible(
    bench: Callable[..., Bench], query: str, stream: str, matches: list[str]
) -> None:
    assert sorted(found(bench(f"{query} WITHIN 10 s"), stream)) == matches
