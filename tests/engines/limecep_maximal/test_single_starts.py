"""What a late event changes, where every group follows from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limecep.model.match import Match
    from limecep.testing.bench import Bench


def ids(found: Iterable[Match]) -> list[str]:
    return [" ".join(e.id for g in m.groups for e in g) for m in found]


def changed(driven: Bench, stream: str, late: str) -> tuple[list[str], list[str]] | None:
    """The matches that go, and those that come."""
    for event in written(stream):
        driven.feed(event)
    (event,) = written(late)
    told = driven.going(event)
    if told is None:
        return None
    found, starts = told
    going = ids(found)
    driven.feed(event)
    return going, [] if starts is None else ids(driven.coming(event, starts))


@pytest.mark.parametrize(
    ("query", "stream", "late", "going", "coming"),
    [
        ("SEQ(A a, B b, C c)", "b3 c4", "a1", [], ["a1 b3 c4"]),
        ("SEQ(A a, B b, C c)", "a1 b3 c4", "a1.5", [], ["a1.5 b3 c4"]),
        ("SEQ(A a, B b, C c)", "a1 b3 c4", "a1.0", ["a1 b3 c4"], ["a1 b3 c4", "a1.0 b3 c4"]),
        ("SEQ(A a, B b, C c)", "a1 b4 c5", "b3", ["a1 b4 c5"], ["a1 b3 c5"]),
        ("SEQ(A a, B b, C c)", "a1 b2 a3 b5 c6", "b4", ["a3 b5 c6"], ["a3 b4 c6"]),
        ("SEQ(A a, B b, C c)", "a1 b2 b5 c6", "b4", [], []),
        ("SEQ(A a, B b, C c)", "a1 b2 a3 b4 c6", "c5", ["a1 b2 c6", "a3 b4 c6"], ["a1 b2 c5", "a3 b4 c5"]),
        ("SEQ(A a, B b, C c)", "a1 b2 c3 a4 b5 c7", "c6", ["a4 b5 c7"], ["a4 b5 c6"]),
        ("SEQ(A a, B b, C c)", "a1 a2 b3 c12", "b2.5", ["a2 b3 c12"], ["a2 b2.5 c12"]),
        ("SEQ(A a, B b)", "a1 a9 b12 b13", "b11", ["a9 b12"], ["a1 b11", "a9 b11"]),
        ("SEQ(A a, B b)", "b3 c4", "a12", [], []),
        ("SEQ(A a, B b, C c)", "a1 a2 b3 a4 a5 b6 c14 c17", "b2.5", [], []),
        ("SEQ(A a, B b, C c)", "a1 a2 b3 a4 a5 b8 c14 c17", "b7", ["a4 b8 c14", "a5 b8 c14"],
         ["a4 b7 c14", "a5 b7 c14"]),
        ("SEQ(A a, B+ b[], C c)", "a1 b2 a3 b5 c6", "b4",
         ["a1 b2 b5 c6", "a3 b5 c6"], ["a1 b2 b4 b5 c6", "a3 b4 b5 c6"]),
        ("SEQ(A a, B+ b[], C c)", "a1 b2 c3 c5", "b4", [], []),
        ("SEQ(A a, B{2,} b[], C c)", "a1 b2 c3 b5 c6", "b2.5", ["a1 b2 b5 c6"], ["a1 b2 b2.5 c3"]),
        ("SEQ(A a, B{2,} b[], C c)", "a1 b2 b5 c6", "c3", [], []),
        ("SEQ(A a, B b, A c)", "a1 b2 a5 b6 a7", "a4", ["a1 b2 a5"], ["a1 b2 a4", "a4 b6 a7"]),
        ("SEQ(A a, B b) WHERE a.v > 1", "b3", "a1=1", [], []),
    ],
)  # fmt: skip
def test_an_event_changes_the_matches_of_the_starts_whose_way_it_crosses(
    bench: Callable[..., Bench], query: str, stream: str, late: str, going: list[str], coming: list[str]
) -> None:
    assert changed(bench(f"{query} WITHIN 10 s"), stream, late) == (going, coming)


def test_other_shapes_are_not_found_by_their_starts(bench: Callable[..., Bench]) -> None:
    for query in ("SEQ(A+ a[], B b)", "OR(SEQ(A a, B b), SEQ(A a, C c))", "AND(A a, B b)"):
        assert changed(bench(f"{query} WITHIN 10 s"), "a1 b3", "a2") is None
    assert changed(bench("SEQ(A a, B b) WITHIN 10 s", "stam"), "a1 b3", "a2") is None


def test_where_an_end_event_may_have_too_many_matches_it_is_not_known(bench: Callable[..., Bench]) -> None:
    query = "SEQ(A a, B b) WITHIN 10 s"
    assert changed(bench(query, max_per_end=3), "a1 a2 a3 b5", "a4") is None
    # Only those count that are near.
    assert changed(bench(query, max_per_end=3), "a1 a2 a3 b25 a26 a27 b28", "b27.5") is not None
