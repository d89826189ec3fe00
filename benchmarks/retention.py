"""What late events cost that reach back behind memory: 2,000 events are kept.

    python benchmarks/retention.py [wide] [far]

`wide`: 15,000 to 60,000 events, a tenth of them late by up to 12,000, from a file alone and with state (its
journal), beside the same runs that keep all. `far`: a file in order, and behind it 5,000 and 10,000 events
that each need another part of it. The exponent comes from doubling: 1 is proportional to the events, 2 is
quadratic. Processor time of the command, less that of its start; the least of three runs.
"""

from __future__ import annotations

import json
import math
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from machine import machine

KEPT = 2_000
REACH = 12_000
RUNS = 3
PIPELINE: dict[str, Any] = {
    "version": 1,
    "sources": {
        "s": {"type": "file", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id",
              "time": {"field": "t", "format": "epoch_s"}}
    },
    "patterns": {"p": {"query": "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s", "lateness": "accept"}},
    "sinks": {"out": {"type": "none"}},
}  # fmt: skip
STATE = {"state": {"dir": "state", "keep": "10d"}}
LIMITED = {"retention": {"events": KEPT}}


def write(folder: Path, rows: list[tuple[float, int]]) -> None:
    """A file of events, each given by when it arrives and when it happens, in seconds."""
    chosen = random.Random(3)
    with (folder / "e.jsonl").open("w") as out:
        for n, (_, t) in enumerate(sorted(rows)):
            record = {"type": chosen.choice("ABC"), "id": str(n), "t": t, "v": chosen.randrange(100)}
            out.write(json.dumps(record) + "\n")


def wide(folder: Path, events: int) -> None:
    """A tenth is late by up to `REACH` events."""
    chosen = random.Random(7)
    write(folder, [(t + (chosen.random() * REACH if chosen.random() < 0.1 else 0), t) for t in range(events)])


def far(folder: Path, events: int, late: int) -> None:
    """Those in order, and behind them late ones in any order."""
    chosen = random.Random(7)
    times = chosen.sample(range(events - KEPT), late)
    write(folder, [(t, t) for t in range(events)] + [(events + n, t) for n, t in enumerate(times)])


def run(folder: Path, **more: Any) -> tuple[float, dict[str, Any]]:
    """The processor time of a run, in seconds, and its report."""
    (folder / "p.yaml").write_text(json.dumps(PIPELINE | more))
    used = math.inf
    for _ in range(RUNS):
        shutil.rmtree(folder / "state", ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", "--report", "report.json"]
        subprocess.run(command, cwd=folder, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = min(used, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return used, json.loads((folder / "report.json").read_text())


class Table:
    """Prints a row for each run.

    Args:
        start: What a run without events costs.
    """

    def __init__(self, start: float) -> None:
        self._start = start
        self._last: dict[str, float] = {}
        columns = f"{'seconds':>7} {'ratio':>6} {'readings':>9} {'had':>9} {'MiB':>6} {'exponent':>9}"
        print(f"{'':20} {'events':>8} {columns}")

    def row(self, name: str, count: int, used: float, report: dict[str, Any], than: float = 0.0) -> None:
        """A run, and what it is held against."""
        assert not report["patterns"]["p"]["unrepaired"]
        cost, again = used - self._start, report["retrieved"]
        ratio = f"{cost / (than - self._start):.2f}" if than else ""
        last = self._last.get(name)
        exponent = f"{math.log2(cost / last):.2f}" if last else ""
        self._last[name] = cost
        figures = f"{again['times']:>9,} {again['events']:>9,} {report['peak_rss_bytes'] / 2**20:>6.0f}"
        print(f"{name:20} {count:>8,} {cost:>7.2f} {ratio:>6} {figures} {exponent:>9}", flush=True)


def measure_wide(folder: Path, start: float) -> None:
    table = Table(start)
    for events in (15_000, 30_000, 60_000):
        wide(folder, events)
        for name, more in (("file", {}), ("journal", STATE)):
            than, right = run(folder, **more)
            used, report = run(folder, **more, **LIMITED)
            assert report["patterns"]["p"]["live"] == right["patterns"]["p"]["live"]
            table.row(f"{name}, all kept", events, than, right)
            table.row(f"{name}, {KEPT:,} kept", events, used, report, than)


def measure_far(folder: Path, start: float) -> None:
    for late in (5_000, 10_000):
        table = Table(start)
        for events in (60_000, 120_000, 240_000):
            far(folder, events, late)
            used, report = run(folder, **LIMITED)
            table.row(f"{late:,} far events", events, used, report)


if __name__ == "__main__":
    print(machine())
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write(folder, [(0, 0)])
        start = run(folder)[0]
        named = sys.argv[1:] or ["wide", "far"]
        if "wide" in named:
            measure_wide(folder, start)
        if "far" in named:
            measure_far(folder, start)
