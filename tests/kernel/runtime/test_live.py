"""Runs over what never ends: matches go out at once, and messages are acknowledged only after that."""

from __future__ import annotations

import json
import sys
import types
from contextlib import contextmanager
from datetime import datetime
from threading import Event as Flag
from threading import Thread
from time import sleep, time
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from structlog.testing import capture_logs

from limecep import ComponentSpec, Pipeline
from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep.registry import Registry
from limecep.runtime import pipeline as pipeline_module
from limecep.runtime.feeds import BATCH_MESSAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

WAIT = 10.0
AB = "PATTERN SEQ(A a, B b) WITHIN 10 s"
TRAILING = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"
SOURCE = {"as": {"field": "type"}, "id": "id", "time": {"field": "t", "format": "epoch_s"}}


class Wire:
    """A live source that brings what the test puts on it, and writes down what was done with it."""

    log: ClassVar[list[str]] = []
    waiting: ClassVar[dict[str, list[str]]] = {}
    hung_up: ClassVar[set[str]] = set()
    unplugged: ClassVar[set[str]] = set()
    shared: ClassVar[dict[str, int]] = {}

    def __init__(self, channel: str, settings: Any, options: Any, context: Any) -> None:
        self.shared[channel] = id(context.shared)
        self.stopping = context.stopping
        self._channel = channel
        self._clock = context.clock
        self._count = 0

    def open(self) -> None:
        self.log.append(f"open {self._channel}")

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        waiting = self.waiting.get(self._channel, [])
        if not waiting:
            sleep(min(timeout, 0.005))
            return []
        values, waiting[:] = waiting[:limit], waiting[limit:]
        messages = []
        for value in values:
            self._count += 1
            position = f"{self._channel}:{self._count}"
            messages.append(Message(value.encode(), self._channel, position, self._clock.now()))
        return messages

    @property
    def ended(self) -> bool:
        return self._channel in self.hung_up and not self.waiting.get(self._channel)

    @property
    def connected(self) -> bool:
        return self._channel not in self.unplugged

    def commit(self, positions: Sequence[str]) -> None:
        self.log.append(f"commit {' '.join(positions)}")

    def close(self) -> None:
        self.log.append(f"close {self._channel}")

    def replay(self, t_from: int, t_to: int) -> None: ...


class Tape:
    """A sink that writes what it is told into the same log; full after `room` records."""

    counts_only: ClassVar[bool] = False
    room: ClassVar[int] = 10**9
    records: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, channel: str, settings: Any, options: Any, context: Any) -> None:
        pass

    def open(self) -> None: ...

    def send(self, records: Sequence[dict[str, Any]]) -> None:
        Wire.log.append(f"send {len(records)}")
        self.records.extend(records)

    def flush(self) -> None:
        if len(self.records) > self.room:
            raise RunFailure("the tape is full")
        Wire.log.append("flush")

    def close(self) -> None: ...


def said(**fields: Any) -> str:
    return json.dumps(fields)


def now() -> int:
    return int(time())


@pytest.fixture
def registry(installed: Registry, monkeypatch: pytest.MonkeyPatch) -> Registry:
    module = types.ModuleType("limecep_test_wire")
    monkeypatch.setitem(sys.modules, "limecep_test_wire", module)
    for component in (Wire, Tape):
        setattr(module, component.__name__, component)
    monkeypatch.setattr(Wire, "log", [])
    monkeypatch.setattr(Wire, "waiting", {})
    monkeypatch.setattr(Wire, "hung_up", set())
    monkeypatch.setattr(Wire, "unplugged", set())
    monkeypatch.setattr(Wire, "shared", {})
    monkeypatch.setattr(Tape, "records", [])
    kinds: list[tuple[Any, str, str]] = [("source", "wire", "Wire"), ("sink", "tape", "Tape")]
    specs = [
        ComponentSpec(kind=kind, name=name, factory=f"limecep_test_wire:{factory}", summary="For tests.")
        for kind, name, factory in kinds
    ]
    return Registry([*installed.specs(), *specs])


def wired(
    registry: Registry, query: str = AB, sources: Any = None, late: bool = False, more: Any = None
) -> Pipeline:
    sinks: dict[str, Any] = {"out": {"type": "tape"}}
    if late:
        sinks["late"] = {"type": "tape", "of": "late"}
    sources = sources or {"s": {}}
    document = {
        "version": 1,
        "patterns": {"p": {"query": query}},
        "sources": {
            n: {"type": "wire", "channel": n, "format": "json", **SOURCE, **s} for n, s in sources.items()
        },
        "sinks": sinks,
        **(more or {}),
    }
    return Pipeline.from_dict(document, registry=registry)


@contextmanager
def running(pipeline: Pipeline) -> Iterator[None]:
    """The pipeline runs in the background until the block ends."""
    stop = Flag()
    thread = Thread(target=pipeline.run, args=(stop.is_set,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(WAIT)
        assert not thread.is_alive()
        pipeline.close()


def until(holds: Callable[[], bool]) -> None:
    watch = Stopwatch()
    while not holds():
        assert watch.seconds < WAIT, "it never happened"
        sleep(0.005)


def test_messages_are_acknowledged_after_the_sinks_took_and_flushed_what_they_caused(
    registry: Registry,
) -> None:
    pipeline = wired(registry)
    with running(pipeline):
        Wire.waiting["s"] = [said(type="A", id="1", t=now())]
        until(lambda: "commit s:1" in Wire.log)
        Wire.waiting["s"] += [said(type="B", id="2", t=now() + 1)]
        until(lambda: "commit s:2" in Wire.log)
    assert Wire.log == ["open s", "commit s:1", "send 1", "flush", "commit s:2", "close s"]
    assert [r["op"] for r in Tape.records] == ["emit"]


def test_invalid_and_blank_messages_are_acknowledged_as_well(registry: Registry) -> None:
    pipeline = wired(registry, late=True)
    with running(pipeline), capture_logs():
        Wire.waiting["s"] = ["{no JSON", "", said(type="X", id="1", t=now())]
        until(lambda: any(entry.startswith("commit") for entry in Wire.log))
    assert Wire.log == ["open s", "send 1", "flush", "commit s:1 s:2 s:3", "close s"]
    assert [(r["reason"], r["position"]) for r in Tape.records] == [("invalid", "s:1")]
    assert pipeline.report()["events"]["read"] == 2


def test_nothing_is_acknowledged_that_a_sink_could_not_take(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tape, "room", 0)
    pipeline = wired(registry)
    Wire.waiting["s"] = [said(type="A", id="1", t=now()), said(type="B", id="2", t=now() + 1)]
    with pytest.raises(RunFailure, match="the tape is full"):
        pipeline.run()
    assert Wire.log == ["open s", "send 1", "close s"]


def test_what_was_polled_before_a_stop_is_delivered_and_acknowledged(registry: Registry) -> None:
    pipeline = wired(registry)
    Wire.waiting["s"] = [said(type="A", id="1", t=now()), said(type="B", id="2", t=now() + 1)]
    asked = iter([False, True])
    pipeline.run(lambda: next(asked))
    assert Wire.log == ["open s", "send 1", "flush", "commit s:1 s:2", "close s"]


@pytest.mark.parametrize(("seconds", "flushes"), [(60.0, 1), (0.0, 2)])
def test_while_there_is_more_to_read_batches_are_acknowledged_together_for_a_while(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, seconds: float, flushes: int
) -> None:
    monkeypatch.setattr(pipeline_module, "SETTLE_SECONDS", seconds)
    pipeline = wired(registry)
    # Each of two whole batches begins with a match.
    types = ["A", "B", *"X" * (BATCH_MESSAGES - 2)] * 2
    Wire.waiting["s"] = [said(type=t, id=str(n), t=now() + n / 64) for n, t in enumerate([*types, "X"])]
    with running(pipeline):
        until(lambda: any(f"s:{2 * BATCH_MESSAGES + 1}" in entry for entry in Wire.log))
    assert Wire.log.count("flush") == flushes
    acknowledged = [place for entry in Wire.log if entry.startswith("commit") for place in entry.split()[1:]]
    assert acknowledged == [f"s:{n + 1}" for n in range(2 * BATCH_MESSAGES + 1)]


def test_several_live_sources_are_taken_as_they_come(registry: Registry) -> None:
    pipeline = wired(registry, sources={"s": {}, "t": {}})
    with running(pipeline):
        Wire.waiting["t"] = [said(type="A", id="1", t=now())]
        until(lambda: "commit t:1" in Wire.log)
        Wire.waiting["s"] = [said(type="B", id="2", t=now() + 1)]
        until(lambda: "commit s:1" in Wire.log)
    assert pipeline.report()["patterns"]["p"]["emitted"] == 1


def test_a_live_source_that_ends_is_done_and_time_passes_when_all_have(registry: Registry) -> None:
    pipeline = wired(registry, TRAILING, sources={"s": {}, "t": {}})
    Wire.waiting["s"] = [said(type="A", id="1", t=now()), said(type="B", id="2", t=now() + 1)]
    with running(pipeline):
        Wire.hung_up.add("s")
        until(lambda: "commit s:1 s:2" in Wire.log)
        assert Tape.records == []
        Wire.hung_up.add("t")
        until(lambda: "close t" in Wire.log)
    assert [r["cause"]["kind"] for r in Tape.records] == ["time"]


def test_what_waits_for_time_stays_pending_when_a_live_run_stops(registry: Registry) -> None:
    pipeline = wired(registry, TRAILING)
    with running(pipeline):
        Wire.waiting["s"] = [said(type="A", id="1", t=now()), said(type="B", id="2", t=now() + 1)]
        until(lambda: "commit s:1 s:2" in Wire.log)
    assert Tape.records == []
    assert pipeline.report()["patterns"]["p"]["pending"] == 1


def test_a_silent_source_holds_time_back_until_it_is_taken_for_idle(registry: Registry) -> None:
    pipeline = wired(registry, TRAILING, sources={"s": {}, "t": {"idle_after": "300ms"}})
    begun = time()
    with running(pipeline):
        Wire.waiting["t"] = [said(type="A", id="1", t=now() - 60)]
        until(lambda: "commit t:1" in Wire.log)
        Wire.waiting["s"] = [said(type=t, id="2", t=now() - 59 + 30 * (t == "X")) for t in "BX"]
        until(lambda: bool(Tape.records))
    assert datetime.fromisoformat(Tape.records[0]["detected"]).timestamp() - begun >= 0.3
    figures = pipeline.report()["patterns"]["p"]
    assert (figures["emitted"], figures["pending"]) == (1, 0)


def test_an_absence_is_told_and_taken_back_though_one_source_is_mute_and_all_are_silent(
    registry: Registry,
) -> None:
    quick = {"idle_after": "200ms"}
    pipeline = wired(registry, "PATTERN SEQ(A a, !B b) WITHIN 1 s", sources={"s": quick, "t": quick})
    with running(pipeline):
        # The clock of the device is an hour slow.
        began, begun = now() - 3600, time()
        Wire.waiting["s"] = [said(type="A", id="1", t=began)]
        until(lambda: bool(Tape.records))
        assert time() - begun >= 1
        Wire.waiting["t"] = [said(type="B", id="2", t=began + 1)]
        until(lambda: len(Tape.records) == 2)
    assert [(r["op"], r["cause"]["kind"]) for r in Tape.records] == [
        ("emit", "time"),
        ("retract", "negation"),
    ]
    assert pipeline.report()["events"]["out_of_order"] == 1


def test_events_from_far_ahead_of_the_clock_are_set_apart(registry: Registry) -> None:
    pipeline = wired(registry)
    with running(pipeline), capture_logs() as logs:
        Wire.waiting["s"] = [said(type="A", id="1", t=now() + 3600), said(type="A", id="2", t=now() + 60)]
        until(lambda: "commit s:1 s:2" in Wire.log)
    events = pipeline.report()["events"]
    assert (events["future"], events["in_order"]) == (1, 1)
    assert [(e["reason"], e["position"]) for e in logs if "reason" in e] == [("future", "s:1")]


@pytest.mark.parametrize("restarted", [False, True])
def test_what_seemed_far_ahead_is_taken_in_once_the_clock_is_set(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, restarted: bool
) -> None:
    """A box that keeps no time boots in the past, and is told the time later."""
    behind = [10 * 365 * 86_400 * 1_000_000]
    right = SystemClock.now
    monkeypatch.setattr(SystemClock, "now", lambda clock: right(clock) - behind[0])
    kept = {"state": {"dir": str(tmp_path / "state")}} if restarted else {}
    pipeline = wired(registry, more=kept)
    with capture_logs() as logs:
        with running(pipeline):
            Wire.waiting["s"] = [said(type="A", id="1", t=now()), said(type="A", id="0", t=now() + 3600)]
            until(lambda: "commit s:1 s:2" in Wire.log)
            if not restarted:
                behind[0] = 0
                until(lambda: pipeline.outcomes()["in_order"] == 1)
                Wire.waiting["s"] = [said(type="B", id="2", t=now() + 1)]
                until(lambda: bool(Tape.records))
        if restarted:
            assert pipeline.report()["events"]["future"] == 2
            pipeline = wired(registry, more=kept)
            with running(pipeline):
                until(lambda: Wire.log.count("open s") == 2)
                sleep(0.3)
                behind[0] = 0
                until(lambda: pipeline.outcomes()["in_order"] == 1)
            # The journal has it.
            pipeline = wired(registry, more=kept)
            with running(pipeline):
                Wire.waiting["s"] = [said(type="B", id="2", t=now() + 1)]
                until(lambda: bool(Tape.records))
    assert [r["op"] for r in Tape.records] == ["emit"]
    events = pipeline.report()["events"]
    assert (events["read"], events["in_order"], events["future"]) == (3, 2, 1)
    told = [entry for entry in logs if entry["event"].startswith("the clock was set")]
    assert [entry["events"] for entry in told] == [1]


def test_latency_is_that_of_the_real_clock(registry: Registry) -> None:
    pipeline = wired(registry)
    with running(pipeline):
        Wire.waiting["s"] = [said(type="A", id="1", t=now()), said(type="B", id="2", t=now() + 1)]
        until(lambda: bool(Tape.records))
    assert 0 <= Tape.records[0]["latency"] < WAIT
    assert Tape.records[0]["detected"] > "2026"


def test_the_time_a_run_is_given_begins_when_every_source_is_connected(registry: Registry) -> None:
    pipeline = wired(registry, sources={"s": {}, "t": {}})
    Wire.unplugged.add("t")
    Wire.waiting["s"] = [said(type="X", id="1", t=now())]
    thread = Thread(target=pipeline.run, args=(lambda: False, 0.3))
    thread.start()
    until(lambda: any(entry.startswith("commit s") for entry in Wire.log))
    sleep(0.4)
    assert thread.is_alive()
    watch = Stopwatch()
    Wire.unplugged.clear()
    thread.join(WAIT)
    assert 0.3 <= watch.seconds < WAIT
    pipeline.close()


@pytest.mark.parametrize("seconds", [None, 0.2])
def test_components_know_when_the_run_is_to_end(
    seconds: float | None, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for a broker then waits no longer."""
    told: list[bool] = []

    def poll(wire: Wire, limit: int, timeout: float) -> Sequence[Message]:
        told.append(wire.stopping())
        sleep(0.005)
        return []

    def close(wire: Wire) -> None:
        told.append(wire.stopping())

    monkeypatch.setattr(Wire, "poll", poll)
    monkeypatch.setattr(Wire, "close", close)
    watch = Stopwatch()
    pipeline = wired(registry)
    pipeline.run(lambda: seconds is None and watch.seconds > 0.2, seconds)
    pipeline.close()
    assert told == sorted(told)
    assert told.count(False) > 1
    assert told[-1]


def test_sources_of_one_connector_share_what_they_have(registry: Registry) -> None:
    wire: Any = {"channel": "", "format": "json", **SOURCE}
    names = {"a": {"from": "x"}, "b": {"from": "x"}, "c": {"from": "y"}, "d": {"type": "wire"}}
    document = {
        "version": 1,
        "connectors": {"x": {"type": "wire"}, "y": {"type": "wire"}},
        "patterns": {"p": {"query": AB}},
        "sources": {name: {**wire, **connector, "channel": name} for name, connector in names.items()},
        "sinks": {"out": {"type": "tape"}},
    }
    Pipeline.from_dict(document, registry=registry).run(lambda: True)
    assert Wire.shared["a"] == Wire.shared["b"]
    assert len(set(Wire.shared.values())) == 3


# -- files that are followed -----------------------------------------------------------------------------


def test_a_followed_file_gives_its_matches_at_once(tmp_path: Path, installed: Registry) -> None:
    file, out = tmp_path / "e.jsonl", tmp_path / "out.jsonl"
    file.write_text(said(type="A", id="1", t=1) + "\n")
    document = {
        "version": 1,
        "patterns": {"p": {"query": AB}, "q": {"query": TRAILING}},
        "sources": {"s": {"type": "file", "channel": "e.jsonl", "follow": True, **SOURCE}},
        "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
    }
    pipeline = Pipeline.from_dict(document, root=tmp_path, registry=installed)
    with running(pipeline):
        until(out.exists)
        sleep(0.1)
        assert out.read_text() == ""
        with file.open("a") as growing:
            growing.write(said(type="B", id="2", t=2) + "\n")
            growing.flush()
            until(lambda: out.read_text().count("\n") == 1)
            growing.write(said(type="X", id="3", t=20) + "\n")
            growing.flush()
            until(lambda: out.read_text().count("\n") == 2)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(r["pattern"], r["cause"]["kind"]) for r in records] == [("p", "in_order"), ("q", "time")]
    assert pipeline.report()["events"]["read"] == 3


def test_a_recording_may_be_replayed_beside_a_file_that_is_followed(
    tmp_path: Path, installed: Registry
) -> None:
    for name, kind, t in (("a", "A", 1), ("b", "B", 2)):
        (tmp_path / f"{name}.jsonl").write_text(said(type=kind, id=name, t=t) + "\n")
    file = {"type": "file", **SOURCE}
    document = {
        "version": 1,
        "patterns": {"p": {"query": AB}},
        "sources": {
            "a": {**file, "channel": "a.jsonl"},
            "b": {**file, "channel": "b.jsonl", "follow": True},
        },
        "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
    }
    pipeline = Pipeline.from_dict(document, root=tmp_path, registry=installed)
    with running(pipeline):
        until(lambda: (tmp_path / "out.jsonl").exists() and bool((tmp_path / "out.jsonl").read_text()))
    assert pipeline.report()["events"]["in_order"] == 2
