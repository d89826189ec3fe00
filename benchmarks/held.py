"""How much memory a million events take that are all kept: lines of JSON from a file, under `accept`.

    python benchmarks/held.py [events, 1,000,000 if not given]

Each line has a type, an id, a time and two fields. Each row is a run of the command, without and with a
state: the peak of the process, what that is an event above a run of one event, and processor time. The third
row goes on from the state of the second, with one event more.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from machine import machine

PIPELINE: dict[str, Any] = {
    "version": 1,
    "sources": {
        "s": {"type": "file", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id",
              "time": {"field": "t", "format": "epoch_ms"}}
    },
    "patterns": {
        "p": {"query": "PATTERN SEQ(A a, B b) WHERE a.v < b.v WITHIN 1 s PARTITION BY k"}
    },
    "retention": {"events": 1_100_000, "bytes": "off"},
    "sinks": {"out": {"type": "none"}},
}  # fmt: skip
STATE = {"state": {"dir": "state"}}


def write(folder: Path, count: int) -> None:
    """A file of events, one in a hundred of them late by up to ten seconds."""
    chosen = random.Random(7)
    with (folder / "e.jsonl").open("w") as out:
        for n in range(count):
            t = 1_700_000_000_000 + 10 * n
            if chosen.random() < 0.01:
                t -= chosen.randrange(10_000)
            record = {"type": chosen.choice("AB"), "id": f"e{n}", "t": t}
            record |= {"v": round(chosen.random() * 100, 2), "k": f"k{chosen.randrange(100)}"}
            out.write(json.dumps(record) + "\n")


def run(folder: Path, *, anew: bool = True, **more: Any) -> tuple[float, int]:
    """The processor time of a run, in seconds, and the peak of its memory, in bytes."""
    if anew:
        shutil.rmtree(folder / "state", ignore_errors=True)
    (folder / "p.yaml").write_text(json.dumps(PIPELINE | more))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", "--report", "report.json"]
    subprocess.run(command, cwd=folder, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads((folder / "report.json").read_text())
    assert not report["evicted"]
    return used, report["peak_rss_bytes"]


def measure(folder: Path, count: int) -> None:
    print(f"{'':14} {'peak MiB':>9} {'bytes an event':>15} {'seconds':>8}")
    for name, more in (("without state", {}), ("with state", STATE)):
        write(folder, 1)
        least = run(folder, **more)[1]
        write(folder, count)
        row(name, count, least, *run(folder, **more))
    with (folder / "e.jsonl").open("a") as out:
        out.write('{"type": "A", "id": "last", "t": 1700000000000, "v": 1, "k": "k1"}\n')
    row("resumed", count, least, *run(folder, anew=False, **STATE))


def row(name: str, count: int, least: int, used: float, peak: int) -> None:
    print(f"{name:14} {peak / 2**20:>9.1f} {(peak - least) / count:>15.1f} {used:>8.2f}", flush=True)


if __name__ == "__main__":
    print(machine())
    number = int((sys.argv[1:] or ["1,000,000"])[0].replace(",", "").replace("_", ""))
    with tempfile.TemporaryDirectory() as made:
        measure(Path(made), number)
