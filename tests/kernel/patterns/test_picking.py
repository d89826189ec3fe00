"""What is picked among the live matches of end events."""

from __future__ import annotations

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.emission.waiting import Waiting
from limecep.patterns.match_codec import MatchCodec
from limecep.patterns.net import Net
from limecep.patterns.picking import Picking
from limecep.patterns.timing import Timing
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.store import Store

PLAN = compile_plan(parse("PATTERN SEQ(A a, B+ b[]) WITHIN 10 us"), name="p")
CODEC = MatchCodec(PLAN, Store().subscribe(PLAN), Ordering(1))
EVENTS = {
    n: Event(n[0].upper(), n, int(n[1:]), ordinal=int(n[1:])) for n in ["a1", "a2", "a4", "b3", "b5", "b6"]
}


def match(a: str, b: str) -> Match:
    return Match(PLAN.alternatives[0], ((EVENTS[a],), tuple(EVENTS[n] for n in b.split())))


class Live:
    """A net, and what is picked in it."""

    def __init__(self) -> None:
        self.net = Net(PLAN.alternatives[0], 10, PLAIN, "net", CODEC)
        self.picking = Picking("last", [self.net], 10, PLAIN, CODEC)

    def join(self, *matches: Match) -> list[list[str]]:
        come, gone = self.net.join(matches)
        return [shown(side.values()) for side in self.picking.change(come, gone)]

    def look(self, *ends: str) -> list[list[str]]:
        return [shown(side.values()) for side in self.picking.look([EVENTS[e] for e in ends])]


def shown(matches: object) -> list[str]:
    return [" ".join(e.id for g in m.groups for e in g) for m in matches]  # type: ignore[attr-defined]


def test_of_each_end_event_one_is_told_and_put_right_when_another_is_better() -> None:
    live = Live()
    assert live.join(match("a1", "b3"), match("a2", "b3")) == [["a2 b3"], []]
    assert len(live.picking) == 1
    # What is contained in a match that ends later is live no more.
    assert live.join(match("a2", "b3 b5")) == [["a1 b3", "a2 b3 b5"], ["a2 b3"]]
    assert live.join(match("a4", "b5")) == [["a4 b5"], ["a2 b3 b5"]]
    assert live.join(match("a1", "b3 b5")) == [[], ["a1 b3"]]
    assert shown(live.picking.ending(EVENTS["b5"])) == ["a4 b5"]
    assert live.picking.ending(EVENTS["b3"]) == []


def test_where_it_waits_it_is_told_once_the_window_has_passed() -> None:
    live = Live()
    waiting = live.picking.waiting = Waiting(Timing(PLAN, "complete"), PLAIN)
    assert live.join(match("a1", "b3"), match("a2", "b5")) == [[], []]
    waiting.settled = 13
    assert live.look("b3", "b5") == [[], []]
    waiting.settled = 14
    assert live.look("b3", "b5") == [["a1 b3"], []]
    waiting.settled = 16
    assert live.look("b3", "b5") == [["a2 b5"], []]
    assert live.look("b3", "b5") == [[], []]


def test_what_starts_before_a_time_is_forgotten() -> None:
    live = Live()
    live.join(match("a1", "b3"), match("a2", "b5"), match("a4", "b6"))
    live.picking.forget(2)
    assert sorted(shown(live.picking.picked.values())) == ["a2 b5", "a4 b6"]
