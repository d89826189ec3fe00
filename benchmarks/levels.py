"""What it costs that patterns read what others derive, beside their lowest level alone.

    python benchmarks/levels.py [events]

Detection alone, over a stream with one event a millisecond of three types and 100 keys. In turns: the lowest
pattern alone, which finds about a match for every tenth event; the same, deriving events that nobody reads;
with a second level that reads them; with a third; each in order, and with a fifth of the events late by up to
a window. Processor time per event, the median of three runs, for numbers of events that double.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from itertools import product
from typing import Any

import structlog
from machine import machine

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.runtime.assembly import Assembly

REGISTRY = Host.load().registry
MS = 1000
WITHIN = 1000

#: The patterns, from the lowest level on. A third of the events are `B`, and three of ten have `v > 17`.
QUERIES = {
    "hot": f"PATTERN SEQ(A a, B b) WHERE b.v > 17 WITHIN {WITHIN} ms PARTITION BY k RETURN b.v AS v",
    "rising": f"PATTERN SEQ(Hot x, Hot y) WHERE y.v > x.v WITHIN {WITHIN} ms PARTITION BY k RETURN y.v AS v",
    "alarm": f"PATTERN SEQ(Rising x, C c) WITHIN {WITHIN} ms PARTITION BY k",
}
DERIVED = {"hot": "Hot", "rising": "Rising"}


def stream(events: int, late: bool) -> list[Event]:
    """The events, in the order of their arrival."""
    chosen = random.Random(11)
    made: list[tuple[int, Event]] = []
    for i in range(events):
        name = "ABC"[i * 2654435761 % 4294967296 % 3]
        payload = {"v": chosen.randrange(20), "k": chosen.randrange(100)}
        later = i + chosen.randrange(1, WITHIN) if late and chosen.random() < 0.2 else i
        made.append((later, Event(name, str(i), i * MS, 0, "s", payload)))
    made.sort(key=lambda m: m[0])
    for arrival, event in made:
        event.t_arr = arrival * MS
    return [event for _, event in made]


def measure(levels: int, derive: bool, events: int, late: bool) -> tuple[float, dict[str, Any]]:
    """Processor seconds an event, and how many matches of each pattern stand."""
    patterns: dict[str, Any] = {}
    for name, query in [*QUERIES.items()][:levels]:
        patterns[name] = {"query": query, "lateness": {"type": "bound", "within": "10s"}, "slack": "none"}
        if name in DERIVED and (derive or levels > 1):
            patterns[name]["derive"] = {"as": DERIVED[name]}
    config = load_dict({"version": 1, "patterns": patterns}, REGISTRY).config
    assert config is not None
    seconds = []
    for _ in range(3):
        clock = ManualClock()
        assembly = Assembly(config, REGISTRY, clock, structlog.get_logger())
        detection = assembly.detection(lambda update: None)
        told = stream(events, late)
        gc.collect()
        begin = time.process_time()
        for at in range(0, len(told), 512):
            detection.feed(told[at : at + 512])
        seconds.append((time.process_time() - begin) / len(told))
    return statistics.median(seconds), {name: p["live"] for name, p in detection.patterns().items()}


def main(most: int) -> None:
    print(machine())
    for late, events in product((False, True), (most // 4, most // 2, most)):
        alone = 0.0
        for levels, derive in ((1, False), (1, True), (2, True), (3, True)):
            seconds, live = measure(levels, derive, events, late)
            alone = alone or seconds
            print(
                f"{events:>9,} {'a fifth late' if late else 'in order':<12} "
                f"{f'{levels} levels' if levels > 1 else '1, deriving' if derive else '1 level':<11} "
                f"{seconds * 1e6:6.2f} us "
                f"({alone / seconds:4.2f} of the speed), {live}",
                flush=True,
            )


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    main(int(next(iter(sys.argv[1:]), "1000000")))
