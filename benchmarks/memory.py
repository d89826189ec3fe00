"""How much memory an endless stream takes: three patterns, a fifth of the events late.

    python benchmarks/memory.py [events, 10,000,000 if not given] [bound | default]

Under `bound` events are kept as long as late ones may need them; under the default policies, which accept
every event, as many as `retention` has room for.

Prints, as it goes, how much memory the process has, how many events and matches are kept in mind, and the
throughput since the line before. Events are made as they are fed, 4,096 at a time; that counts neither as
time nor, as they are not kept, as memory.
"""

from __future__ import annotations

import gc
import sys
import time
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import structlog
from machine import machine

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.runtime.assembly import Assembly
from limecep.runtime.memory import peak_rss

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.detection.detection import Detection

REGISTRY = Host.load().registry
BATCH = 4096
#: Microseconds from one event to the next, and how late late ones are at most.
PERIOD = 1_000
LATE = 1_100_000
PATTERNS = {
    "sequence": "SEQ(A a, B b, C c) WHERE a.v < c.v WITHIN 200 ms PARTITION BY k",
    "group": "SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 20 ms",
    "absence": "SEQ(A a, !D d, B b, !C c) WITHIN 10 ms",
}


def stream(count: int) -> Iterator[list[Event]]:
    """The events in the order of their arrival, batch by batch."""
    chosen = Random(7)
    waiting: list[tuple[int, int, Event]] = []
    batch: list[Event] = []
    for n in range(count):
        now = n * PERIOD
        payload = {"v": chosen.randrange(1000), "k": chosen.randrange(100)}
        event = Event(chosen.choice("ABCDEFGH"), str(n), now, now, "s", payload)
        if chosen.random() < 0.2:
            event.t_arr = now + chosen.randrange(1, LATE)
        heappush(waiting, (event.t_arr, n, event))
        while waiting and (waiting[0][0] <= now or n == count - 1):
            batch.append(heappop(waiting)[2])
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def resident() -> float:
    """The memory of this process, in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


def detection(lateness: str) -> Detection:
    """Detection as a pipeline would set it up whose updates somebody takes and forgets."""
    policies = {"lateness": {"type": "bound", "within": "1s"}} if lateness == "bound" else {}
    loaded = load_dict(
        {
            "version": 1,
            "name": "memory",
            "patterns": {name: {"query": f"PATTERN {query}", **policies} for name, query in PATTERNS.items()},
        },
        REGISTRY,
    )
    assert loaded.config is not None, loaded.problems
    assembly = Assembly(loaded.config, REGISTRY, ManualClock(), structlog.get_logger())
    return assembly.detection(lambda update: None, lambda refusal: None)


def measure(count: int, lateness: str) -> None:
    detecting = detection(lateness)
    gc.collect()
    print(f"{'events':>12} {'MiB':>8} {'stored':>8} {'matches':>8} {'events/s':>10}")
    begin = resident()
    print(f"{0:>12,} {begin:8.1f}")
    fed = since = 0
    seconds = 0.0
    for batch in stream(count):
        started = time.perf_counter()
        detecting.feed(batch)
        seconds += time.perf_counter() - started
        fed += len(batch)
        if fed - since >= count // 20 or fed == count:
            remembered = sum(m.results.remembered for m in detecting.managers)
            print(
                f"{fed:>12,} {resident():8.1f} {detecting.store.size:>8,} {remembered:>8,}"
                f" {(fed - since) / seconds:>10,.0f}",
                flush=True,
            )
            since, seconds = fed, 0.0
    detecting.finish()
    events = detecting.statistics.events()
    print({name: n for name, n in events.items() if n})
    for name, figures in detecting.patterns().items():
        print(name, {k: figures[k] for k in ("emitted", "corrected", "retracted", "refused", "engine_runs")})
    print(f"{detecting.retention.evicted:,} events left for want of room")
    print(f"peak {peak_rss() / 2**20:.1f} MiB, {begin:.1f} MiB before the first event")


if __name__ == "__main__":
    print(machine())
    number = next((a for a in sys.argv[1:] if a[0].isdigit()), "10,000,000")
    measure(int(number.replace(",", "").replace("_", "")), "default" if "default" in sys.argv else "bound")
