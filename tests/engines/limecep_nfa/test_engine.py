"""Which runs an end event is looked up in, and what an event may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event
    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]


def fed(bench: Bench, stream: str) -> Bench:
    for event in written(stream):
        bench.feed(event)
    return bench


def found(bench: Bench, end: Event) -> list[str]:
    return sorted(" ".join(e.id for group in m.groups for e in group) for m in bench.matches(end))


def touched(bench: Bench, word: str) -> list[str]:
    """The end events whose matches an event may change."""
    (event,) = written(word)
    ends = bench.touched(event)
    assert ends is not None
    return [end.id for end in ends]


@pytest.mark.parametrize(
    ("query", "stream", "word", "ends"),
    [
        ("SEQ(A a, B b)", "b1 b5 b10 b15 b20", "a5", ["b5", "b10", "b15"]),
        ("SEQ(A a, B b)", "b1 b5 b10 b15 b20", "a16", ["b20"]),
        ("SEQ(A a, B b, !C c)", "b1 b5 b10 b15 b20", "c12", ["b5", "b10", "b15", "b20"]),
        ("SEQ(A a, B? b)", "a1 b5 a8 b30", "a2", ["a8", "b5"]),
        ("OR(SEQ(A a, B b), SEQ(A a, D d))", "b5 d6 b7", "a1", ["b5", "b7", "d6"]),
    ],
)
def test_an_event_may_change_the_matches_whose_window_it_is_in(
    bench: Make, query: str, stream: str, word: str, ends: list[str]
) -> None:
    assert sorted(touched(fed(bench(f"{query} WITHIN 10 s"), stream), word)) == sorted(ends)


@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
@pytest.mark.parametrize("where", ["", "WHERE sum(b.v) > 1"])
def test_runs_are_made_anew_for_end_events_out_of_turn(bench: Make, select: str, where: str) -> None:
    stream = "a1 b2=1 c3 a4 b5=2 b6=1 c7 c9 b20=3 a21 b22=2 c23"
    driven = fed(bench(f"SEQ(A a, B+ b[], C c) {where} WITHIN 10 s", select), stream)
    in_turn = [found(driven, end) for end in driven.ends]
    assert any(in_turn)
    assert [found(driven, end) for end in reversed(driven.ends)] == in_turn[::-1]
    driven.forget()
    assert [found(driven, end) for end in driven.ends] == in_turn


def test_alternatives_give_their_matches_together(bench: Make) -> None:
    driven = fed(bench("OR(SEQ(A a, C c), SEQ(B b, C c)) WITHIN 10 s"), "a1 b2 c3")
    assert found(driven, driven.ends[-1]) == ["a1 c3", "b2 c3"]
    assert driven.count(driven.ends[-1]) is None


@pytest.mark.parametrize(
    ("query", "select", "counts"),
    [
        ("SEQ(A a, B b)", "stam", True),
        ("SEQ(A a, B+ b[]) WHERE sum(b.v) > 1", "stnm", True),
        ("SEQ(A a, B+ b[]) WHERE sum(b.v) > 1", "stam", False),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", "stnm", False),
    ],
)
def test_matches_are_counted_where_none_need_be_looked_at(
    bench: Make, query: str, select: str, counts: bool
) -> None:
    driven = fed(bench(f"{query} WITHIN 10 s", select), "a1=1 b2=2")
    assert driven.count(driven.ends[-1]) == (1 if counts else None)


def test_where_runs_are_too_many_some_are_missing_and_that_is_told(bench: Make) -> None:
    stream = "a0=0 " + " ".join(f"b{i}=1" for i in range(1, 30)) + " c40"
    driven = fed(bench("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 1 h", "stnm", 10), stream)
    assert len(driven.matches(driven.ends[-1])) < 10
    assert driven.counters["truncated"] == 1
    assert driven.count(driven.ends[-1]) is None


def test_conditions_at_the_end_close_a_match(bench: Make) -> None:
    driven = fed(bench("SEQ(A a, B+ b[]) WHERE sum(b.v) > 3 WITHIN 10 s"), "a1 b2=2 b3=2")
    assert [found(driven, end) for end in driven.ends] == [[], ["a1 b2 b3"]]


def test_an_end_event_that_a_step_does_not_accept_ends_nothing_there(bench: Make) -> None:
    driven = fed(
        bench("SEQ(A a, B? b, A? c) WHERE c.v > 1 AND c.v > a.v WITHIN 10 s", "stam"), "a1=0 b2 a3=1 a4=2"
    )
    assert found(driven, driven.ends[-1]) == ["a1 a4", "a1 b2 a4", "a3 a4", "a4"]
    assert found(driven, driven.ends[-2]) == ["a3"]
