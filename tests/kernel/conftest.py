"""What is installed here, the built-in components, patterns of every kind, sources that take back events."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.contracts.context import Context
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.detection.retention import Limits
from limecep.diagnosis.preview import suspicions
from limecep.host import Host
from limecep.language.parser import parse
from limecep.model.derivation import Derivation
from limecep.model.event import DerivedEvent, Statement
from limecep.patterns.detector import Detector, Refusal
from limecep.plan.compiler import compile_plan
from limecep.runtime.sampling import samples
from limecep.spec import NoOptions
from limecep.testing.bench import SilentLogger
from limecep_lateness.accept import Accept
from limecep_lateness.config import AcceptOptions
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_recompute.exact import Exact
from limecep_results.config import CorrectedOptions
from limecep_results.corrected import Corrected
from limecep_slack.config import FixedOptions
from limecep_slack.waiting import FixedSlack

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.diagnosis.sample import Sample
    from limecep.model.event import Event
    from limecep.model.update import Update
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


SECOND = 1_000_000


def statement(word: str, **payload: Any) -> Statement:
    """`a1@5v2` is the second version of the A with the id a1, at 5 s; `a1@5v3x` withdraws it."""
    withdrawn = word.endswith("x")
    name, _, rest = word.rstrip("x").partition("@")
    time, _, version = rest.partition("v")
    return Statement(
        name[0].upper(), name, int(time) * SECOND, payload={} if withdrawn else payload, version=int(version),
        withdrawn=withdrawn,
    )  # fmt: skip


class Made:
    """Patterns over one source that takes back what it told.

    Args:
        queries: The patterns, each with how late events may be for it, in seconds, None for any; and with
            what it derives, if anything: a type, and when.
        options: Those of the result policy.
    """

    def __init__(
        self, *queries: tuple[str, int | None, *tuple[Any, ...]], keep: int | None = None, **options: Any
    ) -> None:
        self.clock = ManualClock()
        self.updates: list[Update] = []
        self.refusals: list[Refusal] = []
        wait = options.pop("wait", 0)
        self.detection = Detection(
            [
                self._detector(f"p{n}", *query[:2], wait, options, query[2:])
                for n, query in enumerate(queries)
            ],
            self.clock,
            sources={"": SourceTraits(revises=True)},
            awaits_sources=False,
            deliver=self.updates.append,
            refuse=self.refusals.append,
            limits=Limits(time=keep),
        )

    def _detector(
        self,
        name: str,
        query: str,
        within: int | None,
        wait: int,
        options: dict[str, Any],
        derives: tuple[Any, ...] = (),
    ) -> Detector:
        plan = compile_plan(parse(f"PATTERN {query}"), name=name)
        context = Context(label=name, clock=self.clock, counters=Counter(), logger=SilentLogger())
        late = AcceptOptions(within=None if within is None else within * SECOND)
        return Detector(
            plan=plan,
            engine=MaximalEngine(plan, MaximalOptions(), context),
            lateness=Accept(plan, late, context),
            slack=FixedSlack(plan, FixedOptions(wait=wait * SECOND), context),
            recompute=Exact(plan, NoOptions(), context),
            results=Corrected(plan, CorrectedOptions(**options), context),
            context=context,
            group=(within,),
            derives=Derivation(*derives, plan.within) if derives else None,
        )

    statement = staticmethod(statement)

    def says(self, *words: str, **payload: Any) -> list[str]:
        """What comes of statements, each a second after the one before it."""
        for word in words:
            said = statement(word, **payload)
            said.t_arr = self.clock.now() + SECOND
            self.detection.feed([said])
        return self.told()

    def told(self) -> list[str]:
        """What has been said since this was asked."""
        told = [
            f"{u.op}{u.revision} {' '.join(map(_shown, (e for g in u.match.groups for e in g)))} {u.cause}"
            for u in self.updates
        ]
        self.updates.clear()
        return told

    @property
    def outcomes(self) -> dict[str, int]:
        """How many statements had each outcome, where any had."""
        return {o: n for o, n in self.detection.statistics.source("").outcomes.items() if n}


def _shown(event: Event) -> str:
    """The id of an event; of one that is derived, its type."""
    return event.type if isinstance(event, DerivedEvent) else event.id


@pytest.fixture
def revising() -> type[Made]:
    """Makes patterns over a source that takes back what it told."""
    return Made
