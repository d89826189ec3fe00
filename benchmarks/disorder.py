"""What disorder costs: a pipeline over files in order, a fifth late and most late, with the default slack.

    python benchmarks/disorder.py [events] [pattern ...]

The streams have one event a millisecond, of three types that all concern the pattern (dense), or of 26
(sparse); late events are up to a window late. With the folder of reference data named by `LIMECEP_REFERENCE`
the reference stream in order and out of order as well. Matches are counted and not written. Processor time,
the median of three runs.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from machine import machine

from limecep import Pipeline
from limecep.cli import logs
from limecep.host import Host

REFERENCE = Path(os.environ.get("LIMECEP_REFERENCE", "reference"))
REGISTRY = Host.load().registry
STEPS = {"ABC": "A a, B b, C c", "AB+C": "A a, B+ b[], C c", "A+B+C": "A+ a[], B+ b[], C c"}


def write(path: Path, events: int, share: float, reach: int, types: int) -> float:
    """A stream of which about a share is late, by up to `reach` milliseconds; gives the share that is."""
    chosen = random.Random(11)
    rows = [(i + (chosen.randrange(1, reach) if chosen.random() < share else 0), i) for i in range(events)]
    rows.sort()
    latest = late = 0
    with path.open("w") as out:
        for arrival, (_, i) in enumerate(rows):
            late += i < latest
            latest = max(latest, i)
            kind = ascii_uppercase[i * 2654435761 % 4294967296 % types]
            out.write(f'{{"id":"{i}","type":"{kind}","time":{i},"arrival":{arrival}}}\n')
    return late / events


def measure(source: dict[str, Any], root: Path, steps: str, within: str) -> tuple[float, dict[str, Any]]:
    """Processor seconds, and the figures of the pattern."""
    query = f"PATTERN SEQ({STEPS[steps]}) WITHIN {within}"
    document = {
        "version": 1,
        "name": "disorder",
        "connectors": {"log": {"type": "file"}},
        "sources": {"s": {"from": "log", **source}},
        "patterns": {"p": {"query": query, "lateness": "accept"}},
        "sinks": {"out": {"type": "none"}},
    }
    seconds = []
    for _ in range(3):
        pipeline = Pipeline.from_dict(document, root=root, registry=REGISTRY)
        gc.collect()
        begin = time.process_time()
        pipeline.run()
        pipeline.close()
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds), pipeline.report()["patterns"]["p"]


def main(events: int, names: list[str]) -> None:
    print(machine())
    stamps = {"time": {"field": "time", "format": "epoch_ms"}, "id": "id", "as": {"field": "type"}}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for (kind, types), within in product((("dense", 3), ("sparse", 26)), (100, 1000)):
            shares = {
                f"{s}.jsonl": write(root / f"{s}.jsonl", events, s, within, types) for s in (0, 0.2, 0.75)
            }
            for name in names:
                first = 0.0
                for channel, share in shares.items():
                    arrival = {"field": "arrival", "format": "epoch_ms"}
                    source = {**stamps, "channel": channel, "arrival": arrival}
                    seconds, figures = measure(source, root, name, f"{within} ms")
                    first = first or seconds
                    print(
                        f"{name:<6} {kind:<6} W={within:<5} {share:4.0%} late "
                        f"{events / seconds:10,.0f} events/s ({first / seconds:.2f} of in order), "
                        f"{figures['live']:,} matches, {figures['corrected']:,} corrected, "
                        f"{figures['engine_runs']:,} runs",
                        flush=True,
                    )
    for name in names if (REFERENCE / "microlatency-10k.csv").exists() else ():
        first = 0.0
        for channel in ("microlatency-10k.csv", "microlatency-10k-ooo.csv"):
            seconds, figures = measure({**stamps, "channel": channel}, REFERENCE, name, "1000 ms")
            first = first or seconds
            print(
                f"{name:<6} {channel:<26} {seconds:.3f} s ({seconds / first:.1f} times), "
                f"{figures['live']:,} matches"
            )


if __name__ == "__main__":
    logs.configure("error", sys.stderr)
    # As `limecep run` does.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    main(int(next(iter(sys.argv[1:]), "50000")), sys.argv[2:] or ["ABC", "AB+C"])
