"""How throughput and memory depend on the number of patterns.

    python benchmarks/patterns.py [--stream triples|rare] [--patterns N ...] [--events N] [--deliver] [--json]

`triples`: patterns `SEQ(X a, Y b, Z c)` of three of 26 types, chosen at random, over a stream of all of them:
an event ends one pattern in 26. `rare`: every pattern has two types of its own before an end event that all
share, and the types of ten patterns come at a time. Events are a microsecond apart and W is 100.

For each number of patterns: events and matches in a second of processor time, the matches, the time it takes
to make the patterns, memory a pattern once all are made, and the peak of the process. Matches are counted;
with `--deliver` something takes each update. Each number is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from machine import machine

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.runtime.assembly import Assembly
from limecep.runtime.memory import peak_rss

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.detection.detection import Detection

    Names = list[tuple[str, str, str]]

TYPES = [chr(65 + i) for i in range(26)]
BATCH = 4096
#: `rare`: how many patterns have types that come at a time, for how many events, and which part of these are
#: end events.
ACTIVE_PATTERNS = 10
ACTIVE_EVENTS = 500
END_ONE_IN = 4


def triples(patterns: int, events: int) -> tuple[Names, list[Event]]:
    """Three of 26 types each; all types equally often."""
    chosen = random.Random(1)
    names = [tuple(chosen.sample(TYPES, 3)) for _ in range(patterns)]
    chosen = random.Random(7)
    return names, [_event(chosen.choice(TYPES), i) for i in range(events)]  # type: ignore[return-value]


def rare(patterns: int, events: int) -> tuple[Names, list[Event]]:
    """Types of their own and a common last one; those of few patterns come at a time."""
    names = [(f"X{n}", f"Y{n}", "Z") for n in range(patterns)]
    chosen = random.Random(7)
    made = []
    active = names
    for i in range(events):
        if not i % ACTIVE_EVENTS:
            active = chosen.sample(names, min(ACTIVE_PATTERNS, patterns))
        first, second, last = chosen.choice(active)
        made.append(_event(chosen.choice((first, second)) if chosen.randrange(END_ONE_IN) else last, i))
    return names, made


STREAMS = {"triples": triples, "rare": rare}


def _event(event_type: str, i: int) -> Event:
    return Event(event_type, str(i), i, i, "s", {})


def detection(names: Names, deliver: Callable[[object], None] | None) -> Detection:
    """Detection as a pipeline would set it up."""
    queries = [f"PATTERN SEQ({x} a, {y} b, {z} c) WITHIN 100 us" for x, y, z in names]
    registry = Host.load().registry
    loaded = load_dict(
        {
            "version": 1,
            "name": "patterns",
            "patterns": {f"p{n}": {"query": query} for n, query in enumerate(queries)},
            "sinks": {"out": {"type": "none"}},
        },
        registry,
    )
    assert loaded.config is not None, loaded.problems[0]
    return Assembly(loaded.config, registry, ManualClock(), structlog.get_logger()).detection(deliver)


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def measured(stream: str, patterns: int, count: int, *, deliver: bool) -> dict[str, Any]:
    """The figures of one number of patterns."""
    names, events = STREAMS[stream](patterns, count)
    detection(names[:1], None)
    gc.collect()
    begin, begun = resident(), time.process_time()
    detecting = detection(names, (lambda update: None) if deliver else None)
    making = time.process_time() - begun
    gc.collect()
    made = resident()
    begun = time.process_time()
    for i in range(0, len(events), BATCH):
        detecting.feed(events[i : i + BATCH])
    detecting.finish()
    seconds = time.process_time() - begun
    matches = sum(figures["live"] for figures in detecting.patterns().values())
    return {
        "stream": stream,
        "patterns": patterns,
        "events": count,
        "delivered": deliver,
        "seconds": seconds,
        "events_per_second": count / seconds,
        "matches": matches,
        "matches_per_second": matches / seconds,
        "seconds_to_make": making,
        "bytes_per_pattern": (made - begin) / patterns,
        "peak_rss_bytes": peak_rss(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stream", choices=STREAMS, action="append", help="both, if not given")
    parser.add_argument("--patterns", type=int, nargs="+", default=[1, 10, 100, 1_000, 10_000])
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--deliver", action="store_true", help="something takes each update")
    parser.add_argument("--json", action="store_true", help="an object a line")
    given = parser.parse_args()
    if not given.json:
        print(machine())
        print(
            f"{'stream':<8} {'patterns':>8} {'events/s':>10} {'matches':>12} {'matches/s':>10} {'make s':>7}"
            f" {'kB/pattern':>10} {'peak MiB':>8}"
        )
    for stream in given.stream or STREAMS:
        for patterns in given.patterns:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                f = pool.apply(measured, (stream, patterns, given.events), {"deliver": given.deliver})
            if given.json:
                print(json.dumps(f), flush=True)
                continue
            print(
                f"{stream:<8} {patterns:>8,} {f['events_per_second']:>10,.0f} {f['matches']:>12,}"
                f" {f['matches_per_second']:>10,.0f} {f['seconds_to_make']:>7.2f}"
                f" {f['bytes_per_pattern'] / 1000:>10.1f} {f['peak_rss_bytes'] / 2**20:>8.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
