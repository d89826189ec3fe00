"""Retention: how long events are kept, under which policies, and within which limits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.detection import Detection
from limecep.detection.footprint import footprint
from limecep.detection.retention import MATCH_BYTES, Limits
from limecep.runtime.assembly import Assembly
from limecep.testing.streams import SECOND, disorder, stream

if TYPE_CHECKING:
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


def pattern(window: str = "10 s", lateness: Any = "accept", **more: Any) -> dict[str, Any]:
    query = f"PATTERN SEQ(A a, B b) WITHIN {window}"
    return {"query": query, "lateness": lateness, "slack": "none", **more}


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
    kept.feed(*range(2000), payload={"v": "x" * 1000})
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
        names = [n for c in type(thing).__mro__ for n in getattr(c, "__slots__", ())]
        names += list(getattr(thing, "__dict__", ()))
        for name in [*names, *getattr(thing, "__struct_fields__", ())]:
            if hasattr(thing, name):
                sizes(getattr(thing, name), seen, found, f"{type(thing).__name__}.{name}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("results", "count"), [("corrected", 200_000), ("uncorrected", 40_000), ("final", 40_000)]
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
