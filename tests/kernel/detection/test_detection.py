"""Detection is put together so that calls go one way."""

from __future__ import annotations

import json
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import limecep
from limecep import Pipeline
from limecep.detection.event_time import SourceTraits
from limecep.language.parser import parse
from limecep.runtime import feeds
from limecep.state.json_values import decode, encode
from limecep.testing.policy_bench import Accepting, PolicyBench
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from types import FrameType

    from limecep.model.pattern import Select
    from limecep.registry import Registry

ROOT = str(Path(limecep.__file__).parent) + "/"
#: From above to below.
ROOMS = ("detection/", "patterns/", "statistics.py", "store/")
#: Callers and what they call in a room above theirs: by a function and an iterator that they were given.
UP = {
    ("patterns/event_manager.py", "detection/event_time.py"),
    ("patterns/emission/in_time.py", "detection/event_time.py"),
}

SOURCE = {
    "type": "file", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id", "max_future_skew": "1 h",
    "time": {"field": "t", "format": "epoch_s"}, "arrival": {"field": "at", "format": "epoch_s"},
}  # fmt: skip
PATTERNS: dict[str, Any] = {
    "plain": {"query": "PATTERN SEQ(A a, B b) WITHIN 5 s", "lateness": "accept", "slack": "none"},
    "slack": {
        "query": "PATTERN SEQ(A a, !C c, B+ b[]) WITHIN 6 s PARTITION BY v",
        "lateness": "accept",
        "slack": {"type": "fixed", "wait": "3s"},
    },
    "final": {
        "query": "PATTERN SEQ(A a, B b, !C c) WITHIN 5 s",
        "lateness": {"type": "bound", "within": "20s"},
        "results": {"type": "corrected", "emit": "final"},
    },
}


class Calls:
    """Which modules of detection call which others, engines and policies between them left out, and what an
    object says to itself."""

    def __init__(self) -> None:
        self.callers: dict[str, set[str]] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (called := _module(frame)):
            caller = frame.f_back
            while caller is not None and not caller.f_code.co_filename.startswith(ROOT):
                caller = caller.f_back
            calling = caller and _module(caller)
            if calling and calling != called and not _one_self(caller, frame):
                self.callers.setdefault(called, set()).add(calling)


def _one_self(caller: FrameType | None, called: FrameType) -> bool:
    me = called.f_locals.get("self")
    return me is not None and caller is not None and caller.f_locals.get("self") is me


def _module(frame: FrameType) -> str:
    name = frame.f_code.co_filename.removeprefix(ROOT)
    return name if name.startswith(ROOMS) else ""


def _room(module: str) -> int:
    return next(n for n, room in enumerate(ROOMS) if module.startswith(room))


@pytest.mark.interpreted
def test_calls_go_down_and_nothing_calls_back_what_has_called_it(
    tmp_path: Path, installed: Registry, kinds: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 20)
    lines = []
    for n in range(150):
        back = (0, 0, 0, 0, 2, 0, 0, 0, 0, 30)[n % 10] if n % 70 else 200
        lines.append({"type": "ABC"[n * 7 % 3], "id": str(n), "t": max(0, n - back), "at": n, "v": n % 2})
    lines.append({"type": "A", "id": "ahead", "t": 10_000, "at": 150, "v": 0})
    (tmp_path / "e.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    document = {
        "version": 1,
        "sources": {"s": SOURCE},
        "retention": {"events": 60},
        "patterns": PATTERNS | kinds,
    }
    pipeline = Pipeline.from_dict(document, root=tmp_path, registry=installed)
    calls, before = Calls(), sys.getprofile()
    sys.setprofile(calls)
    try:
        pipeline.run()
    finally:
        sys.setprofile(before)
    report = pipeline.report()
    assert report["events"]["extremely_late"] == 0 < report["events"]["out_of_order"]
    assert report["events"]["future"] == 1
    assert report["retrieved"]["times"] > 0
    assert "detection/retention.py" in calls.callers["patterns/memory.py"]
    # It raises CycleError where there is a circle.
    assert [*TopologicalSorter(calls.callers).static_order()]
    pairs = {(caller, called) for called, callers in calls.callers.items() for caller in callers}
    assert {(caller, called) for caller, called in pairs if _room(called) < _room(caller)} == UP


def test_a_source_that_has_ended_holds_time_back_no_more() -> None:
    made = PolicyBench(parse("PATTERN SEQ(A a, B b, !C c) WITHIN 5 s"))
    fast, slow = written("a1 b3 x7"), written("x2")
    for event, source in [*((e, "fast") for e in fast), *((e, "slow") for e in slow)]:
        event.source = source
    made.feed([*slow, *fast])
    made.detection.idle()
    assert made.updates == []
    made.detection.ended("slow")
    assert [u.op for u in made.updates] == ["emit"]


def test_what_no_pattern_names_is_looked_at() -> None:
    made = PolicyBench(parse("PATTERN SEQ(A a, B b) WITHIN 5 s"))
    made.feed(written("a1 x2 b3 x4"))
    assert made.detection.strangers.counts == {"X": 2}


def test_statistics_know_how_long_the_matches_of_a_pattern_take() -> None:
    made = PolicyBench(parse("PATTERN SEQ(A a, B b) WITHIN 5 s"))
    made.feed(written("a1 b2"))
    # The bench has an event a second arrive.
    assert made.detection.statistics.pattern("p").latency.maximum == SECOND


def test_without_a_source_that_declares_a_sequence_events_of_one_time_have_no_order() -> None:
    made = PolicyBench(parse("PATTERN SEQ(A a, B b) WITHIN 5 s"))
    first, second = written("a1 b1")
    second.seq = 1
    assert made.run([first, second]) == []


def test_time_may_be_told() -> None:
    made = PolicyBench(parse("PATTERN SEQ(A a, B b, !C c) WITHIN 5 s"))
    made.feed(written("a1 b3"))
    made.detection.advance(6 * SECOND)
    assert made.updates == []
    made.detection.advance(6 * SECOND + 1)
    assert [u.op for u in made.updates] == ["emit"]


def test_every_part_is_as_it_was_after_a_stop() -> None:
    def made() -> PolicyBench:
        return PolicyBench(
            parse("PATTERN SEQ(A a, B b) WITHIN 5 s"), lateness=lambda plan, context: Accepting(SECOND)
        )

    bench = made()
    before, after, fresh = bench.detection, made().detection, made().detection
    bench.feed(written("a1 b2 x30 a40 b42 b41 a20 b42.5 a43 b43"))
    before.advance(44 * SECOND)
    before.refusals.lost_until = 7
    before._ties.quiet = 3
    before._side.unrepaired["p"] = 2
    before._repair._density = 0.5
    known = decode(encode(before.snapshot()))
    events = [e for s in before.store.types.values() for e in s.events.content.events]
    after.store.restore(known["store"], sorted(events, key=lambda e: e.ordinal), {})
    after.restore(known)
    given = decode(encode(after.snapshot()))
    first = decode(encode(fresh.snapshot()))
    for part, value in known.items():
        assert given[part] == value != first[part], part


def test_sources_hold_back_the_time_of_patterns_that_their_types_may_change() -> None:
    for select, updates in (("stnm", 1), ("sc", 0)):
        made = PolicyBench(parse("PATTERN SEQ(A a, B b, !C c) WITHIN 5 s"), cast("Select", select))
        made.detection.time._traits["slow"] = SourceTraits(types=frozenset("X"))
        slow, *others = written("x0 a1 b3 x7")
        slow.source = "slow"
        made.feed([slow, *others])
        made.detection.idle()
        # Under strict contiguity any event may part two others.
        assert len(made.updates) == updates
