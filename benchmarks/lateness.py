"""What the lateness score costs in results: precision and recall against the stream in order, by the factor
of the threshold and the weights, where nothing warms up.

    python benchmarks/lateness.py [seed]

With the folder of reference data named by `LIMECEP_REFERENCE` the stream is the reference disorder (21
events, p 0.7); without it, or with a seed, one drawn here: 300 events, of which seven of ten are late.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from machine import machine

from limecep import Event, Pipeline
from limecep.cli import logs
from limecep.host import Host
from limecep.model.event import sort_key
from limecep.testing.streams import SECOND, disorder, stream

if TYPE_CHECKING:
    from collections.abc import Hashable

REFERENCE = Path(os.environ.get("LIMECEP_REFERENCE", "reference")) / "minigt-full.csv"
REGISTRY = Host.load().registry
PATTERNS = {"ABC": "A a, B b, C c", "A+B+C": "A+ a[], B+ b[], C c"}
FACTORS = (0.5, 1.0, 1.5, 2.0, 2.5)
WEIGHTS = (
    (1.0, 0.0, 0.0), (0.8, 0.1, 0.1), (0.6, 0.2, 0.2), (0.4, 0.3, 0.3), (0.2, 0.4, 0.4), (0.0, 0.5, 0.5),
)  # fmt: skip


def disordered(arguments: list[str]) -> list[Event]:
    """The stream in the order of its arrival."""
    if REFERENCE.exists() and not arguments:
        with REFERENCE.open() as file:
            rows = list(csv.DictReader(file))
        return [Event(r["type"], r["id"], int(r["time"]) * SECOND, t_arr) for t_arr, r in enumerate(rows)]
    seed = int(arguments[0]) if arguments else 7
    return disorder(stream(seed, 300), seed, 0.7, 20 * SECOND)


def net(steps: str, select: str, lateness: object, events: list[Event]) -> tuple[set[Hashable], int]:
    """The matches that stand at the end, and how many events were extremely late."""
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "name": "lateness",
            "patterns": {
                "p": {
                    "query": f"PATTERN SEQ({steps}) WITHIN 10 s",
                    "select": select,
                    "lateness": lateness,
                    "slack": "none",
                }
            },
            "sinks": {"out": {"type": "none"}},
        },
        registry=REGISTRY,
    )
    standing: dict[Hashable, Hashable] = {}
    for update in (*pipeline.feed(events), *pipeline.finish()):
        # A match keeps, while it is corrected, the events it was first emitted with.
        first = _ids(update.first)
        standing.pop(first, None)
        if update.op in ("emit", "correct"):
            standing[first] = _ids(update.match)
    return set(standing.values()), pipeline.report()["events"]["extremely_late"]


def _ids(match) -> Hashable:  # type: ignore[no-untyped-def]
    return tuple((variable, tuple(e.id for e in group)) for variable, group in match.events().items())


def table(name: str, select: str, events: list[Event]) -> None:
    """Prints a line a choice of weights, a column a factor: precision, recall, events refused."""
    steps = PATTERNS[name]
    in_order = sorted(events, key=sort_key)
    truth, _ = net(steps, select, "accept", _copies(in_order))
    print(f"\n{name} {select}, {len(truth)} matches in order\n{'weights':<16}", end="")
    print("".join(f"{f'factor {factor}':>18}" for factor in FACTORS))
    for weights in WEIGHTS:
        print(f"{' '.join(f'{w:g}' for w in weights):<16}", end="")
        for factor in FACTORS:
            options = {"type": "score", "factor": factor, "weights": list(weights), "warm_up": 0}
            found, refused = net(steps, select, options, _copies(events))
            right = len(found & truth)
            precision = f"{right / len(found):.0%}" if found else "-"
            print(f"{f'{precision} {right / len(truth):.0%} ({refused})':>18}", end="")
        print(flush=True)


def _copies(events: list[Event]) -> list[Event]:
    return [Event(e.type, e.id, e.t_gen, t_arr, "s") for t_arr, e in enumerate(events)]


if __name__ == "__main__":
    # What is refused is what is measured.
    logs.configure("error", sys.stderr)
    print(machine())
    events = disordered(sys.argv[1:])
    print(f"{len(events)} events; precision, recall (events refused)")
    for select in ("stnm", "stam"):
        for name in PATTERNS:
            table(name, select, events)
