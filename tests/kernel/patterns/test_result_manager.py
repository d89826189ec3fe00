"""The result manager: what is said of matches that come, change and go."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.results import EVERYTHING, Skip
from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.keys import key_of
from limecep.patterns.pending import Pending
from limecep.patterns.result_manager import ResultManager
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering

if TYPE_CHECKING:
    from limecep.model.update import Update

pytestmark = pytest.mark.interpreted

#: When events arrive after they happened, and when the clock stands.
ARRIVED, NOW = 100, 150

VIEW: Any = SimpleNamespace(within=lambda end: 1, within_any=lambda ends: 1, ordering=Ordering(10))

SINGLE = "SEQ(A a, B b)"
GROWING = "SEQ(A a, B+ b[])"
GROUPED = "SEQ(A+ a[], B b)"
EITHER = "OR(SEQ(A a, B b), SEQ(B b, A a))"
EITHER_GROWING = "OR(SEQ(A a, B+ b[]), SEQ(A a, B+ b[], C? c))"


class Made:
    """A result manager over an engine that finds what it is told to.

    Attributes:
        found: The matches of each end event, by its id.
        updates: What was said and not looked at yet.
    """

    def __init__(
        self,
        query: str = SINGLE,
        *,
        partition: str = "",
        corrects: bool = True,
        skip: Skip | None = None,
        results: str = "maximal",
        delivers: bool = True,
    ) -> None:
        self.plan = compile_plan(parse(f"PATTERN {query} WITHIN 1 h {partition}"), name="p")
        self.found: dict[str, list[Match]] = {}
        self.updates: list[Update] = []
        self.counters: Counter[str] = Counter()
        self.events: dict[str, Event] = {}
        clock = ManualClock(NOW)
        context = Context(label="p", clock=clock, counters=self.counters, logger=structlog.get_logger())
        context.truncations.first = {"id": "of another run"}
        engine: Any = SimpleNamespace(
            results=results,
            matches=lambda end, view: self.found[end.id],
            count=lambda end, view: len(self.found[end.id]),
        )
        policy: Any = SimpleNamespace(
            passes=EVERYTHING if corrects else frozenset({"emit"}),
            across_keys=False,
            skip=skip,
            decide=lambda changes, moment: [c for c in changes if c.op == "emit"],
        )
        codec: Any = SimpleNamespace(key=key_of(self.plan), name=None)
        deliver = self.updates.append if delivers else None
        time: Any = SimpleNamespace(lta=NOW)
        self.manager = ResultManager(self.plan, engine, policy, context, deliver, PLAIN, codec, time)

    def event(self, name: str) -> Event:
        """`b4` is a B at 4, stored fourth."""
        if name not in self.events:
            n = int(name[1:])
            self.events[name] = Event(name[0].upper(), name, n, ARRIVED + n, payload={"k": 7}, ordinal=n)
        return self.events[name]

    def match(self, text: str, alternative: int = 0) -> Match:
        """`a1 b4`: each event goes to the step of its type."""
        events = [self.event(name) for name in text.split()]
        chosen = self.plan.alternatives[alternative]
        return Match(
            chosen, tuple(tuple(e for e in events if e.type in s.filter.types) for s in chosen.steps)
        )

    def ended(self, end: str, *texts: str | Match) -> list[str]:
        """An end event comes for which these are found."""
        self.found[end] = [self.match(t) if isinstance(t, str) else t for t in texts]
        self.manager.ended(self.event(end), VIEW)
        return self.said()

    def revised(
        self, end: str, before: list[str], *now: str, late: str = "", waited: bool = False
    ) -> list[str]:
        """An end event for which there was something else before is looked at again."""
        self.found[end] = [self.match(t) for t in now]
        pending = Pending(VIEW)
        pending.before = {self.manager.own_key(m): m for m in map(self.match, before)}
        pending.late = [self.event(name) for name in late.split()]
        pending.waiting = {self.event(end).ordinal} if waited else set()
        self.manager.revise([self.event(end)], pending, None)
        return self.said()

    def said(self) -> list[str]:
        said = [*self.updates]
        self.updates.clear()
        if said:
            self.last = said[-1]
        return [
            f"{u.op}{u.revision} {' '.join(e.id for g in u.match.groups for e in g)}"
            f" {u.cause} {u.cause_event.id if u.cause_event else '-'}{' final' if u.final else ''}"
            for u in said
        ]


def test_what_is_found_for_an_end_event_in_order_is_new() -> None:
    made = Made(partition="PARTITION BY k")
    assert made.ended("b4", "a1 b4", "a2 b4") == ["emit1 a1 b4 in_order b4", "emit1 a2 b4 in_order b4"]
    update = made.last
    assert (update.pattern, update.key, update.generation) == ("p", {"k": 7}, 0)
    assert (update.first, update.detected) == (update.match, NOW)
    assert update.latency == NOW - ARRIVED - 4
    assert made.counters["emitted"] == 2
    latency = made.manager.latency
    assert (latency.count, latency.maximum, latency.minimum) == (2, 49, 48)


def test_what_arrives_by_a_clock_that_is_ahead_has_no_latency() -> None:
    made = Made()
    made.ended("b70", "a60 b70")
    assert made.last.latency == 0
    assert made.manager.latency.maximum == 0


def test_where_matches_are_counted_only_nothing_is_said_of_them() -> None:
    made = Made(delivers=False)
    made.manager.evaluation.engine.matches = None  # type: ignore[attr-defined]
    assert made.ended("b4", "a1 b4", "a2 b4") == []
    assert made.ended("b5", "a1 b5") == []
    assert made.counters["emitted"] == 3
    assert made.manager.latency.count == 0


def test_a_match_that_grows_is_corrected_and_what_it_contains_does_not_come() -> None:
    made = Made(GROWING)
    assert made.ended("b4", "a1 b4") == ["emit1 a1 b4 in_order b4"]
    # The longest first, whatever the engine gives first.
    assert made.ended("b6", "a1 b4 b6", "a1 b4 b5 b6") == ["correct2 a1 b4 b5 b6 in_order b6"]
    assert made.counters["corrected"] == 1
    assert made.manager.latency.count == 2
    assert made.manager.remembered == 3  # in the net, and in the ledger with what it began as


def test_an_engine_that_finds_all_matches_takes_back_none() -> None:
    made = Made(GROWING, results="all")
    made.ended("b4", "a1 b4")
    assert made.ended("b5", "a1 b4 b5") == ["emit1 a1 b4 b5 in_order b5"]


def test_growing_matches_are_counted_where_they_are_not_delivered() -> None:
    made = Made(GROWING, delivers=False)
    made.ended("b4", "a1 b4")
    made.ended("b5", "a1 b4 b5", "a2 b4 b5")
    assert (made.counters["emitted"], made.counters["corrected"], made.counters["retracted"]) == (2, 1, 0)


def test_what_goes_is_counted_where_it_is_not_delivered() -> None:
    made = Made(delivers=False)
    made.revised("b4", ["a1 b4", "a2 b4"], "a3 b4", late="a3")
    assert (made.counters["emitted"], made.counters["corrected"], made.counters["retracted"]) == (1, 0, 2)


def test_a_late_event_brings_matches_and_takes_others_back_by_their_ends() -> None:
    made = Made()
    assert made.revised("b4", ["a1 b4"], "a2 b4", late="a2") == [
        "retract2 a1 b4 next_match a2",
        "emit1 a2 b4 late_event a2",
    ]
    assert (made.counters["retracted"], made.counters["emitted"]) == (1, 1)
    assert made.counters["on_demand_runs"] == 1
    # Found again, it goes on counting.
    assert made.revised("b4", [], "a1 b4", late="a1") == ["emit3 a1 b4 late_event a1"]
    assert made.revised("b4", ["a1 b9", "a1 b4", "a1 b5"], late="a1") == [
        "retract4 a1 b4 next_match a1",
        "retract2 a1 b5 next_match a1",
        "retract2 a1 b9 next_match a1",
    ]
    assert made.manager.latency.count == 2


def test_what_is_as_it_was_is_not_spoken_of() -> None:
    made = Made()
    assert made.revised("b4", ["a1 b4"], "a1 b4", late="a1") == []
    assert made.revised("b4", ["a1 b4"], "a1 b4", "a2 b4", late="a2") == ["emit1 a2 b4 late_event a2"]


def test_an_end_event_that_has_only_waited_is_in_order() -> None:
    made = Made()
    assert made.revised("b4", [], "a1 b4", waited=True) == ["emit1 a1 b4 in_order b4"]
    assert made.revised("b5", [], "a1 b5", late="a2", waited=True) == ["emit1 a1 b5 in_order b5"]


def test_a_late_event_that_fits_in_corrects() -> None:
    made = Made(GROUPED)
    made.ended("b4", "a1 b4")
    assert made.revised("b4", ["a1 b4"], "a1 a2 b4", late="a2") == ["correct2 a1 a2 b4 late_event a2"]
    assert made.last.first.key() == made.match("a1 b4").key()
    # The one that lacks it is corrected, though another is as large.
    now = ["a1 a2 b4", "a1 a3 b4"]
    assert made.revised("b4", now, "a1 a2 a3 b4", late="a3") == [
        "retract2 a1 a3 b4 next_match a3",
        "correct3 a1 a2 a3 b4 late_event a3",
    ]
    made = Made(GROUPED)
    assert made.revised("b4", now, "a1 a2 a3 b4", late="a2") == [
        "retract2 a1 a2 b4 next_match a2",
        "correct2 a1 a2 a3 b4 late_event a2",
    ]
    # What another began as is of another name.
    assert made.revised("b4", ["a1 a2 a3 b4"], "a1 a2 a3 b4", "a1 a3 b4", late="a2") == [
        "emit1 a1 a3 b4 late_event a2"
    ]
    assert made.last.generation == 1


def test_what_a_net_holds_is_replaced_for_end_events_that_are_looked_at_again() -> None:
    made = Made(GROWING)
    made.ended("b4", "a2 b4")
    assert made.manager.emitted([made.event("b4")], VIEW, None) == {}
    assert made.revised("b4", [], "a1 b4", late="a1") == [
        "retract2 a2 b4 next_match a1",
        "emit1 a1 b4 late_event a1",
    ]


def test_without_correction_what_was_emitted_stands_and_is_emitted_once() -> None:
    made = Made(corrects=False)
    made.ended("b4", "a1 b4")
    assert made.revised("b4", ["a1 b4"], "a2 b4", late="a2") == ["emit1 a2 b4 late_event a2"]
    assert made.revised("b4", ["a2 b4"], "a1 b4", "a3 b4", late="a3") == ["emit1 a3 b4 late_event a3"]
    assert made.counters["retracted"] == made.counters["corrected"] == 0


def test_what_was_emitted_is_what_is_found_before_the_view_changes() -> None:
    made = Made()
    match = made.match("a1 b4")
    made.found["b4"] = [match, made.match("a2 b4")]
    emitted = made.manager.emitted([made.event("b4")], VIEW, lambda m: m is match)
    assert emitted == {made.manager.own_key(match): match}
    assert made.counters["engine_runs"] == 0


def test_what_can_change_no_more_is_final_under_its_revision() -> None:
    made = Made()
    made.revised("b4", ["a1 b4"], late="a2")
    made.revised("b4", [], "a1 b4", late="a2")
    made.manager.finish(made.event("b4"), VIEW)
    assert made.said() == ["final3 a1 b4 time -"]
    assert (made.counters["final"], made.last.latency, made.manager.latency.count) == (1, 0, 1)
    growing = Made(GROWING)
    growing.ended("b4", "a1 b4")
    growing.manager.finish(growing.event("b4"), VIEW)
    growing.manager.finish(growing.event("b5"), VIEW)
    assert growing.said() == ["final1 a1 b4 time -"]


def test_what_time_decides_may_be_final_at_once() -> None:
    for query in (SINGLE, GROWING):
        made = Made(query)
        match = made.match("a1 b4")
        made.manager.settle([match], "time", None, final=True)
        assert made.said() == ["emit1 a1 b4 time - final"]
        made.manager.settle([made.match("a2 b5")], "late_event", made.event("a2"))
        assert made.said() == ["emit1 a2 b5 late_event a2"]


def test_a_match_that_others_drop_is_not_emitted_nor_final() -> None:
    made = Made(skip=Skip("past-last"))
    assert made.ended("b4", "a1 b4", "a2 b4") == ["emit1 a1 b4 in_order b4"]
    made.manager.finish(made.event("b4"), VIEW)
    assert made.said() == ["final1 a1 b4 time -"]
    assert made.manager.remembered == 2
    assert made.revised("b4", ["a1 b4", "a2 b4"], "a2 b4", late="a3") == [
        "retract2 a1 b4 next_match a3",
        "emit1 a2 b4 late_event a3",
    ]


def test_final_matches_wait_for_those_that_may_drop_them() -> None:
    made = Made(skip=Skip("past-last"))
    made.manager.settle([made.match("a1 b4"), made.match("a2 b4")], "time", None, final=True)
    assert made.said() == []
    made.manager.release(4)
    assert made.said() == []
    made.manager.release(5)
    assert made.said() == ["emit1 a1 b4 time - final"]
    Made().manager.release(5)


def test_equal_assignments_of_alternatives_are_one_match() -> None:
    made = Made(EITHER)
    same = [made.match("a1 b4"), made.match("a1 b4", 1)]
    assert made.ended("b4", *same) == ["emit1 b4 a1 in_order b4"]
    assert made.manager.own_key(same[0]) == made.manager.own_key(same[1])
    growing = Made(EITHER_GROWING)
    same = [growing.match("a1 b4"), growing.match("a1 b4", 1)]
    assert growing.ended("b4", *same) == ["emit1 a1 b4 in_order b4"]
    assert growing.manager.own_key(same[0]) != growing.manager.own_key(same[1])
    # Each is in a net, and their assignment is counted.
    assert growing.manager.remembered == 3


def test_what_has_a_pattern_that_may_be_forbidden_later_is_counted_by_alternative() -> None:
    made = Made("OR(SEQ(A a, B b, !C c), SEQ(B b, A a))")
    same = [made.match("a1 b4"), made.match("a1 b4", 1)]
    assert made.manager.own_key(same[0]) != made.manager.own_key(same[1])
    before = Made("OR(SEQ(A a, !C c, B b), SEQ(B b, A a))")
    same = [before.match("a1 b4"), before.match("a1 b4", 1)]
    assert before.manager.own_key(same[0]) == before.manager.own_key(same[1])
    made.manager.settle([made.match("a1 b4"), made.match("a1 b4", 1)], "time", None)
    assert made.said() == ["emit1 a1 b4 time -"]
    one_grows = Made("OR(SEQ(B b, A a), SEQ(A a, B+ b[]))")
    one_grows.ended("b4", one_grows.match("a1 b4", 1))
    assert one_grows.ended("b5", one_grows.match("a1 b4 b5", 1)) == ["correct2 a1 b4 b5 in_order b5"]


def test_what_memory_lets_go_is_forgotten_or_put_aside() -> None:
    for let_go, revision in (("forget", 2), ("archive", 3)):
        made = Made()
        made.revised("b4", ["a1 b4"], late="a2")
        assert made.manager.remembered == 2  # taken back, and begun
        getattr(made.manager, let_go)(1)
        assert made.manager.remembered == 2
        getattr(made.manager, let_go)(2)
        assert made.manager.remembered == 0
        (said,) = made.revised("b4", [], "a1 b4", late="a2")
        assert said == ("emit1" if revision == 2 else "emit3") + " a1 b4 late_event a2"


def test_what_stands_is_forgotten_or_put_aside_too() -> None:
    for let_go, again in (("forget", ["emit1 a1 b4 late_event a2"]), ("archive", [])):
        made = Made(corrects=False)
        made.revised("b4", ["a1 b4"], late="a2")
        getattr(made.manager, let_go)(2)
        assert made.manager.remembered == 0
        assert made.revised("b4", [], "a1 b4", late="a2") == again


def test_nets_and_candidates_let_go_too() -> None:
    for let_go in ("forget", "archive"):
        growing = Made(GROWING)
        growing.ended("b4", "a1 b4")
        getattr(growing.manager, let_go)(2)
        assert growing.manager.remembered == 0
        skipping = Made(skip=Skip("past-last"))
        skipping.ended("b4", "a1 b4")
        getattr(skipping.manager, let_go)(5)
        assert skipping.manager.remembered == 0


def test_it_is_known_until_when_something_was_given_up() -> None:
    made = Made(corrects=False)
    manager = made.manager
    ledger = manager._ledger
    ledger.old = ledger._made_old(PLAIN)
    ledger.old.live.lost_until = 3
    assert manager.lost_until == 3
    manager._decisions.old.lost_until = 5
    assert manager.lost_until == 5


def test_what_had_been_emitted_is_learnt_again_in_silence() -> None:
    made = Made(GROWING)
    made.found["b4"] = [made.match("a1 b4"), made.match("a2 b4")]
    made.manager.rebuild([made.event("b4")], VIEW, None, 2)
    assert made.said() == []
    assert [m.start.id for net in made.manager._nets for m in net.ending(made.event("b4"))] == ["a1"]
    assert made.ended("b5", "a1 b4 b5") == ["correct2 a1 b4 b5 in_order b5"]
    plain = Made()
    plain.manager.rebuild([plain.event("b4")], VIEW, None, 2)
    assert plain.counters["engine_runs"] == 0


def test_its_figures_are_restored() -> None:
    made, new = Made(corrects=False), Made(corrects=False)
    assert made.manager._truncations.first is None
    made.manager._truncations.note(made.event("b4"), "max_per_end")
    made.manager.forget(4)
    assert len(made.manager._truncations.known) == 1
    made.manager.forget(5)
    assert len(made.manager._truncations.known) == 0
    made.ended("b4", "a1 b4")
    ledger = made.manager._ledger
    ledger.old = ledger._made_old(PLAIN)
    ledger.old.live.lost_until = 3
    made.manager._decisions.old.lost_until = 5
    made.manager._truncations.first = {"id": "b4"}
    new.manager.restore(made.manager.snapshot())
    assert new.counters == made.counters
    assert new.manager.latency.total == 49
    assert (new.manager._ledger.lost_until, new.manager._decisions.lost_until) == (3, 5)
    assert new.manager._truncations.first == {"id": "b4"}


def test_what_follows_from_its_tables_is_found_when_they_are_filled() -> None:
    growing, again = Made(GROWING), Made(GROWING)
    growing.ended("b4", "a1 b4")
    (net,), (new_net,) = growing.manager._nets, again.manager._nets
    new_net.live.update(net.live)
    again.manager.restore(growing.manager.snapshot())
    assert [m.start.id for m in new_net.ending(again.event("b4"))] == ["a1"]
    dropping, again = Made(skip=Skip("past-last")), Made(skip=Skip("past-last"))
    dropping.ended("b4", "a1 b4")
    assert dropping.manager._skipping is not None
    assert again.manager._skipping is not None
    again.manager._skipping.candidates.update(dropping.manager._skipping.candidates)
    again.manager.restore(dropping.manager.snapshot())
    assert again.ended("b5", "a2 b5") == []
