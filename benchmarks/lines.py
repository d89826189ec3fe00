"""How fast lines become matches: files through a whole pipeline, matches written to a file.

    python benchmarks/lines.py [json] [csv] [iso] [fields] [--lines N] [--runs N] [--json]

Lines of 100 bytes, of 26 event types, and `SEQ(A a, B b, C c)` over three. `json` and `csv` have times
in milliseconds, `iso` is JSON with times in ISO 8601, `fields` is JSON whose pattern compares attributes.
Prints events per second of processor time, the median of the runs, from the opening of the files to the last
match on disk.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machine import machine

from limecep.host import Host
from limecep.runtime.memory import peak_rss
from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_BYTES = 100
START = datetime(2026, 1, 5, 10, tzinfo=UTC)
REGISTRY = Host.load().registry
STEPS = "PATTERN SEQ(A a, B b, C c)"
COMPARED = f"{STEPS} WHERE a.value < c.value AND b.value > 10"

#: By name: how a file's name ends, the format of its times, the pattern.
CASES = {
    "json": (".jsonl", "epoch_ms", STEPS),
    "csv": (".csv", "epoch_ms", STEPS),
    "iso": (".jsonl", "iso8601", STEPS),
    "fields": (".jsonl", "epoch_ms", COMPARED),
}


def rows(count: int) -> Iterator[tuple[str, int, str, int]]:
    """Id, milliseconds, type and value of each event."""
    chance = random.Random(7)
    begin = int(START.timestamp() * 1000)
    for n in range(count):
        yield f"e{n}", begin + n, chr(65 + chance.randrange(26)), chance.randrange(100)


def documents(count: int, *, iso: bool = False) -> Iterator[str]:
    """The events in JSON, in lines of `LINE_BYTES` with the line end."""
    for n, (identity, ms, name, value) in enumerate(rows(count)):
        stamp = f'"{START + timedelta(milliseconds=n):%FT%T.%fZ}"' if iso else ms
        line = f'{{"id":"{identity}","time":{stamp},"type":"{name}","value":{value},"note":"'
        yield f'{line}{"x" * (LINE_BYTES - 3 - len(line))}"}}'


def write(path: Path, format: str, count: int) -> None:
    """Writes the events of a case, in lines of `LINE_BYTES`."""
    with path.open("w", encoding="ascii") as out:
        if path.suffix != ".csv":
            out.writelines(f"{line}\n" for line in documents(count, iso=format == "iso8601"))
            return
        out.write("id,time,type,value,note\n")
        for identity, ms, name, value in rows(count):
            line = f"{identity},{ms},{name},{value},"
            out.write(f"{line}{'x' * (LINE_BYTES - 1 - len(line))}\n")


def run(path: Path, format: str, query: str, count: int) -> tuple[float, int]:
    """Runs the pipeline over a file; gives the processor time and the number of matches."""
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "name": "lines",
            "connectors": {"files": {"type": "file"}},
            "sources": {
                "events": {
                    "from": "files",
                    "channel": path.name,
                    "as": {"field": "type"},
                    "time": {"field": "time", "format": format},
                    "id": "id",
                }
            },
            "patterns": {"p": {"query": f"{query} WITHIN 100 ms"}},
            "sinks": {"out": {"to": "files", "channel": "matches.jsonl"}},
        },
        root=path.parent,
        registry=REGISTRY,
    )
    matches = path.parent / "matches.jsonl"
    matches.unlink(missing_ok=True)
    gc.collect()
    begin = time.process_time()
    pipeline.run()
    pipeline.close()
    seconds = time.process_time() - begin
    report = pipeline.report()
    if report["events"]["read"] != count:
        raise SystemExit(f"{report['events']['read']} events of {count} lines")
    return seconds, int(report["patterns"]["p"]["emitted"])


def measure(name: str, lines: int, runs: int) -> dict[str, Any]:
    """The figures of one case."""
    ending, format, query = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"events{ending}"
        write(path, format, lines)
        took = [run(path, format, query, lines) for _ in range(runs)]
    seconds = statistics.median(t for t, _ in took)
    return {
        "case": name,
        "lines": lines,
        "seconds": round(seconds, 3),
        "events_per_second": round(lines / seconds),
        "matches": took[0][1],
        "peak_rss_bytes": peak_rss(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; default: all")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    if unknown := set(given.cases) - set(CASES):
        parser.error(f"no case {', '.join(sorted(unknown))}")
    figures = []
    if not given.json:
        print(machine())
    for name in given.cases or CASES:
        figures.append(measure(name, given.lines, given.runs))
        if not given.json:
            print(
                "{case:<8}{lines:>12,} lines {seconds:8.3f} s {events_per_second:>10,} events/s"
                " {matches:>10,} matches".format(**figures[-1]),
                flush=True,
            )
    if given.json:
        print(json.dumps({"machine": machine(), "cases": figures}))


if __name__ == "__main__":
    main()
