"""Many patterns in one pipeline find what each finds alone, and say it in the order of the pipeline."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.model.event import Event
from limecep.patterns import shared_ends
from limecep.runtime.assembly import Assembly
from limecep_maximal import together

if TYPE_CHECKING:
    from limecep.config.model import PipelineConfig
    from limecep.model.update import Update

STEPS = (
    "SEQ(A a, B b, C c)",
    "SEQ(B b, A a, C c)",
    "SEQ(D d, A a, B b, C c)",
    "SEQ(A a, B+ b[], C c)",
    "SEQ(A a, B{2,} b[], C c)",
    "SEQ(B b, C c)",
    "SEQ(C c, B b, C e)",
    "SEQ(A a, B b, C c) WHERE b.v > 4",
    "SEQ(A a, B b, C c) WHERE c.v > a.v",
    "SEQ(A a, !D d, B b, C c)",
    "SEQ(A a, B? b, C c)",
    "SEQ(A a, (C OR D) c)",
    "SEQ(B b, A a, (C OR D) c)",
    "SEQ(A a, B b, C c) WHERE c.v > 4",
    "SEQ(B b, C c) WHERE c.v > 4",
    "SEQ(A a, C c, !B b)",
    "SEQ(A a, C+ c[])",
    "C c",
    "SEQ(A a, B b, D d)",
    "OR(SEQ(A a, C c), SEQ(B b, D d))",
)
REGISTRY = Host.load().registry
FIRST = "PATTERN SEQ(A a, B b, C c) WITHIN 9 us"
PATTERNS: dict[str, dict[str, Any]] = {
    **{f"p{n}": {"query": f"PATTERN {steps} WITHIN 9 us"} for n, steps in enumerate(STEPS)},
    **{f"q{n}": {"query": f"PATTERN {steps} WITHIN 20 us"} for n, steps in enumerate(STEPS[:4])},
    "keyed": {"query": f"{FIRST} PARTITION BY v"},
    "any": {"query": FIRST, "select": "stam"},
    "adjacent": {"query": FIRST, "select": "sc"},
    "all": {"query": FIRST, "engine": "nfa"},
    "bounded": {"query": FIRST, "results": {"type": "corrected", "max_per_end": 1}},
    "picking": {"query": FIRST, "select": "stam", "results": {"pick": "last"}},
    "skipping": {"query": FIRST, "results": {"type": "corrected", "skip": "past-last"}},
    "final": {
        "query": FIRST,
        "lateness": {"type": "bound", "within": "9 us"},
        "results": {"type": "corrected", "emit": "final"},
    },
    "again": {"query": FIRST},
}


def configured(patterns: dict[str, dict[str, Any]]) -> PipelineConfig:
    common = {"lateness": "accept", "slack": "none"}
    given = {name: {**common, **options} for name, options in patterns.items()}
    loaded = load_dict({"version": 1, "name": "n", "patterns": given}, REGISTRY)
    assert loaded.config is not None, loaded.problems[0]
    return loaded.config


class Said(NamedTuple):
    """An update, so that it can be compared."""

    op: str
    pattern: str
    groups: list[list[str]]
    cause: str
    event: str | None
    rest: tuple[object, ...]


class Run:
    """Detection of some patterns, event by event."""

    def __init__(self, config: PipelineConfig, *, counting: bool = False) -> None:
        self._said: list[Update] = []
        deliver = None if counting else self._said.append
        assembly = Assembly(config, REGISTRY, ManualClock(), structlog.get_logger())
        self.detection = assembly.detection(deliver)

    def feed(self, event: Event) -> list[Said]:
        """What is said of an event, in order."""
        self.detection.feed([msgspec.structs.replace(event)])
        return self.said()

    def said(self) -> list[Said]:
        """What was said since this was asked last."""
        said = [
            Said(
                u.op,
                u.pattern,
                [[e.id for e in group] for group in u.match.groups],
                u.cause,
                u.cause_event and u.cause_event.id,
                (u.revision, u.generation, u.detected, u.latency, u.final),
            )
            for u in self._said
        ]
        self._said.clear()
        return said


def by_cause(said: list[Said]) -> list[Said]:
    """What time has decided goes out for all patterns before, or after, what an event has."""
    return sorted(said, key=lambda one: one.cause == "time")


def stream(number: int) -> list[Event]:
    """Events in the order in which they come: some late, some of one time."""
    chosen = Random(number)
    events = []
    for i in range(50):
        behind = chosen.randrange(1, 25) if chosen.random() < 0.1 else 0
        t = max(0, 2 * i - behind - chosen.randrange(2))
        events.append(Event(chosen.choice("AABBCCDX"), f"e{i}", t, 2 * i, "s", {"v": chosen.randrange(9)}))
    return events


@pytest.mark.parametrize(("number", "many_lanes"), [(1, 32), (2, 1)], ids=["few lanes", "many lanes"])
def test_they_say_together_what_each_says_alone(
    monkeypatch: pytest.MonkeyPatch, number: int, many_lanes: int
) -> None:
    monkeypatch.setattr(shared_ends, "MANY_LANES", many_lanes)
    monkeypatch.setattr(together, "MANY_LANES", many_lanes)
    config = configured(PATTERNS)
    whole, counting = Run(config), Run(config, counting=True)
    each = [Run(replace(config, patterns=(p,))) for p in config.patterns]
    for event in stream(number):
        counting.feed(event)
        expected = [said for run in each for said in run.feed(event)]
        assert by_cause(whole.feed(event)) == by_cause(expected)
    for run in (whole, counting, *each):
        run.detection.finish()
    assert whole.said() == [said for run in each for said in run.said()]
    figures = {name: f for run in each for name, f in run.detection.patterns().items()}
    assert whole.detection.patterns() == figures
    assert counting.detection.patterns() == figures
