"""What the recompute policies cost, and what they miss: late events, evaluated on demand as `exact` and as
`paper` say.

    python benchmarks/recompute.py [events]

Streams of three types, by default 2,000 events a microsecond apart, of which a fifth (partial) or seven of
ten (full) are late by up to a window, which is of 50 microseconds. `missed` and `wrong` are matches, held
against the stream in order: those that are not there at the end, and those that should not be.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from machine import machine

from limecep import Pipeline
from limecep.cli import logs
from limecep.host import Host
from limecep.testing.oracle import assignment
from limecep.testing.streams import disorder, stream

if TYPE_CHECKING:
    from limecep import Event
    from limecep.testing.oracle import Assignment

REGISTRY = Host.load().registry
SEED = 7
DISORDER = {"partial 0.2": 0.2, "full 0.7": 0.7}
#: Microseconds: of the patterns, and how late events are at most.
WINDOW = 50
PATTERNS = (
    ("A a, B b, C c", "stnm"),
    ("A a, B+ b[], C c", "stnm"),
    ("A+ a[], B+ b[], C c", "stnm"),
    ("A a, B+ b[], C c", "stam"),
    ("A a, B+ b[]", "stnm"),
    ("A a, !B b, C c", "stnm"),
)


def run(steps: str, select: str, recompute: str, events: list[Event]) -> tuple[set[Assignment], int, float]:
    """The matches that stand at the end, the engine runs on demand, and the seconds it took."""
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "name": "recompute",
            "patterns": {
                "p": {
                    "query": f"PATTERN SEQ({steps}) WITHIN {WINDOW} us",
                    "select": select,
                    "lateness": "accept",
                    "slack": "none",
                    "recompute": recompute,
                }
            },
            "sinks": {"out": {"type": "none"}},
        },
        registry=REGISTRY,
    )
    begin = time.perf_counter()
    updates = [*pipeline.feed(events), *pipeline.finish()]
    seconds = time.perf_counter() - begin
    standing: dict[tuple[int, Assignment], Assignment] = {}
    for update in updates:
        match = (update.generation, assignment(update.first.events()))
        standing.pop(match, None)
        if update.op != "retract":
            standing[match] = assignment(update.match.events())
    return set(standing.values()), pipeline.report()["patterns"]["p"]["on_demand_runs"], seconds


def table(name: str, share: float, events: list[Event]) -> None:
    """Prints a line a pattern and policy."""
    arriving = disorder(events, SEED, share, WINDOW)
    print(
        f"\n{name}\n{'':<30}{'policy':<8}{'seconds':>8}{'on demand':>11}{'matches':>9}{'missed':>8}", end=""
    )
    print(f"{'wrong':>7}")
    for steps, select in PATTERNS:
        truth, _, _ = run(steps, select, "exact", events)
        for policy in ("exact", "paper"):
            found, runs, seconds = run(steps, select, policy, arriving)
            print(
                f"{f'SEQ({steps}) {select}':<30}{policy:<8}{seconds:>8.2f}{runs:>11,}"
                f"{len(truth):>9,}{len(truth - found):>8,}{len(found - truth):>7,}",
                flush=True,
            )


if __name__ == "__main__":
    logs.configure("error", sys.stderr)
    print(machine())
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    events = stream(SEED, count, gap=1)
    print(f"{count:,} events")
    for name, share in DISORDER.items():
        table(name, share, events)
