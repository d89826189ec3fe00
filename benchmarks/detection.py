"""How fast matches are found: events already parsed, fed in batches from memory, matches counted.

    python benchmarks/detection.py [intake] [dense] [neighbours] [late] [absence] [all]

`intake`: 1,000,000 events of 26 types, a pattern over three of them. `dense`: 10,000 events of three types,
the counts of the reference data where the folder named by `LIMECEP_REFERENCE` has it, else of a stream like
it. `all`: the same stream and the engine `nfa`, which gives all matches.
"""

from __future__ import annotations

import csv
import gc
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from machine import machine, median_seconds

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.runtime.assembly import Assembly
from limecep.runtime.memory import peak_rss

if TYPE_CHECKING:
    from limecep.detection.detection import Detection

REFERENCE = Path(os.environ.get("LIMECEP_REFERENCE", "reference"))
REGISTRY = Host.load().registry
STEPS = {"ABC": "A a, B b, C c", "AB+C": "A a, B+ b[], C c", "A+B+C": "A+ a[], B+ b[], C c"}


def detection(query: str, select: str, engine: str = "maximal") -> Detection:
    """Detection as a pipeline would set it up that counts the matches of one pattern."""
    loaded = load_dict(
        {
            "version": 1,
            "name": "benchmark",
            "patterns": {
                "p": {
                    "query": f"PATTERN {query}",
                    "select": select,
                    "engine": engine,
                    "lateness": "accept",
                    "slack": "none",
                }
            },
            "sinks": {"out": {"type": "none"}},
        },
        REGISTRY,
    )
    assert loaded.config is not None
    return Assembly(loaded.config, REGISTRY, ManualClock(), structlog.get_logger()).detection()


def count(query: str, select: str, events: list[Event], engine: str = "maximal", batch: int = 4096) -> int:
    """The live matches at the end of a stream."""
    detecting = detection(query, select, engine)
    for i in range(0, len(events), batch):
        detecting.feed(events[i : i + batch])
    detecting.finish()
    return int(detecting.patterns()["p"]["live"])


def sparse(n: int) -> list[Event]:
    """A stream of 26 types, a microsecond apart."""
    chosen = random.Random(7)
    types = [chr(65 + i) for i in range(26)]
    return [Event(chosen.choice(types), str(i), i, i, "s", {}) for i in range(n)]


def dense(name: str = "microlatency-10k.csv") -> list[Event]:
    """10,000 events of three types, a microsecond apart."""
    path = REFERENCE / name
    if not path.exists():
        chosen = random.Random(7)
        return [
            Event(chosen.choice("ABC"), str(i), i, i, "s", {"volume": chosen.randrange(1000)})
            for i in range(10_000)
        ]
    with path.open() as file:
        return [
            Event(r["type"], r["id"], int(r["time"]), int(r["time"]), "s", {"volume": int(r["volume"])})
            for r in csv.DictReader(file)
        ]


def report(what: str, query: str, select: str, events: list[Event], engine: str = "maximal") -> None:
    """Measures one pattern on one stream."""
    gc.collect()
    found: list[int] = []
    seconds = median_seconds(lambda: found.append(count(query, select, events, engine)))
    print(
        f"{what:<28} {select} {seconds:8.3f} s {len(events) / seconds / 1e6:8.2f} M events/s"
        f" {found[0]:>12,} matches {peak_rss() / 2**20:6.0f} MiB",
        flush=True,
    )


def intake() -> None:
    events = sparse(1_000_000)
    for name in ("ABC", "AB+C"):
        report(f"{name} W=100, sparse", f"SEQ({STEPS[name]}) WITHIN 100 us", "stnm", events)


def dense_counts() -> None:
    events = dense()
    for select in ("stnm", "stam"):
        for name, steps in STEPS.items():
            for w in (10, 100, 1000):
                report(f"{name} W={w}", f"SEQ({steps}) WITHIN {w} us", select, events)
    group = [Event("A", "a0", 0), *(Event("B", f"b{i}", i) for i in range(1, 26)), Event("C", "c26", 26)]
    report("a0 b1 ... b25 c26, AB+C", "SEQ(A a, B+ b[], C c) WITHIN 1000 us", "stam", group)


def neighbours() -> None:
    events = dense()
    rising = "SEQ(A a, B+ b[], C c) WHERE b[i+1].volume > b[i].volume WITHIN {} us"
    above = "SEQ(A a, B+ b[], C c) WHERE b[i].volume > a.volume WITHIN {} us"
    for query, name in ((rising, "rising AB+C"), (above, "AB+C, b above a")):
        for w in (10, 100, 1000):
            report(f"{name} W={w}", query.format(w), "stnm", events)
    report("AB+C, b above a W=100", above.format(100), "stam", events)


def late() -> None:
    for name in STEPS:
        for w in (100, 1000):
            query = f"SEQ({STEPS[name]}) WITHIN {w} us"
            report(f"{name} W={w}, out of order", query, "stnm", dense("microlatency-10k-ooo.csv"))


def absence() -> None:
    """Every end event waits until its window has passed."""
    events = sparse(200_000)
    for w in (100, 10_000):
        report(f"AB!C W={w}, sparse", f"SEQ(A a, B b, !C c) WITHIN {w} us", "stnm", events)
    report("AB+!C W=100", "SEQ(A a, B+ b[], !C c) WITHIN 100 us", "stnm", dense())


def every() -> None:
    events = dense()
    few = [("stam", "ABC", 10), ("stam", "ABC", 100), ("stam", "ABC", 1000), ("stam", "AB+C", 10)]
    few += [("stam", "A+B+C", 10), ("stnm", "A+B+C", 10)]
    for select, name, w in [("stnm", name, w) for name in ("ABC", "AB+C") for w in (10, 100, 1000)] + few:
        report(f"all {name} W={w}", f"SEQ({STEPS[name]}) WITHIN {w} us", select, events, "nfa")
    rising = "SEQ(A a, B+ b[], C c) WHERE b[i+1].volume > b[i].volume WITHIN 100 us"
    above = "SEQ(A a, B+ b[], C c) WHERE b[i].volume > a.volume WITHIN 100 us"
    report("all rising AB+C W=100", rising, "stnm", events, "nfa")
    report("all AB+C, b above a W=100", above, "stnm", events, "nfa")


if __name__ == "__main__":
    print(machine())
    for name in sys.argv[1:] or ["intake", "dense"]:
        {
            "intake": intake,
            "dense": dense_counts,
            "neighbours": neighbours,
            "late": late,
            "absence": absence,
            "all": every,
        }[name]()
