"""A negated step after the end that names the end event: what hits one end event spares the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A a, B b, !C n) WHERE n.v = b.v",
        "SEQ(A a, B b, !C n) WHERE n.v > b.v AND a.v = b.v",
        "SEQ(A a, B b, !C n, !A m) WHERE n.v = b.v AND m.v = a.v",
        "SEQ(A a, B+ b, A d, !C n) WHERE n.v = d.v AND b[i+1].v >= b[i].v",
        "SEQ(A a, !C m, B b, !C n) WHERE n.v = b.v AND m.v = a.v",
        "SEQ(A a, B b, B c, !A n) WHERE n.v < c.v",
    ],
)
def test_matches_are_those_of_the_oracle(hold: Callable[..., None], query: str) -> None:
    hold(query, way="runs", streams=24)


def ids(driven: Bench, stream: str) -> list[str]:
    """The end events that the last event of a stream brings matches to light of, the others asked about."""
    *before, last = written(stream)
    for event in before:
        if (end := driven.feed(event)) is not None:
            list(driven.matches(end))
    driven.feed(last)
    assert isinstance(driven.engine, MaximalEngine)
    exposed = driven.engine.exposed(last, driven.view(last))
    assert exposed is not None
    return [e.id for e in exposed]


@pytest.mark.parametrize(
    ("stream", "exposed"),
    [
        ("a1 b2=1 b3=2 b4=3 c5=1", ["b3"]),
        # One after the other is hit.
        ("a1 b2=1 b3=1 b4=3 c5=1", ["b4"]),
        ("a1 b2=1 b3=1 c5=1", []),
        ("a1 b2=1 b3=2 c5=2", []),
        # No longer in the window of the match, or of the start.
        ("a1 b2=1 b3=2 c12=1", []),
        ("a1 a4 b5=1 b6=2 b13=2 c14=1", ["b6"]),
    ],
)
def test_an_event_exposes_the_next_end_event_of_what_it_hits(
    bench: Callable[..., Bench], stream: str, exposed: list[str]
) -> None:
    assert ids(bench("SEQ(A a, B b, !C n) WHERE n.v = b.v WITHIN 10 s"), stream) == exposed


def test_what_was_not_looked_at_yet_is_not_told(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A a, B b, !C n) WHERE n.v = b.v WITHIN 10 s")
    fed = [driven.feed(e) for e in written("a1 b2=1 b3=2")]
    last = written("c4=1")[0]
    driven.feed(last)
    assert isinstance(driven.engine, MaximalEngine)
    assert fed[1] is not None
    list(driven.matches(fed[1]))
    assert driven.engine.exposed(last, driven.view(last)) is None
