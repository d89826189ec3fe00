"""Statements for random tests."""

from __future__ import annotations

from random import Random

import pytest

from limecep.model.event import Event
from limecep.testing.oracle.stated import counting
from limecep.testing.statements import arrivals, listed, statements
from limecep.testing.streams import SECOND, written

EVENTS = written("a1=1 b2=2 c3=3 a4=4 b5=5 c6=6")


@pytest.mark.parametrize("seed", range(5))
def test_what_counts_in_the_end_are_some_of_the_events_as_they_are(seed: int) -> None:
    chosen = Random(seed)
    said = statements(EVENTS, chosen)
    arriving = arrivals(said, chosen)
    assert {id(s) for s in said if s.id not in {a.id for a in arriving}} == set()
    assert [s.t_arr for s in arriving] == [n * SECOND for n in range(len(arriving))]
    known = {e.id: e.payload for e in EVENTS}
    standing = counting(arriving)
    assert all(known[e.id] == e.payload for e in standing)
    assert len(standing) <= len(EVENTS)


def test_some_are_said_anew_and_some_are_none() -> None:
    said = [s for seed in range(20) for s in statements(EVENTS, Random(seed))]
    assert {s.version for s in said} >= {1, 2, 3}
    assert any(s.withdrawn for s in said)


def test_they_are_told_in_words() -> None:
    [said, *_] = statements([Event("A", "a1", SECOND, payload={"v": 1})], Random(3))
    assert listed([said]).split() == ["0", "A", "a1", "at", "1", f"v{said.version}", "{'v':", "1}"]
