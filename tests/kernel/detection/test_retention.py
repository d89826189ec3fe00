"""Retention: how long events are kept, under which policies, and within which limits."""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.detection import Detection
from limecep.detection.footprint import footprint
from limecep.detection.retention import MATCH_BYTES, Limits, Retention, most_kept
from limecep.language.parser import parse
from limecep.model.time import FOREVER
from limecep.plan.compiler import compile_plan
from limecep.runtime.assembly import Assembly
from limecep.statistics import Statistics
from limecep.store.store import Store
from limecep.testing.streams import SECOND, disorder, stream

if TYPE_CHECKING:
    from limecep.detection.spans import Span
    from limecep.patterns.detector import Refusal
    from limecep.registry import Registry


class Kept:
    """Detection over events ten at a time, a second apart unless they say otherwise.

    Attributes:
        refused: What went to the late output.
    """

    def __init__(self, installed: Registry, patterns: dict[str, Any], **limits: Any) -> None:
        loaded = load_dict({"version": 1, "patterns": patterns}, installed)
        assert loaded.config is not None, loaded.problems
        self.refused: list[Refusal] = []
        clock = ManualClock()
        detectors = Assembly(loaded.config, installed, clock, structlog.get_logger()).detectors()
        self.detection = Detection(
            detectors, clock, refuse=self.refused.append, deliver=lambda update: None, limits=Limits(**limits)
        )

    def feed(self, *times: float, type: str = "A", payload: Any = None) -> Kept:
        events = [Event(type, f"{t:g}", int(t * SECOND), payload=payload or {}) for t in times]
        for i in range(0, len(events), 10):
            self.detection.feed(events[i : i + 10])
        return self

    @property
    def seconds(self) -> float:
        """How far memory reaches back."""
        oldest = min(
            t.events.content.events[0].t_gen for t in self.detection.store.types.values() if len(t.events)
        )
        return (self.detection.lta - oldest) / SECOND

    @property
    def evicted(self) -> int:
        return self.detection.retention.evicted


def pattern(
    window: str = "10 s", lateness: Any = "accept", first: str = "A a", **more: Any
) -> dict[str, Any]:
    query = f"PATTERN SEQ({first}, B b) WITHIN {window}"
    return {"query": query, "lateness": lateness, "slack": "none", **more}


@pytest.mark.parametrize(
    ("first", "windows", "live"),
    # With a group at the start it counts what an earlier end event completed, whose window begins sooner.
    [("A a", 1, 4), ("A+ a[]", 2, 1), ("A{1,2} a", 2, 3), ("A? a", 2, 4), ("A{2} a", 2, 3)],
)
def test_what_windows_look_back_to_is_ready_and_the_rest_is_packed(
    installed: Registry, first: str, windows: int, live: int
) -> None:
    kept = Kept(installed, {"p": pattern(first=first)}, unpacked=1).feed(*range(200))
    retention = kept.detection.retention
    assert 10 * windows <= kept.seconds < 30 + 10 * windows
    assert (retention.size, retention.begins, kept.evicted) == (200, -FOREVER, 0)
    # Copies are known, and what is late is used.
    kept.feed(*range(200))
    kept.feed(3.5, type="B")
    assert (retention.size, kept.refused) == (201, [])
    assert kept.detection.patterns()["p"]["live"] == live


def test_payloads_are_made_smaller_where_windows_hold_many_events(installed: Registry) -> None:
    many, few = (
        Kept(installed, {"p": pattern()}, unpacked=size).feed(*range(200), payload={"v": 1, "w": 2})
        for size in (1, 40_000_000)
    )
    taken = [
        {sys.getsizeof(e.payload) for e in k.detection.store.types["A"].events.content.events[:10]}
        for k in (many, few)
    ]
    assert max(taken[0]) < min(taken[1])


def test_of_many_events_the_oldest_are_packed_soon(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern()}, unpacked=1).feed(*(n / 10 for n in range(600)))
    ready = [kept.feed(n / 10).seconds for n in range(600, 1200)]
    # Of the window a twelfth more, and a twelfth that has come since it was last looked.
    assert min(ready) >= 9.9
    assert max(ready) < 12


def test_events_are_ready_for_as_much_longer_as_events_came_late(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern()}, unpacked=1).feed(*range(200))
    assert 10 <= kept.seconds < 20
    kept.feed(194, type="B").feed(*range(200, 400))
    assert 15 <= kept.seconds < 25
    # Two windows more at most: what is later than that is rare.
    kept.feed(300, type="B").feed(*range(400, 1200))
    assert 30 <= kept.seconds < 45


def test_no_more_packed_events_are_taken_back_than_come(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern()}, unpacked=1).feed(*range(1000))
    chosen = Random(5)
    for n in range(100):
        # Each needs the 40 seconds about it.
        kept.feed(chosen.randrange(900) + 0.5, *range(1000 + 9 * n, 1009 + 9 * n))
    store = kept.detection.store
    taken_back = store.arrivals - kept.detection.retention.size
    assert 900 < taken_back < 2000
    # As soon as it has been paid for all are packed again.
    kept.feed(*range(1900, 4000))
    assert kept.seconds < 70


def test_what_waits_for_slack_among_packed_events_stays_there_till_then(installed: Registry) -> None:
    slack = {"type": "fixed", "wait": "300s"}
    kept = Kept(installed, {"p": pattern(slack=slack)}, unpacked=1).feed(*range(200))
    kept.feed(3.5, type="B").feed(*range(200, 490))
    assert (kept.seconds > 400, kept.detection.patterns()["p"]["live"]) == (True, 0)
    kept.detection.settle()
    kept.feed(*range(490, 900))
    assert (kept.seconds < 70, kept.detection.patterns()["p"]["live"]) == (True, 4)


def test_packed_events_leave_where_there_is_no_room_and_are_forgotten(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern()}, unpacked=1, events=2000).feed(*range(4000))
    retention = kept.detection.retention
    assert 1000 < retention.size <= 2000
    assert kept.evicted == 4000 - retention.size
    assert retention.begins == (3999 - retention.size) * SECOND + 1
    seen = kept.detection.store.types["A"].seen[""]
    assert len(seen) == retention.size


@pytest.mark.parametrize(
    "more",
    [
        {"results": {"type": "corrected", "emit": "final"}, "lateness": {"type": "accept", "within": "1h"}},
        {"results": {"type": "corrected", "skip": "past-last"}},
    ],
)
def test_nothing_is_packed_that_could_not_be_put_right(installed: Registry, more: dict[str, Any]) -> None:
    kept = Kept(installed, {"p": pattern(**more)}, unpacked=1).feed(*range(200))
    assert kept.detection.store.size == 200


def test_room_in_bytes_is_for_more_events_where_they_are_packed(installed: Registry) -> None:
    sizes = [
        Kept(installed, {"p": pattern()}, unpacked=n, size=200_000)
        .feed(*range(5000))
        .detection.retention.size
        for n in (20_000, 200_000)
    ]
    assert sizes[0] > 2 * sizes[1]


BOUND = {"type": "bound", "within": "20s"}
LEARNT = {"type": "quantile", "quantile": "99%", "factor": 2}


@pytest.mark.parametrize(
    ("lateness", "least"),
    [
        (BOUND, 20 + 3 * 10),
        ({"type": "accept", "within": "7s"}, 7 + 3 * 10),
        # Nothing late has come: a window, for the first that does.
        (LEARNT, 10 + 3 * 10),
        ("score", 10 + 3 * 10),
    ],
)
def test_events_are_kept_as_long_as_the_policy_asks_for(
    installed: Registry, lateness: Any, least: float
) -> None:
    kept = Kept(installed, {"p": pattern(lateness=lateness)}).feed(*range(3000))
    # What is past keeping goes when there is enough of it.
    assert least <= kept.seconds <= 2 * least
    assert kept.evicted == 0


def test_where_any_event_is_accepted_all_are_kept(installed: Registry) -> None:
    assert Kept(installed, {"p": pattern()}).feed(*range(3000)).seconds == 2999


def test_the_longest_need_of_any_pattern_counts(installed: Registry) -> None:
    both = {"p": pattern(lateness=BOUND), "q": pattern("100 s", LEARNT)}
    assert 400 <= Kept(installed, both).feed(*range(3000)).seconds <= 800


def test_a_policy_that_learns_keeps_as_long_as_what_it_accepted_so_far(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern(lateness=LEARNT)})
    kept.feed(*range(1000)).feed(800.5).feed(*range(1000, 3000))
    assert 200 + 3 * 10 - 1 <= kept.seconds <= 2 * 230


def test_what_waits_for_time_is_kept(installed: Registry) -> None:
    query = "PATTERN SEQ(A a, !B b) WITHIN 10 s"
    patterns = {"p": {"query": query, "lateness": BOUND, "slack": "none"}}
    kept = Kept(installed, patterns)
    # Source t holds time back.
    kept.detection.feed([Event("A", "t", 5 * SECOND, source="t")])
    kept.feed(*range(10, 1000))
    assert kept.seconds == 994
    assert kept.detection.patterns()["p"]["pending"] > 900
    kept.detection.feed([Event("C", "t", 1000 * SECOND, source="t")])
    kept.feed(*range(1001, 1500))
    assert kept.seconds < 700
    assert kept.detection.patterns()["p"]["emitted"] > 900


@pytest.mark.parametrize("sequenced", [False, True])
def test_no_more_events_are_kept_than_there_is_room_for(installed: Registry, sequenced: bool) -> None:
    kept = Kept(installed, {"p": pattern()}, events=100)
    sizes = []
    for t in range(0, 1000, 10):
        sizes.append(kept.feed(*range(t, t + 10)).detection.store.size)
    assert max(sizes) == 100
    assert kept.evicted == 1000 - kept.detection.store.size
    kept.detection.store.check()


def test_events_are_kept_no_longer_than_is_asked_for(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern()}, time=50 * SECOND).feed(*range(1000))
    assert 50 <= kept.seconds <= 100
    assert 900 <= kept.evicted <= 950


def test_memory_that_is_too_short_for_a_window_is_told_of(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern(), "q": pattern("100 s")}, events=100).feed(*range(1000))
    assert "windows_cut" not in kept.detection.patterns()["p"]
    assert kept.detection.patterns()["q"]["windows_cut"] > 10


def test_what_a_policy_lets_go_is_not_evicted(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern(lateness=BOUND)}, events=1000, time=3600 * SECOND)
    assert kept.feed(*range(3000)).evicted == 0


def test_no_more_memory_is_taken_than_there_is_room_for(installed: Registry) -> None:
    kept = Kept(installed, {"p": pattern()}, size=100_000)
    for second in range(2000):
        kept.feed(second, payload={"v": "x" * 1000 + str(second)})
    assert footprint(kept.detection.store) <= 100_000
    assert 40 < kept.detection.store.size < 100
    assert kept.evicted == 2000 - kept.detection.store.size


def test_matches_that_are_known_take_room_too(installed: Registry) -> None:
    """Where a match can grow at its end, those that are live are known."""
    growing = {"query": "PATTERN SEQ(A a, A+ b[]) WITHIN 2 s", "lateness": "accept", "slack": "none"}
    many = Kept(installed, {"p": growing}, size=100_000).feed(*range(2000))
    few = Kept(installed, {"p": pattern()}, size=100_000).feed(*range(2000))
    known = sum(m.results.remembered for m in many.detection.managers)
    assert known > 20
    assert footprint(many.detection.store) + known * MATCH_BYTES <= 100_000
    assert many.detection.store.size < 0.7 * few.detection.store.size


# -- by itself ---------------------------------------------------------------------------------------------


class Needs:
    """What a pattern needs of memory: events from a time on, of a window of 5.

    Attributes:
        said: What it was told.
    """

    name, remembered = "p", 0

    def __init__(self, needed_from: int, *, awaits: bool = False, lasts: int | None = 0) -> None:
        self.needed_from, self.awaits, self.lasts = needed_from, awaits, lasts
        self.waiting: list[Event] = []
        self.said: list[str] = []

    def forget_settled(self) -> None:
        self.said.append("settled")

    def give_up(self, before: int) -> list[Event]:
        return self.waiting

    def is_cut(self, before: int) -> bool:
        return before > self.needed_from

    def left(self, before: int, *, returnable: bool) -> None:
        self.said.append(f"left {before} {'for now' if returnable else 'for good'}")

    def settle(self, whole_from: int) -> None:
        self.said.append(f"settle {whole_from}")

    def rebuild(self, span: Span, known: list[Span], whole_from: int) -> None:
        self.said.append(f"rebuild {span} but {known} {whole_from}")


class Alone:
    """Retention over a store with an A at each time, and what these patterns need.

    Attributes:
        told: What went to the side output.
    """

    def __init__(self, *needs: Needs, count: int = 10, past: Any = None, **limits: Any) -> None:
        self.store = Store()
        self.store.subscribe(compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 5 s"), name="p"))
        self.needs = needs
        self.told: list[tuple[str, list[str], str]] = []
        side: Any = SimpleNamespace(
            not_whole=lambda event, names, why: self.told.append((event.id, names, why))
        )
        memories: Any = needs
        statistics = Statistics(self.store.types)
        limits = {"size": None, **limits}
        self.retention = Retention(self.store, memories, statistics, Limits(**limits), past, side)
        for t in range(count):
            self.store.add(Event("A", f"a{t}", t), self.store.types["A"])
        statistics.lta = count + 5

    @property
    def times(self) -> list[int]:
        return [e.t_gen for e in self.store.types["A"].events.content.events]


@pytest.mark.interpreted
@pytest.mark.parametrize(("needed", "left"), [(0, 0), (2, 0), (3, 3), (9, 9)])
def test_events_go_where_a_quarter_of_them_is_needed_no_more(needed: int, left: int) -> None:
    made = Alone(Needs(needed + 4), Needs(needed))
    made.retention.apply()
    assert made.times[0] == left
    assert (made.retention.whole_from, made.retention.evicted) == (left or -FOREVER, 0)
    assert made.needs[0].said == ["settled", *[f"left {left} for good"] * bool(left)]


@pytest.mark.interpreted
def test_that_is_looked_at_again_when_a_quarter_more_has_come() -> None:
    made = Alone(Needs(0), count=8)
    looks = []
    for t in range(8, 14):
        made.retention.apply()
        looks.append(len(made.needs[0].said))
        made.store.add(Event("A", f"a{t}", t), made.store.types["A"])
    assert looks == [1, 1, 2, 2, 3, 3]


@pytest.mark.interpreted
def test_of_what_is_needed_no_more_so_much_stays_at_most() -> None:
    made = Alone(Needs(0), count=1)
    sizes = []
    for t in range(1, 100):
        made.needs[0].needed_from = t - 6
        made.retention.apply()
        sizes.append(made.store.size)
        made.store.add(Event("A", f"a{t}", t), made.store.types["A"])
    assert 6 < max(sizes) <= most_kept(6)


@pytest.mark.interpreted
def test_what_just_fits_has_room() -> None:
    made = Alone(Needs(0), count=8, events=9)
    made.retention.apply()
    made.store.add(Event("A", "a8", 8), made.store.types["A"])
    made.retention.apply()
    # It is not looked at before there is a quarter more.
    assert made.needs[0].said == ["settled"]
    full = Alone(Needs(0), count=20, events=20)
    full.retention.apply()
    assert (len(full.times), full.retention.evicted) == (20, 0)


@pytest.mark.interpreted
def test_with_nothing_stored_nothing_is_looked_at() -> None:
    made = Alone(Needs(5), count=0, size=1000)
    made.retention.apply()
    assert made.needs[0].said == []


@pytest.mark.interpreted
def test_where_there_is_no_room_some_more_go_and_are_counted() -> None:
    made = Alone(Needs(3), count=30, events=20)
    made.needs[0].waiting = [Event("A", "waits", 1)]
    made.retention.apply()
    # A tenth of the room is made.
    assert (made.times[0], made.retention.whole_from) == (12, 12)
    assert made.retention.evicted == 9
    assert made.retention.cut == {"p": 1}
    assert made.told == [("waits", ["p"], "it waited for time, and had to leave")]


@pytest.mark.interpreted
def test_events_older_than_is_asked_for_go_though_they_are_needed() -> None:
    made = Alone(Needs(0), count=20, time=13)
    made.retention.apply()
    assert (made.times[0], made.retention.evicted) == (12, 12)


@pytest.mark.interpreted
@pytest.mark.parametrize(("possible", "how"), [(True, "for now"), (False, "for good")])
def test_patterns_are_told_whether_what_leaves_may_come_again(possible: bool, how: str) -> None:
    made = Alone(Needs(5), past=SimpleNamespace(possible=possible))
    made.retention.apply()
    assert made.needs[0].said == ["settled", f"left 5 {how}"]


@pytest.mark.interpreted
def test_what_comes_again_is_there_until_it_is_released() -> None:
    made = Alone(Needs(5))
    retention = made.retention
    retention.apply()
    assert (retention.holds((5, 7)), retention.holds((4, 7)), retention.holds((3, 4))) == (True, False, False)
    made.needs[0].said.clear()
    retention.readmit([(3, 4)], [(Event("A", f"a{t}", t), ()) for t in (3, 4)])
    assert made.needs[0].said == ["settle 5", "rebuild (3, 4) but [] 5"]
    assert made.times == [3, 4, 5, 6, 7, 8, 9]
    assert (retention.holds((3, 7)), retention.holds((4, 4)), retention.holds((2, 7))) == (True, True, False)
    assert (retention.lacking((2, 7)), retention.lacking((0, 4))) == ([(2, 2)], [(0, 2)])
    made.needs[0].said.clear()
    retention.readmit([(1, 3)], [(Event("A", f"a{t}", t), ()) for t in (1, 2, 3)])
    assert made.needs[0].said == ["rebuild (1, 4) but [(3, 4)] 5"]
    assert made.times == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    retention.release()
    assert made.times == [5, 6, 7, 8, 9]
    assert not retention.holds((4, 7))
    made.needs[0].said.clear()
    retention.release()
    assert made.needs[0].said == []


@pytest.mark.interpreted
def test_it_is_known_when_nothing_that_is_kept_is_needed_any_more() -> None:
    # The latest event is at 9, and what is needed is 11 behind the latest time, 15.
    assert Alone(Needs(4), Needs(7)).retention.outlived_at(-FOREVER) == 9 + 15 - 4
    assert Alone(Needs(4), time=3).retention.outlived_at(-FOREVER) == 9 + 3
    assert Alone(Needs(4), time=30).retention.outlived_at(-FOREVER) == 9 + 15 - 4
    assert Alone(Needs(-FOREVER), Needs(4)).retention.outlived_at(-FOREVER) == FOREVER
    assert Alone(Needs(4), Needs(4, awaits=True)).retention.outlived_at(-FOREVER) == FOREVER
    # With nothing kept, nothing was needed at any time.
    assert Alone(Needs(4), Needs(7, lasts=2)).retention.outlived_at(-FOREVER) == 9 + 15 - 4 + 2
    assert Alone(Needs(4), Needs(7, lasts=None)).retention.outlived_at(-FOREVER) == FOREVER
    assert Alone(Needs(4), count=0).retention.outlived_at(-FOREVER) < 0
    # What may come at 12 is to be known then.
    assert Alone(Needs(4), Needs(7)).retention.outlived_at(12) == 12 + 15 - 4
    assert Alone(Needs(4), count=0).retention.outlived_at(12) == 12 + 5 - 4


@pytest.mark.interpreted
def test_its_figures_are_restored_but_for_what_the_configuration_says() -> None:
    made = Alone(Needs(3), count=30, events=20)
    made.retention.apply()
    known = made.retention.snapshot()
    for size, room in ((None, 50), (10_000, 20)):
        new = Alone(Needs(3), count=30, events=50, size=size).retention
        new.restore(known)
        # Twelve events are there that are taken for ones that came back.
        assert (new.evicted, new.cut, new.whole_from, new.room) == (9, {"p": 1}, 12, room - 12)
        assert new.snapshot()["look_at"] == 37
        assert new.lta == 35


# -- everything stays bounded ------------------------------------------------------------------------------

PATTERNS = {
    "pairs": "SEQ(A a, B b, C c) WITHIN 20 s PARTITION BY k",
    "growing": "OR(SEQ(A a, B+ b[]), SEQ(B+ b[])) WITHIN 2 s",
    "waiting": "SEQ(A a, !D d, B b, !C c) WITHIN 3 s",
    "conditions": "SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v AND a.v < c.v WITHIN 2 s",
}


def sizes(thing: Any, seen: dict[int, Any], found: Counter[str], path: str) -> Counter[str]:
    """How many entries there are in the containers that can be reached, by whose attributes they are."""
    if id(thing) in seen or isinstance(thing, (str, bytes, int, float, Event, type)) or callable(thing):
        return found
    seen[id(thing)] = thing
    if isinstance(thing, dict):
        found[path] += len(thing)
        for value in list(thing.values()):
            sizes(value, seen, found, f"{path}[]")
    elif isinstance(thing, (list, tuple, set, frozenset)):
        found[path] += len(thing)
        if not isinstance(thing, (set, frozenset)):
            for value in list(thing):
                sizes(value, seen, found, f"{path}[]")
    else:
        declared = "__slots__", "__mypyc_attrs__"
        names = [n for c in type(thing).__mro__ for kind in declared for n in getattr(c, kind, ())]
        names += list(getattr(thing, "__dict__", ()))
        for name in [*names, *getattr(thing, "__struct_fields__", ())]:
            if hasattr(thing, name):
                sizes(getattr(thing, name), seen, found, f"{type(thing).__name__}.{name}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("results", "count"), [("corrected", 80_000), ("uncorrected", 40_000), ("final", 40_000)]
)
def test_nothing_grows_with_the_stream(installed: Registry, results: str, count: int) -> None:
    """Whatever can be reached from the detection, however deep, is as large at the end as after a quarter."""
    policy = {"type": "corrected", "emit": "final"} if results == "final" else {"type": results}
    bound = {"type": "bound", "within": "4s"}
    kept = Kept(
        installed,
        {
            name: {"query": f"PATTERN {query}", "lateness": bound, "results": policy}
            for name, query in PATTERNS.items()
        },
    )
    # Keys come and go.
    made = stream(
        5, count, "ABCDX", ties=0.05, duplicates=0.02,
        attributes={"v": lambda r: r.randrange(100), "k": lambda r: r.randrange(50)},
    )  # fmt: skip
    for n, event in enumerate(made):
        event.payload["k"] += n // 1000 * 50
    arriving = disorder(made, 5, 0.2, 6 * SECOND)
    reached: list[Counter[str]] = []
    for i in range(0, len(arriving), 1000):
        kept.detection.feed(arriving[i : i + 1000])
        if i // 1000 in (*range(count // 4000 - 5, count // 4000), *range(count // 1000 - 5, count // 1000)):
            reached.append(sizes(kept.detection, {}, Counter(), ""))
    before = {path: max(r[path] for r in reached[:5]) for path in set().union(*reached)}
    after = {path: max(r[path] for r in reached[5:]) for path in before}
    grown = {path: (before[path], n) for path, n in after.items() if n > 2 * before[path] + 50}
    assert not grown
    assert kept.detection.store.size < 1000
    assert sum(m.refused for m in kept.detection.managers) > 1000
    assert kept.detection.patterns()["pairs"]["emitted"] > 50
