"""A pattern one of whose components fails stops with a word; others go on, and the accounting adds up."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import ComponentSpec, Pipeline
from limecep.contracts.engine import Ruling
from limecep.errors import RunFailure
from limecep.patterns.stopping import Stopping
from limecep.registry import Registry
from limecep.runtime.guards import guarded
from limecep.testing.streams import disorder, stream

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
from limecep.contracts.lateness import Verdict
from limecep_maximal.engine import MaximalEngine
from limecep_maximal.config import MaximalOptions

class Failing:
    left = 0
    def spend(self):
        Failing.left -= 1
        if Failing.left < 0:
            raise ValueError("worn out")

class Engine(Failing):
    results = "maximal"
    def __init__(self, plan, options, context):
        self.engine = MaximalEngine(plan, MaximalOptions(), context)
    def matches(self, end, view):
        found = list(self.engine.matches(end, view))
        yield from found[:1]
        self.spend()
        yield from found[1:]
    def count(self, end, view):
        return None

class Changing(Engine):
    def going(self, event, view):
        self.spend()
        return self.engine.going(event, view)
    def coming(self, view, changed):
        self.spend()
        return self.engine.coming(view, changed)

class Giving(Engine):
    def matches(self, end, view):
        found = list(self.engine.matches(end, view))
        Failing.left -= 1
        return found if Failing.left >= 0 else [*found, "a match"]

class Policy(Failing):
    learns = by_window = False
    def __init__(self, plan, options, context):
        self.within = plan.within
    def wait(self, statistics):
        self.spend()
        return 0
    def assess(self, event, statistics):
        self.spend()
        return Verdict(extremely_late=False)
    def horizon(self, statistics):
        return None
    def reach(self, event, lta):
        self.spend()
        return event.t_gen - self.within, event.t_gen + 2 * self.within

class Deciding(Failing):
    promise, passes, across_keys = "equal", frozenset(), False
    emit, announces, horizon, skip = "eager", False, None, None
    def __init__(self, plan, options, context):
        pass
    def decide(self, changes, moment):
        self.spend()
        return changes

class Inventing(Deciding):
    def decide(self, changes, moment):
        Failing.left -= 1
        return changes if Failing.left >= 0 else [*changes, "a change"]
"""
FACTORIES = {
    ("engine", "once"): "Engine",
    ("engine", "changing"): "Changing",
    ("engine", "giving"): "Giving",
    ("lateness", "worn"): "Policy",
    ("slack", "worn"): "Policy",
    ("recompute", "worn"): "Policy",
    ("results", "worn"): "Deciding",
    ("results", "inventing"): "Inventing",
}
PLAIN = {"query": "PATTERN SEQ(A a, B b) WITHIN 6 s", "lateness": "accept", "slack": "none"}
QUERIES = ["SEQ(A a, B+ b[])", "SEQ(A a, B b, !C c)", "OR(SEQ(A a, B b), SEQ(A a, C+ c[]))"]


@pytest.fixture
def registry(tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch) -> Registry:
    (tmp_path / "worn_parts.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "worn_parts", raising=False)
    specs = [
        ComponentSpec(kind=kind, name=name, factory=f"worn_parts:{made}", summary="Fails.")  # type: ignore[arg-type]
        for (kind, name), made in FACTORIES.items()
    ]
    return Registry([*specs, *installed.specs()])


def write(root: Path) -> None:
    """A hundred events, some of them late."""
    events = sorted(disorder(stream(5, 100), 5, 0.3, 9_000_000), key=lambda e: e.t_arr)
    lines = [{"id": e.id, "type": e.type, "t": e.t_gen, "arrived": e.t_arr} for e in events]
    (root / "e.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def pipeline(root: Path, registry: Registry, patterns: dict[str, Any], **more: Any) -> Pipeline:
    time = {"format": "epoch_us"}
    document = {
        "version": 1,
        "sources": {
            "s": {
                "type": "file",
                "channel": "e.jsonl",
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "t", **time},
                "arrival": {"field": "arrived", **time},
            }
        },
        "patterns": patterns,
        "sinks": {name: {"type": "file", "path": f"{name}.jsonl", "patterns": [name]} for name in patterns},
        **more,
    }
    return Pipeline.from_dict(document, root=root, registry=registry)


def wear(calls: int) -> None:
    from worn_parts import Failing

    Failing.left = calls


def ran(root: Path, registry: Registry, patterns: dict[str, Any], **more: Any) -> dict[str, Any]:
    made = pipeline(root, registry, patterns, **more)
    try:
        made.run()
    finally:
        made.close()
    return made.report()


def written(root: Path, name: str) -> list[dict[str, Any]]:
    records = map(json.loads, (root / f"{name}.jsonl").read_text().splitlines())
    return [{k: v for k, v in r.items() if k not in ("detected", "latency")} for r in records]


@pytest.mark.parametrize(("kind", "name"), list(FACTORIES))
def test_what_was_told_stays_and_others_go_on(
    kind: str, name: str, registry: Registry, tmp_path: Path
) -> None:
    write(tmp_path)
    failing = {**PLAIN, kind: name, "on_error": "disable"}
    worn = {f"worn{n}": {**failing, "query": f"PATTERN {q} WITHIN 6 s"} for n, q in enumerate(QUERIES)}
    patterns = {**worn, "sound": PLAIN}
    pipeline(tmp_path, registry, patterns)
    wear(1_000_000)
    whole = ran(tmp_path, registry, patterns)
    everything = {pattern: written(tmp_path, pattern) for pattern in patterns}
    assert all(everything.values())
    for calls in (0, 15):
        for pattern in patterns:
            (tmp_path / f"{pattern}.jsonl").unlink()
        wear(calls)
        report = ran(tmp_path, registry, patterns)
        for pattern in worn:
            figures, told = report["patterns"][pattern], written(tmp_path, pattern)
            assert any(why in figures["disabled"] for why in ("worn out", "'a match'", "'a change'"))
            assert told == everything[pattern][: len(told)]
            ops = Counter(r["op"] for r in told)
            assert [figures[n] for n in ("emitted", "retracted")] == [ops["emit"], ops["retract"]]
        assert written(tmp_path, "sound") == everything["sound"]
        assert report["events"] == whole["events"]
        assert report["patterns"]["sound"] == whole["patterns"]["sound"]


def test_it_is_told_once_and_by_default_ends_the_run(registry: Registry, tmp_path: Path) -> None:
    write(tmp_path)
    worn = {**PLAIN, "engine": "once"}
    pipeline(tmp_path, registry, {"worn": worn})
    wear(3)
    with structlog.testing.capture_logs() as logs:
        ran(tmp_path, registry, {"worn": {**worn, "on_error": "disable"}})
    [told] = [entry for entry in logs if entry["log_level"] == "error"]
    assert told["component"] == "patterns.worn"
    assert told["reason"].startswith("patterns.worn: engine 'once'")
    assert "raised ValueError: worn out" in told["reason"]
    assert "worn_parts.py" in told["traceback"]
    wear(3)
    with pytest.raises(RunFailure, match="worn out"):
        ran(tmp_path, registry, {"worn": worn})


def test_a_rule_can_be_explained_behind_a_guard() -> None:
    class Top:
        results = "rule"
        rule = "the greatest"

        def keeps(self, matches: Any) -> Any:
            return matches[:1]

    guard = guarded(Stopping(str, print), "engine", Top())
    assert isinstance(guard, Ruling)
    assert guard.rule == "the greatest"
    assert guard.keeps([1, 2]) == [1]


def test_what_was_disabled_stays_so_after_a_restart(registry: Registry, tmp_path: Path) -> None:
    """What came meanwhile it has not seen."""
    write(tmp_path)
    worn = {**PLAIN, "engine": "changing", "on_error": "disable"}
    given: dict[str, Any] = {"state": {"dir": "kept"}}
    patterns = {"worn": worn, "sound": PLAIN}
    pipeline(tmp_path, registry, patterns)
    wear(7)
    first = ran(tmp_path, registry, patterns, **given)
    told = written(tmp_path, "worn")
    with (tmp_path / "e.jsonl").open("a") as file:
        for n, kind in enumerate("ABAB"):
            file.write(json.dumps({"id": f"x{n}", "type": kind, "t": 2**50 + n, "arrived": 2**50 + n}) + "\n")
    wear(1_000_000)
    with structlog.testing.capture_logs() as logs:
        second = ran(tmp_path, registry, patterns, **given)
    assert [e["reason"] for e in logs if "stays disabled" in e["event"]] == [
        first["patterns"]["worn"]["disabled"]
    ]
    assert second["patterns"]["worn"]["disabled"] == first["patterns"]["worn"]["disabled"]
    assert second["patterns"]["worn"]["emitted"] == first["patterns"]["worn"]["emitted"]
    assert written(tmp_path, "worn") == told
    assert second["patterns"]["sound"]["emitted"] == first["patterns"]["sound"]["emitted"] + 2
    del worn["on_error"]
    with pytest.raises(RunFailure, match=r"'worn' was disabled .*worn out.*limecep state reset"):
        ran(tmp_path, registry, patterns, **given)
