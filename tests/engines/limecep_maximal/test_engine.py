"""The engine: what its alternatives give together, and what it knows without evaluating."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.match import Match
    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]


def fed(bench: Bench, stream: str) -> Bench:
    for event in written(stream):
        bench.feed(event)
    return bench


def ids(matches: list[Match]) -> list[str]:
    return sorted(" ".join(e.id for g in m.groups for e in g) for m in matches)


def test_alternatives_give_their_matches_together(bench: Make) -> None:
    driven = fed(bench("OR(SEQ(A a, C c), SEQ(B b, C c)) WITHIN 10 s"), "a1 b2 c3")
    assert ids(driven.matches(driven.ends[-1])) == ["a1 c3", "b2 c3"]
    assert driven.count(driven.ends[-1]) is None
    assert driven.matches_of(driven.ends) is None
    assert driven.engine.results == "maximal"
    assert len(driven.engine.explain()) == 2


def test_one_alternative_counts_and_takes_several_end_events_at_once(bench: Make) -> None:
    driven = fed(bench("SEQ(A a, B b) WITHIN 10 s"), "a1 a2 b3 a4 b5 b6")
    assert [driven.count(end) for end in driven.ends] == [2, 1, 0]
    given = driven.matches_of(driven.ends)
    assert given is not None
    assert [ids(matches) for matches in given] == [["a1 b3", "a2 b3"], ["a4 b5"], []]


def test_strict_contiguity_neither_counts_nor_knows_what_is_touched(bench: Make) -> None:
    driven = fed(bench("SEQ(A a, B b) WITHIN 10 s", "sc"), "a1 b3 a4 b6")
    assert [ids(driven.matches(end)) for end in driven.ends] == [["a1 b3"], ["a4 b6"]]
    assert driven.count(driven.ends[0]) is None
    assert driven.matches_of(driven.ends) is None
    assert driven.touched(*written("a2")) is None


@pytest.mark.parametrize(
    ("query", "select", "touched"),
    [
        ("SEQ(A a, B b)", "stnm", ["b3"]),
        ("SEQ(A a, B b)", "stam", None),
        ("OR(SEQ(A a, B b), SEQ(A a, C c))", "stnm", ["b3", "c4"]),
        ("OR(SEQ(A a, B b), SEQ(A a, C? c))", "stnm", None),
    ],
)
def test_few_end_events_may_be_known_to_change(
    bench: Make, query: str, select: str, touched: list[str] | None
) -> None:
    found = fed(bench(f"{query} WITHIN 10 s", select), "a1 b3 c4 b6 c7").touched(*written("a2"))
    assert (None if found is None else sorted(e.id for e in found)) == touched
