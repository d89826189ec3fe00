"""The live matches of several end events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.match_codec import MatchCodec
from limecep.patterns.net import Net
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.plan.plan import Alternative

PLAN = compile_plan(parse("PATTERN SEQ(A+ a[], B* b[]) WITHIN 1 h"), name="p")
ALTERNATIVE = PLAN.alternatives[0]
CODEC = MatchCodec(PLAN, Store().subscribe(PLAN), Ordering(1))
WHOLE = compile_plan(
    parse("PATTERN SEQ(A+ a[], B* b[]) WHERE avg(a.v) > 0 WITHIN 1 h"), name="p"
).alternatives[0]
EVENTS = {
    n: Event(n[0].upper(), n, int(n[1:]), ordinal=int(n[1:])) for n in ["a1", "a2", "a3", "b4", "b5", "b6"]
}


def made(alternative: Alternative, within: int) -> Net:
    # Nothing is written.
    return Net(alternative, within, PLAIN, "net", CODEC)


def match(a: str, b: str = "", alternative: object = ALTERNATIVE) -> Match:
    groups = tuple(tuple(EVENTS[n] for n in names.split()) for names in (a, b))
    return Match(alternative, groups)  # type: ignore[arg-type]


def shown(matches: list[Match]) -> list[str]:
    return sorted(" ".join(e.id for g in m.groups for e in g) for m in matches)


def test_a_longer_match_takes_the_place_of_what_it_contains() -> None:
    net = made(ALTERNATIVE, 3_600_000_000)
    assert [shown(x) for x in net.join([match("a1")])] == [["a1"], []]
    assert [shown(x) for x in net.join([match("a1 a2", "b4")])] == [["a1 a2 b4"], ["a1"]]
    assert [shown(x) for x in net.join([match("a1", "b4 b5")])] == [["a1 b4 b5"], []]


def test_what_is_contained_in_a_live_match_does_not_come() -> None:
    net = made(ALTERNATIVE, 3_600_000_000)
    net.join([match("a1 a2", "b4 b5")])
    assert [shown(x) for x in net.join([match("a1", "b4"), match("a1", "b4")])] == [[], []]


def test_where_conditions_look_at_whole_groups_starts_may_differ() -> None:
    net = made(WHOLE, 3_600_000_000)
    net.join([match("a2", "b4", WHOLE)])
    assert [shown(x) for x in net.join([match("a1 a2", "b4", WHOLE)])] == [["a1 a2 b4"], ["a2 b4"]]


def test_only_what_a_window_may_hold_together_is_looked_at() -> None:
    net = made(WHOLE, 2)
    net.join([match("a1", "b4", WHOLE), match("a2", "b4", WHOLE), match("a3", "b5", WHOLE)])
    new = match("a3", "b4", WHOLE)
    assert shown(list(net._rivals_of(new, net._shared(new)))) == ["a2 b4", "a3 b5"]
    net.forget(3)
    assert shown(list(net._rivals_of(new, net._shared(new)))) == ["a3 b5"]


def test_a_range_of_end_events_is_replaced_by_what_is_found_anew() -> None:
    net = made(ALTERNATIVE, 3_600_000_000)
    net.join([match("a1", "b4")])
    net.join([match("a2", "b5")])
    come, gone = net.replace([EVENTS["b4"]], [match("a1 a3", "b4")])
    assert (shown(come), shown(gone)) == (["a1 a3 b4"], ["a1 b4"])
    assert shown(net.ending(EVENTS["b5"])) == ["a2 b5"]


def test_matches_that_start_before_are_forgotten() -> None:
    net = made(ALTERNATIVE, 3_600_000_000)
    net.join([match("a1", "b4")])
    net.join([match("a2", "b5")])
    net.forget(2)
    assert len(net) == 1
    assert shown(net.ending(EVENTS["b4"])) == []
    assert shown(net.ending(EVENTS["b5"])) == ["a2 b5"]


def test_where_no_condition_looks_at_whole_groups_only_what_begins_alike_is_looked_at() -> None:
    pairs = compile_plan(
        parse("PATTERN SEQ(A+ a[], B* b[]) WHERE avg(a.v) > 0 AND a[i+1].v > a[i].v WITHIN 1 h"), name="p"
    ).alternatives[0]
    for alternative, found in ((ALTERNATIVE, []), (WHOLE, ["a1 a2 b4"]), (pairs, ["a1 a2 b4"])):
        net = made(alternative, 3_600_000_000)
        net.join([match("a1 a2", "b4", alternative)])
        new = match("a2", "b4", alternative)
        assert shown(list(net._rivals_of(new, net._shared(new)))) == found


def test_a_match_that_starts_where_a_longer_one_ends_is_contained_in_it() -> None:
    net = made(WHOLE, 3_600_000_000)
    net.join([match("a3", "", WHOLE)])
    assert [shown(x) for x in net.join([match("a1 a3", "", WHOLE)])] == [["a1 a3"], ["a3"]]
