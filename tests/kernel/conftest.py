"""What is installed here, the built-in components, and patterns of every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.config.loader import load_dict
from limecep.diagnosis.preview import suspicions
from limecep.host import Host
from limecep.runtime.sampling import samples

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.diagnosis.sample import Sample
    from limecep.registry import Registry


def _pattern(query: str, **policies: Any) -> dict[str, Any]:
    return {"query": f"PATTERN {query}", "lateness": "accept", "slack": "none", **policies}


SLACK = {"type": "fixed", "wait": "2s"}
BOUND = {"type": "accept", "within": "6s"}
FINAL = {"type": "corrected", "emit": "final"}
SLACK_FINAL = {"type": "corrected", "emit": "slack", "final": True}
FEW = {"type": "corrected", "max_per_end": 3}

#: What `kinds` gives.
KINDS: dict[str, Any] = {
    "grows": _pattern("SEQ(A a, B+ b[]) WITHIN 6 s"),
    "repeats": _pattern("SEQ(A+ a[], B b) WITHIN 6 s", select="stam", slack=SLACK),
    "counts": _pattern("OR(SEQ(A a, B+ b[]), SEQ(A a, B+ b[], C? c)) WITHIN 6 s", select="stam"),
    "picks": _pattern("SEQ(A a, B b) WITHIN 6 s", results={"type": "corrected", "pick": "last"}),
    "picks_live": _pattern(
        "SEQ(A a, B+ b[]) WITHIN 6 s", results={"type": "corrected", "pick": "longest", "emit": "complete"}
    ),
    "skips": _pattern("SEQ(A a, B b) WITHIN 6 s", results={"type": "corrected", "skip": "past-last"}),
    "skips_one": _pattern("SEQ(A a, B+ b[]) WITHIN 6 s", results={"type": "corrected", "skip": "to-next"}),
    "final": _pattern("SEQ(A a, C c) WITHIN 6 s", lateness=BOUND, results=FINAL),
    "final_skips": _pattern(
        "SEQ(A a, C c) WITHIN 6 s",
        lateness=BOUND,
        results={**FINAL, "skip": "past-last"},
    ),
    "announces": _pattern(
        "SEQ(A a, B b, C c) WITHIN 6 s", lateness=BOUND, results={"type": "corrected", "final": True}
    ),
    "announces_absence": _pattern(
        "SEQ(A a, B b, !C c) WITHIN 6 s", lateness=BOUND, results={"type": "corrected", "final": True}
    ),
    "slack_announces": _pattern(
        "SEQ(A a, B b) WITHIN 6 s", lateness=BOUND, slack=SLACK, results=SLACK_FINAL
    ),
    "slack_absence": _pattern(
        "SEQ(A a, B b, !C c) WITHIN 6 s", lateness=BOUND, slack=SLACK, results=SLACK_FINAL
    ),
    "slack": _pattern(
        "SEQ(A a, B b) WITHIN 6 s", slack=SLACK, results={"type": "corrected", "emit": "slack"}
    ),
    "complete": _pattern("SEQ(A a, B+ b[]) WITHIN 6 s", results={"type": "corrected", "emit": "complete"}),
    "absence": _pattern("SEQ(A a, B b, !C c) WITHIN 6 s"),
    "uncorrected": _pattern("SEQ(A a, !C c, B b) WITHIN 6 s", results="uncorrected"),
    "limited": _pattern(
        "SEQ(A a, B b) WITHIN 4 s PARTITION BY v",
        results={"type": "cooldown", "for": "5s"}, lateness={"type": "accept", "within": "6s"},
    ),
    "partitioned": _pattern("SEQ(A a, B+ b[]) WITHIN 6 s PARTITION BY v"),
    "both": _pattern("AND(A a, B b) WITHIN 3 s PARTITION BY v"),
    "contiguous": _pattern("SEQ(A a, B b) WITHIN 6 s", select="sc"),
    "learns": _pattern("SEQ(B b, C c) WITHIN 4 s", lateness={"type": "quantile", "warm_up": 2}),
    "bounded": _pattern("SEQ(A+ a[], B b) WITHIN 6 s", engine="nfa", results=FEW),
}  # fmt: skip


@pytest.fixture(scope="session")
def installed() -> Registry:
    return Host.load().registry


@pytest.fixture
def kinds() -> dict[str, Any]:
    """A pattern of every kind that detection treats in its own way, by name."""
    return KINDS


QUERY = "PATTERN SEQ(A a, B b) WHERE a.v > 3 AND b.v > 3 WITHIN 1 h"


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
