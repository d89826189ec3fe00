"""The figures of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep import Pipeline, component
from limecep.contracts.observer import Durations, Figures

if TYPE_CHECKING:
    from pathlib import Path

DATA = [
    '{"type": "A", "id": "1", "t": 10, "v": 1}',
    '{"type": "B", "id": "2", "t": 14, "v": 1}',
    '{"type": "B", "id": "2", "t": 14, "v": 1}',
    '{"type": "A", "id": "3", "t": 12, "v": 1}',
    "no JSON",
    '{"type": "X", "id": "4", "t": 15}',
]


@component("observer")
class Keeping:
    """Keeps what it is told."""

    seen: ClassVar[list[Figures]] = []

    def __init__(self, options: Any, context: Any) -> None:
        self.seen.clear()

    def open(self) -> None: ...

    def observe(self, figures: Figures) -> None:
        self.seen.append(figures)

    def close(self) -> None: ...


def pipeline(folder: Path, **more: Any) -> Pipeline:
    (folder / "s.jsonl").write_text("\n".join(DATA) + "\n")
    source = {"type": "file", "channel": "s.jsonl", "as": {"field": "type"}, "id": "id"}
    query = "PATTERN SEQ(A a, B b) WITHIN 10 s PARTITION BY v"
    return Pipeline.from_dict(
        {
            "version": 1,
            "name": "kitchen",
            "sources": {"s": {**source, "every": "5s", "time": {"field": "t", "format": "epoch_s"}}},
            "patterns": {"p": {"query": query, "select": "stam", "slack": "none"}},
            "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
            "observers": {"o": {"type": "keeping"}},
            **more,
        },
        root=folder,
        plugins=[Keeping],
    )


@pytest.mark.parametrize("state", [{}, {"state": {"dir": "state"}}])
def test_at_the_end_they_are_those_of_the_report(tmp_path: Path, state: dict[str, Any]) -> None:
    run = pipeline(tmp_path, **state)
    run.run()
    report = run.report()
    run.close()
    last = Keeping.seen[-1]
    assert (last.pipeline, last.phase, last.failure) == ("kitchen", "ended", "")
    [source] = last.sources
    told = report["sources"]["s"]
    assert (source.name, source.live, source.connected, source.ended) == ("s", False, True, True)
    assert (source.read, source.every, source.silent) == (6, 5.0, None)
    assert {o: n for o, n in source.outcomes.items() if n} == {
        o: told[o] for o in told if o in source.outcomes
    }
    assert source.outcomes["duplicate"] == source.outcomes["invalid"] == source.outcomes["out_of_order"] == 1
    assert source.latest == last.event_time == 15_000_000
    assert last.lateness == Durations(count=1, total=2.0, minimum=2.0, maximum=2.0)
    assert last.late == {"invalid": 1}
    [pattern] = last.patterns
    said = report["patterns"]["p"]
    named = ("emitted", "corrected", "retracted", "live", "pending")
    assert tuple(getattr(pattern, n) for n in named) == tuple(said[n] for n in named)
    assert (pattern.emitted, pattern.latency.count) == (2, 2)
    assert pattern.counters == {n: v for n, v in said.items() if n not in named and type(v) is int}
    [sink] = last.sinks
    assert (sink.name, sink.records, sink.waiting) == ("out", 2, 0)
    assert last.held == 3
    if state:
        assert last.state is not None
        assert (last.state.commits, last.state.unsent) == (report["state"]["batches"], 0)
        assert last.state.bytes
    else:
        assert last.state is None


def test_at_the_beginning_nothing_is_known_but_names(tmp_path: Path) -> None:
    run = pipeline(tmp_path)
    run.run()
    run.close()
    first = Keeping.seen[0]
    assert (first.phase, first.event_time, first.since_commit, first.held) == ("starting", None, None, 0)
    assert [(s.name, s.connected, s.read) for s in first.sources] == [("s", False, 0)]
    assert [(p.name, p.emitted) for p in first.patterns] == [("p", 0)]
    assert [(s.name, s.records) for s in first.sinks] == [("out", 0)]


def test_of_a_pipeline_that_is_fed_they_name_the_sources_of_its_events(tmp_path: Path) -> None:
    with pipeline(tmp_path, state={"dir": "state"}) as fed:
        fed.feed([{"type": "A", "id": "1", "t": "1970-01-01T00:00:01Z", "source": "x"}], time="t")
    last = Keeping.seen[-1]
    assert (last.fed, last.since_commit, last.phase) == (True, None, "ended")
    assert [(s.name, s.connected, s.live, s.read) for s in last.sources] == [
        ("s", True, False, 0),
        ("x", True, False, 1),
    ]
    assert last.state is not None
    assert last.state.commits > 0
    assert Keeping.seen[0].phase == "starting"


def test_with_workers_they_are_the_same(tmp_path: Path) -> None:
    from limecep.host import Host

    run = pipeline(tmp_path, runner={"type": "local", "workers": 2})
    registry = Host.load().with_plugins(Keeping).registry
    assert run.config.runner is not None
    divided = registry.make(run.config.runner.spec, run.config, registry, run.config.runner.options)
    divided.run(lambda: False, None)
    report = divided.report()
    divided.close()
    last = Keeping.seen[-1]
    assert (last.phase, last.sources[0].read, last.held) == ("ended", 6, 3)
    [pattern] = last.patterns
    assert (pattern.emitted, pattern.live) == (2, report["patterns"]["p"]["live"])
    assert last.sinks[0].records == 2
