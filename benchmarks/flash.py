"""Flash: how many bytes a pipeline with state writes for an event, and how often it waits for the disk.

    python benchmarks/flash.py               # 10 and 1,000 events/s, with and without `every: 1s`
    python benchmarks/flash.py --seconds 60

Events of 55 bytes come into a followed file. A third of them end a match, whose record of 700 bytes goes to
another. Bytes are those that the process hands to the system (`wchar` of /proc), the file of results among
them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import machine

DOCUMENT = {
    "version": 1,
    "sources": {
        "s": {
            "type": "file",
            "channel": "in.jsonl",
            "follow": True,
            "as": {"field": "type"},
            "id": "id",
            "time": {"field": "t", "format": "epoch_ms"},
        }
    },
    "patterns": {"p": {"query": "PATTERN SEQ(A a, B b, C c) WITHIN 10 s"}},
    "sinks": {"o": {"type": "file", "path": "out.jsonl"}},
}
#: How long a run takes to begin, in seconds.
BEGIN_SECONDS = 3.0


def written(pid: int) -> int:
    """How many bytes a process has written."""
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["wchar"])


def measure(folder: Path, rate: float, seconds: float, every: str) -> None:
    """Runs a pipeline for so long at so many events a second, and prints what it wrote."""
    state = {"dir": "state", **({"every": every} if every else {})}
    (folder / "p.yaml").write_text(json.dumps({**DOCUMENT, "state": state}))
    (folder / "in.jsonl").touch()
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", "--report", "r.json"]
    running = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    time.sleep(BEGIN_SECONDS)
    before, begun, count = written(running.pid), time.perf_counter(), 0
    step = max(1, int(rate / 50))
    with (folder / "in.jsonl").open("a") as out:
        while time.perf_counter() - begun < seconds:
            for _ in range(step):
                event = {
                    "type": "ABC"[count % 3],
                    "id": count,
                    "t": time.time_ns() // 1_000_000,
                    "v": count % 7,
                }
                out.write(json.dumps(event) + "\n")
                count += 1
            out.flush()
            time.sleep(max(0.0, count / rate - (time.perf_counter() - begun)))
    time.sleep(1.5)
    bytes_of_all = written(running.pid) - before
    running.terminate()
    running.wait()
    results = (folder / "out.jsonl").stat().st_size
    commits = json.loads((folder / "r.json").read_text())["state"]["batches"]
    print(
        f"{rate:,.0f} events/s, every {every or 'turn'}: {bytes_of_all / count:,.0f} bytes an event, "
        f"{results / count:,.0f} of them results, {commits / count:.3f} commits"
    )


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--seconds", type=float, default=20.0)
    seconds = parser.parse_args().seconds
    print(machine())
    for rate in (10.0, 1000.0):
        for every in ("", "1s"):
            with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
                measure(Path(folder), rate, seconds, every)


if __name__ == "__main__":
    main()
