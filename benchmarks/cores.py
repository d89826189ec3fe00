"""How much faster a pipeline runs with two workers than in one process: a Kleene pattern over a file.

    python benchmarks/cores.py [EVENTS] [WORKERS]

The two ways run in turns. Two factors: by wall time, which counts on a quiet machine with a core for each
worker; and by processor time, that of one process over that of the busiest with workers, which is what wall
time comes to where nobody else needs the cores.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from machine import machine

TURNS = 3
KEYS = 64
PIPELINE = """\
version: 1
sources:
  all:
    type: file
    channel: events.jsonl
    as: {field: type}
    id: id
    time: {field: t, format: epoch_ms}
patterns:
  rising:
    query: |
      PATTERN SEQ(A a, B+ b[], C c)
      WHERE b[i].v > b[i-1].v AND c.v > a.v
      WITHIN 60 seconds
      PARTITION BY device
    lateness: {type: bound, within: 1m}
sinks:
  out: {type: file, path: out.jsonl, events: ids}
"""


class Run(NamedTuple):
    """What a run took, in seconds.

    Attributes:
        wall: Of wall time.
        busiest: Of processor time, of the process that took most.
        records: How many records it wrote.
    """

    wall: float
    busiest: float
    records: int


def write(path: Path, count: int) -> None:
    """A stream of some devices, of which one event in ten comes up to five seconds late."""
    chosen = random.Random(11)
    events = []
    for n in range(count):
        t = n * 5
        late = chosen.randrange(5000) if chosen.random() < 0.1 else 0
        event = {
            "type": chosen.choice("ABBBBBC"),
            "id": str(n),
            "t": t,
            "device": f"device-{chosen.randrange(KEYS)}",
            "v": chosen.randrange(1000),
        }
        events.append((t + late, n, json.dumps(event)))
    path.write_text("".join(f"{line}\n" for _, _, line in sorted(events)))


def run(folder: Path, workers: int) -> Run:
    """Runs the pipeline once."""
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", "--report", "r.json"]
    # Of children that have ended, the time of the parent and its workers together.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run([*command, "--runner", "local", f"--set=runner.workers={workers}"], cwd=folder, check=True)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads((folder / "r.json").read_text())
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    divided = [worker["cpu_seconds"] for worker in report.get("workers", ())]
    return Run(wall, max([whole - sum(divided), *divided]), report["sinks"]["out"]["records"])


def main() -> None:
    """Prints the factors."""
    count, workers = (int(a) for a in (*sys.argv[1:], *("40000", "2")[len(sys.argv) - 1 :]))
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "p.yaml").write_text(PIPELINE)
        write(folder / "events.jsonl", count)
        runs: dict[int, list[Run]] = {1: [], workers: []}
        for _ in range(TURNS):
            for number, taken in runs.items():
                taken.append(run(folder, number))
    assert len({taken.records for both in runs.values() for taken in both}) == 1
    print(f"{count:,} events, {runs[1][0].records:,} records, the median of {TURNS} runs, in seconds")
    median = {
        n: [statistics.median(getattr(r, of) for r in taken) for of in ("wall", "busiest")]
        for n, taken in runs.items()
    }
    for number, (wall, busiest) in median.items():
        print(f"  {number} process(es): wall {wall:.2f}, processor time of the busiest {busiest:.2f}")
    factors = [alone / divided for alone, divided in zip(median[1], median[workers], strict=True)]
    print(f"  factor: wall {factors[0]:.2f}, processor {factors[1]:.2f}")


if __name__ == "__main__":
    main()
