"""What stands without correction: matches that were emitted and are no result any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.match_codec import MatchCodec
from limecep.patterns.standing_matches import Standing
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.patterns.ledger import Key

PLAN = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 h"), name="p")
(ALTERNATIVE,) = PLAN.alternatives
# Nothing is written.
NO_CODEC = MatchCodec(PLAN, Store().subscribe(PLAN), Ordering(1))


def match(start: int, end: int) -> Match:
    return Match(ALTERNATIVE, ((Event("A", f"a{start}", start),), (Event("B", f"b{end}", end),)))


def key(name: str) -> Key:
    return (name,)


def test_a_match_stands_once_until_it_is_a_result_again() -> None:
    standing = Standing(PLAIN, NO_CODEC)
    standing.add(key("one"), match(1, 2))
    assert len(standing) == 1
    assert not standing.take(key("other"), match(3, 4))
    assert standing.take(key("one"), match(1, 2))
    assert not standing.take(key("one"), match(1, 2))
    assert len(standing) == 0


def test_one_that_left_memory_stands_as_well() -> None:
    standing = Standing(PLAIN, NO_CODEC)
    standing.old.put(match(1, 2), True, until=2)
    assert standing.take(key("one"), match(1, 2))
    assert not standing.take(key("one"), match(1, 2))


def test_what_starts_before_a_time_is_forgotten() -> None:
    standing = Standing(PLAIN, NO_CODEC)
    for start in (1, 2, 3):
        standing.add(key(f"from {start}"), match(start, 9))
    assert [e.until for e in standing.known.values()] == [9, 9, 9]
    standing.forget(2)
    assert [*standing.known] == [("from 2",), ("from 3",)]
