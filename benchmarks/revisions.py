"""What it costs that events are said anew, or taken back, beside what late events cost.

    python benchmarks/revisions.py [events] [pattern ...]
    python benchmarks/revisions.py memory [events]

Detection alone, over a stream with one event a millisecond of three types, matches counted. In turns: as a
source that does not revise has it, and one that does; with a fifth of the events late by up to a window; with
a fifth withdrawn, or revised, up to a window later. Processor time per statement, the median of three runs,
for windows that double, with and without keys.

`memory`: as many events in order as memory then holds, from 50,000 on by doubling, up to 800,000. Of the
last 4,000 a thousand were left out: these come late, are withdrawn, said again and withdrawn again. Processor
time of each, for engines and policies.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from itertools import product

import structlog
from machine import machine

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.host import Host
from limecep.model.event import Statement
from limecep.runtime.assembly import Assembly

REGISTRY = Host.load().registry
STEPS = {"ABC": "A a, B b, C c", "AB+C": "A a, B+ b[], C c"}
KINDS = ("plain", "revising", "a fifth late", "a fifth withdrawn", "a fifth revised")
MS = 1000


def stream(kind: str, events: int, within: int) -> list[Event]:
    """The statements, in the order of their arrival."""
    chosen = random.Random(11)
    made: list[tuple[int, Event]] = []
    for i in range(events):
        name = "ABC"[i * 2654435761 % 4294967296 % 3]
        heads = name, str(i), i * MS
        payload = {"v": chosen.randrange(100), "k": chosen.randrange(100)}
        again = chosen.random() < 0.2
        later = i + chosen.randrange(1, within)
        if kind in ("plain", "a fifth late"):
            made.append((later if again and kind != "plain" else i, Event(*heads, 0, "s", payload)))
            continue
        made.append((i, Statement(*heads, 0, "s", payload, version=1)))
        if again and kind == "a fifth withdrawn":
            made.append((later, Statement(*heads, 0, "s", version=2, withdrawn=True)))
        elif again and kind == "a fifth revised":
            changed = {**payload, "v": chosen.randrange(100)}
            made.append((later, Statement(*heads, 0, "s", changed, version=2)))
    made.sort(key=lambda m: m[0])
    for arrival, event in made:
        event.t_arr = arrival * MS
    return [event for _, event in made]


def measure(kind: str, events: int, steps: str, within: int, keys: bool) -> tuple[float, int]:
    """Processor seconds a statement, and how many matches stand."""
    query = f"PATTERN SEQ({STEPS[steps]}) WITHIN {within} ms" + " PARTITION BY k" * keys
    seconds = []
    for _ in range(3):
        detection = detecting(query, revises=kind not in ("plain", "a fifth late"))
        told = stream(kind, events, within)
        gc.collect()
        begin = time.process_time()
        for at in range(0, len(told), 512):
            detection.feed(told[at : at + 512])
        seconds.append((time.process_time() - begin) / len(told))
    figures = detection.patterns()["p"]
    return statistics.median(seconds), figures["live"]


def detecting(query: str, *, revises: bool, **options: str) -> Detection:
    """Detection of one pattern, which keeps all events."""
    pattern = {"query": query, "lateness": "accept", "slack": "none", **options}
    config = load_dict({"version": 1, "patterns": {"p": pattern}}, REGISTRY).config
    assert config is not None
    clock = ManualClock()
    assembly = Assembly(config, REGISTRY, clock, structlog.get_logger())
    return Detection(assembly.detectors(), clock, sources={"s": SourceTraits(revises=revises)})


def change(events: int, steps: str, engine: str, select: str, within: int) -> list[float]:
    """Processor seconds of a late event, of its withdrawal, and of both once more."""
    query = f"PATTERN SEQ({STEPS[steps]}) WITHIN {within} ms"
    detection = detecting(query, revises=True, engine=engine, select=select)
    chosen = random.Random(3)
    changing = chosen.sample(range(events - 4000, events - 1), 1000)

    def said(i: int, version: int) -> Statement:
        name = "ABC"[i * 2654435761 % 4294967296 % 3]
        gone = version % 2 == 0
        payload = {} if gone else {"v": version // 2}
        arrival = (events if i in later else i) * MS
        return Statement(name, str(i), i * MS, arrival, "s", payload, version=version, withdrawn=gone)

    later = frozenset(changing)
    first = [said(i, 1) for i in range(events) if i not in later]
    for at in range(0, len(first), 4096):
        detection.feed(first[at : at + 4096])
    seconds = []
    for version in (1, 2, 3, 4):
        chosen.shuffle(changing)
        told = [said(i, version) for i in changing]
        gc.collect()
        begin = time.process_time()
        detection.feed(told)
        seconds.append((time.process_time() - begin) / len(told))
    return seconds


def memory(most: int) -> None:
    ways = [("maximal", "stnm", 100), ("maximal", "stam", 20), ("nfa", "stnm", 20), ("nfa", "stam", 20)]
    for steps, (engine, select, within) in product(STEPS, ways):
        events = 50_000
        while events <= most:
            late, gone, again, last = (s * 1e6 for s in change(events, steps, engine, select, within))
            print(
                f"{steps:<5} {engine:<8} {select} W={within:<4} {events:>9,} events: late {late:8.1f} us, "
                f"withdrawn {gone:8.1f} us ({gone / late:5.2f}), again {again:8.1f} and {last:8.1f} us",
                flush=True,
            )
            events *= 2


def main(events: int, names: list[str]) -> None:
    for name, keys, within in product(names, (False, True), (100, 200, 400, 800)):
        plain = 0.0
        for kind in KINDS:
            seconds, live = measure(kind, events, name, within, keys)
            plain = plain or seconds
            print(
                f"{name:<5} {'keys' if keys else '':<5} W={within:<4} {kind:<18} {seconds * 1e6:7.2f} us "
                f"({seconds / plain:5.2f} of plain), {live:,} stand",
                flush=True,
            )


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    print(machine())
    what, *others = sys.argv[1:] or ["50000"]
    if what == "memory":
        memory(int(next(iter(others), "800000")))
    else:
        main(int(what), others or list(STEPS))
