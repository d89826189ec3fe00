"""Events and samples of sources, and what is said of a pattern that finds nothing in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest
import structlog

from limecep.config.loader import load_dict
from limecep.diagnosis.preview import suspicions
from limecep.model.event import Event
from limecep.runtime.pipeline import Pipeline
from limecep.runtime.sampling import samples

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.diagnosis.sample import Sample
    from limecep.registry import Registry

SECOND = 1_000_000
DAY = 1_767_225_600 * SECOND
QUERY = "PATTERN SEQ(A a, B b) WHERE a.v > 3 AND b.v > 3 WITHIN 1 h"


class MakeEvent(Protocol):
    def __call__(self, type_: str, second: float, **payload: Any) -> Event: ...


class Why(Protocol):
    def __call__(self, events: Sequence[Event], query: str, **more: Any) -> list[tuple[str, str, str]]: ...


@pytest.fixture
def event() -> MakeEvent:
    """Makes an event of some second of a day."""

    def made(type_: str, second: float, **payload: Any) -> Event:
        at = DAY + int(second * SECOND)
        return Event(type_, f"{type_}{second}", at, at, "s", payload)

    return made


@pytest.fixture
def room(event: MakeEvent) -> list[Event]:
    """Gas twice in one room, and smoke in another."""
    return [
        event("Gas", 1, v=10, room="k"),
        event("Gas", 2, v=20, room="k"),
        event("Smoke", 3, v=30, room="h"),
    ]


@pytest.fixture
def why(installed: Registry) -> Why:
    """What is said of a pattern after these events: code, message, hint."""

    def said(events: Sequence[Event], query: str, **more: Any) -> list[tuple[str, str, str]]:
        pattern = {"query": f"PATTERN {query}", "slack": "none", **more}
        pipeline = Pipeline.from_dict({"version": 1, "patterns": {"p": pattern}}, registry=installed)
        for event in events:
            pipeline.feed([event])
        pipeline.finish()
        report = pipeline.report()["patterns"]["p"]
        return [(r["code"], r["message"], r["hint"]) for r in report.get("why_none", ())]

    return said


class Sampling:
    """Sources in files, and what samples of them say of a pattern."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self.folder = folder
        self.registry = registry

    def write(self, name: str, rows: list[str], header: str = "t,kind,v") -> None:
        (self.folder / name).write_text("\n".join([header, *rows]) + "\n")

    def config(self, query: str = QUERY, **sources: Any) -> Any:
        document = {
            "version": 1,
            "sources": sources,
            "patterns": {"p": {"query": query}},
            "sinks": {"o": {"type": "none"}},
        }
        loaded = load_dict(document, self.registry, root=self.folder)
        assert loaded.config is not None, loaded.problems
        return loaded.config

    def samples(self, count: int, query: str = QUERY, **sources: Any) -> list[Sample]:
        return list(samples(self.config(query, **sources), self.registry, count, structlog.get_logger()))

    def said(self, count: int, query: str = QUERY, **sources: Any) -> list[str]:
        """Code and message of each suspicion."""
        found = suspicions(self.config(query, **sources), self.samples(count, query, **sources))
        return [f"{p.severity} {p.code}: {p.message}" for _, p in found]


@pytest.fixture
def sampling(tmp_path: Path, installed: Registry) -> Sampling:
    return Sampling(tmp_path, installed)
