"""However little memory there is: what late events change further back is repaired from the log, and where
there is none, that is told."""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import structlog
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection import packed as packed_events
from limecep.detection import segment
from limecep.detection.detection import Detection
from limecep.detection.retention import Limits
from limecep.host import Host
from limecep.runtime import feeds
from limecep.runtime.assembly import Assembly
from limecep.runtime.feeds import Replay
from limecep.runtime.retrieval import Retrieval
from limecep.testing import functions, tables
from limecep.testing.changelog import net
from limecep.testing.oracle import assignment, identity, maximal_matches
from limecep.testing.random_tests import for_all
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep.testing.streams import SECOND, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern
    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal
    from limecep.testing.oracle import Assignment

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300")) // 6

REGISTRY = Host.load().with_plugins(functions, tables).registry

#: From one burst of events to the next, in microseconds: more than patterns look back.
APART = 60 * SECOND

GROWING = frozenset({"kleene", "optional", "types", "negation", "partition"})


def bursts() -> st.SearchStrategy[list[Event]]:
    """A few short streams a minute apart, as one. Only within one of them are there matches."""
    return st.lists(streams(size=6), min_size=3, max_size=5).map(
        lambda drawn: [
            msgspec.structs.replace(e, id=f"{e.id}.{n}", t_gen=e.t_gen + n * APART)
            for n, burst in enumerate(drawn)
            for e in burst
        ]
    )


def going_on() -> st.SearchStrategy[list[Event]]:
    """A stream longer than windows: everywhere matches overlap what is packed and what is not."""
    return streams(size=30)


def arrivals(events: list[Event], chosen: Random, apart: int = APART) -> list[Event]:
    """Some order of arrival in which some events are late, by up to four times `apart`, and some are
    repeated."""
    share, reach = chosen.choice([(0.1, 4), (0.3, 4), (0.3, 1), (1.0, 4)])
    late = {id(e): chosen.random() * reach * apart for e in events if chosen.random() < share}
    arriving = sorted(events, key=lambda e: e.t_gen + late.get(id(e), 0))
    for event in list(arriving):
        if chosen.random() < 0.15:
            arriving.insert(chosen.randrange(len(arriving) + 1), event)
    return arriving


def enough(events: list[Event], windows: int) -> int:
    """How many events there may be in so many windows: memory that is smaller misses matches in order too."""
    times = [e.t_gen for e in events]
    return max((sum(t <= u <= t + windows for u in times) for t in times), default=0) * 10 // 9 + 1


class Run:
    """Patterns over a file that holds a stream in the order of its arrival.

    Attributes:
        updates: What they said.
        refused: The events that each pattern refused.
        evicted: The events that each pattern could not use wholly.
        retrieval: What read the file again.
        packed: How many events were packed in the end.
    """

    def __init__(
        self,
        folder: Path,
        arriving: list[Event],
        drawn: dict[str, dict[str, Any]],
        *,
        room: int,
        log: bool = True,
        unpacked: int = 10**9,
    ) -> None:
        lines = [
            {"type": e.type, "id": e.id, "t": e.t_gen // SECOND, "arr": n, "seq": e.seq, **e.payload}
            for n, e in enumerate(arriving)
        ]
        self._first: dict[tuple[str, str], int] = {}
        for n, e in enumerate(arriving):
            self._first.setdefault((e.type, e.id), n * SECOND)
        (folder / "e.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        source = {
            "type": "file", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id", "order": "seq",
            "time": {"field": "t", "format": "epoch_s"}, "arrival": {"field": "arr", "format": "epoch_s"},
        }  # fmt: skip
        document = {"version": 1, "tables": tables.BLOCK, "sources": {"s": source}, "patterns": drawn}
        loaded = load_dict(document, REGISTRY, root=folder)
        assert loaded.config is not None, loaded.problems
        clock = ManualClock()
        assembly = Assembly(loaded.config, REGISTRY, clock, structlog.get_logger())
        (feed,) = assembly.feeds()
        feed.open()
        self.updates: list[Update] = []
        self.refused: dict[str, set[tuple[str, ...]]] = {name: set() for name in drawn}
        self.evicted: Counter[str] = Counter()
        self.retrieval = Retrieval([feed])
        detection = Detection(
            assembly.detectors(),
            clock,
            sources=assembly.traits(),
            sequenced=True,
            deliver=self.updates.append,
            refuse=self._refuse,
            limits=Limits(events=room, unpacked=unpacked),
            past=self.retrieval if log else None,
        )
        replay = Replay(feed.parts)
        while not feed.ended:
            for fed in replay.step(0.0):
                detection.feed(fed.events)
                assert detection.store.size <= room
        feed.close()
        detection.ended("s")
        detection.finish()
        detection.store.check()
        self.packed = detection.retention.size - detection.store.size

    def _refuse(self, refusal: Refusal) -> None:
        event = refusal.event
        for name in refusal.patterns:
            if refusal.reason == "evicted":
                self.evicted[name] += 1
            elif event.t_arr == self._first[event.type, event.id]:
                # A copy may come when the event has left already, and is then as late as any.
                self.refused[name].add(identity(event))

    def log(self) -> Counter[tuple[object, ...]]:
        """What was said when: names, revisions and events. (The order of what one event causes is free.)"""
        return Counter(
            (
                u.op,
                u.detected,
                assignment(u.first.events()),
                u.generation,
                u.revision,
                assignment(u.match.events()),
            )
            for u in self.updates
        )


def run_all(
    holds: Callable[[list[Pattern], list[Event], int], None],
    features: frozenset[str],
    most: int = 2,
    streams: Callable[[], st.SearchStrategy[list[Event]]] = bursts,
) -> None:
    """Tries many patterns and streams."""
    for_all(
        holds,
        st.lists(patterns(features=features), min_size=1, max_size=most),  # type: ignore[arg-type]
        streams(),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )


def policies(pattern: Pattern, select: str, chosen: Random) -> dict[str, Any]:
    """A pattern with some policies, as YAML has it."""
    within = chosen.choice([None, None, None, 90, 150])
    return {
        "query": str(pattern),
        "select": select,
        "lateness": "accept" if within is None else {"type": "accept", "within": f"{within}s"},
        "slack": {"type": "fixed", "wait": chosen.choice(["0s", "2s", "5s"])},
        "results": {"type": "corrected", "emit": chosen.choice(["eager", "eager", "complete", "slack"])},
    }


def expected(pattern: Pattern, events: list[Event], refused: set[Any], select: Any) -> set[Assignment]:
    """What the oracle finds; sources are named as in the file."""
    seen = [msgspec.structs.replace(e, source="s") for e in events]
    return maximal_matches(pattern, [e for e in seen if identity(e) not in refused], select=select)


@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without"])
@pytest.mark.parametrize("select", ["stnm", "stam"])
@pytest.mark.parametrize("features", [FEATURES, GROWING], ids=["everything", "growing"])
def test_results_are_those_of_the_oracle_or_it_is_told_that_they_are_not(
    select: str, features: frozenset[str], log: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a log they are, always."""
    replays = told_of = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal replays, told_of
        chosen = Random(order)
        monkeypatch.setattr(feeds, "BATCH_MESSAGES", chosen.choice([1, 3, 8]))
        arriving = arrivals(events, chosen)
        named = {f"p{n}": policies(pattern, select, chosen) for n, pattern in enumerate(drawn)}
        room = enough(events, 3 * max(p.within for p in drawn))
        run = Run(tmp_path, arriving, named, room=room, log=log)
        replays += run.retrieval.times
        case = f"{json.dumps(named, indent=1)}\nroom {room}, batch {feeds.BATCH_MESSAGES}\n{shown(arriving)}"
        for name, pattern in zip(named, drawn, strict=True):
            # Whatever is missing, the change log holds to its rules.
            got = net(run.updates, name)
            right = expected(pattern, events, run.refused[name], select)
            if not run.evicted[name]:
                told = f"{case}\nmissing {sorted(right - got)}\nwrong {sorted(got - right)}"
                assert got == right, told
        if log:
            assert not run.evicted, case
        told_of += sum(run.evicted.values())

    run_all(holds, features)
    assert (replays if log else told_of) > EXAMPLES // 5


@pytest.mark.parametrize("results", ["corrected", "uncorrected"])
@pytest.mark.parametrize("select", ["stnm", "stam"])
def test_the_change_log_is_the_same_however_little_memory_there_is(
    results: str, select: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match keeps its name and goes on counting, though its events left memory in between."""
    replays = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal replays
        chosen = Random(order)
        monkeypatch.setattr(feeds, "BATCH_MESSAGES", chosen.choice([1, 3, 8]))
        arriving = arrivals(events, chosen)
        named = {
            "p": {"query": str(drawn[0]), "select": select, "lateness": "accept", "slack": "none",
                  "results": results}
        }  # fmt: skip
        small = Run(tmp_path, arriving, named, room=enough(events, 3 * drawn[0].within))
        large = Run(tmp_path, arriving, named, room=10**6)
        assert small.log() == large.log(), f"{named}\n{shown(arriving)}"
        replays += small.retrieval.times

    run_all(holds, FEATURES, most=1)
    assert replays > EXAMPLES // 5


@pytest.mark.parametrize("streams", [bursts, going_on], ids=["bursts", "going on"])
@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without"])
@pytest.mark.parametrize("select", ["stnm", "stam"])
def test_the_change_log_is_the_same_however_much_is_packed(
    select: str,
    log: bool,
    streams: Callable[[], st.SearchStrategy[list[Event]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed = 0

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        nonlocal packed
        chosen = Random(order)
        monkeypatch.setattr(feeds, "BATCH_MESSAGES", chosen.choice([1, 3, 8]))
        monkeypatch.setattr(packed_events, "SEGMENT_EVENTS", chosen.choice([1, 2, 5]))
        monkeypatch.setattr(segment, "MOST_PARTS", chosen.choice([1, 3]))
        arriving = arrivals(events, chosen, APART if streams is bursts else 4 * SECOND)
        named = {
            f"p{n}": {
                "query": str(pattern),
                "select": select,
                "lateness": "accept",
                "slack": chosen.choice(["none", {"type": "fixed", "wait": "3s"}]),
            }
            for n, pattern in enumerate(drawn)
        }
        small = Run(tmp_path, arriving, named, room=10**6, log=log, unpacked=1)
        large = Run(tmp_path, arriving, named, room=10**6)
        assert small.log() == large.log(), f"{named}\n{shown(arriving)}"
        assert not small.evicted
        assert not small.retrieval.times
        packed += small.packed

    run_all(holds, FEATURES, streams=streams)
    assert packed > EXAMPLES
