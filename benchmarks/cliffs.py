"""Patterns that people write innocently: how their cost grows with the window.

    python benchmarks/cliffs.py [--engine maximal|nfa] [--select stnm|stam] [--limit SECONDS] [--only TEXT] [W
    ...]

A stream of 600 + 2 W events a second apart (types, values and keys random), in order, matches counted:
processor seconds for each W, the exponent from the first W to the last, the matches, and how many end events
were cut short. Each run is a process of its own, which ends when the limit is over.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detection import detection
from machine import machine

from limecep import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Case:
    """A pattern, the types of its stream, and how many values the key `x` has."""

    query: str
    types: str = "ABC"
    keys: int = 50

    def events(self, within: int) -> list[Event]:
        """600 + 2 W events a second apart."""
        chosen = random.Random(7)
        made = []
        for i in range(600 + 2 * within):
            payload = {"v": chosen.randrange(100), "x": chosen.randrange(self.keys)}
            made.append(Event(chosen.choice(self.types), str(i), i * SECOND, i * SECOND, "s", payload))
        return made


def _groups(condition: str) -> list[Case]:
    return [Case(f"SEQ({a}, B+ b, C c) WHERE {condition}") for a in ("A a", "A+ a")]


GROUPS = [
    case
    for condition in (
        "count(b) >= 3",
        "count(b) <= 5",
        "avg(b.v) > 50",
        "sum(b.v) < 500",
        "last(b).v > 90",
        "max(b.v) - min(b.v) < 20",
        "last(b).v > first(b).v",
        "count(b) >= 3 AND avg(b.v) > 50",
    )
    for case in _groups(condition)
]

ABSENCE = [
    Case("SEQ(A a, !B b) WHERE b.x = a.x", "AB"),
    Case("SEQ(A a, C c, !B b) WHERE b.x = a.x"),
    Case("SEQ(A a, !B b, C c) WHERE b.x = a.x"),
    Case("SEQ(A a, C c, !B b) WHERE b.x = c.x"),
    Case("SEQ(A a, C c, !B b) WHERE b.x = c.x AND a.x = c.x"),
]

PRACTICE = [
    Case("SEQ(A order, !B payment) WHERE payment.x = order.x", "AB", keys=100_000),
    Case("SEQ(A{3} f, B s) WHERE f[i+1].x = f[i].x AND last(f).x = s.x", "AB"),
    Case("A+ r WHERE r[i+1].v > r[i].v AND count(r) >= 5", "A"),
    Case("A{5,} r WHERE r[i+1].v > r[i].v", "A"),
    Case("A+ r WHERE r.v > 20 AND count(r) >= 5", "A"),
    Case("A+ r WHERE count(r) >= 48 AND avg(r.v) > 55", "A"),
    Case("SEQ(A order, B payment) WHERE payment.x = order.x", "AB", keys=100_000),
    Case("SEQ(A order, B payment) WHERE payment.x = order.x", "AB"),
]

NEIGHBOURS = [
    Case("SEQ(A{2,} a, B b) WHERE b.x = a[1].x", "AB"),
    Case("SEQ(A{2,} a, B b) WHERE b.x = last(a).x AND a[i+1].x = a[i].x", "AB"),
    Case("SEQ(A+ a, B+ b, C c) WHERE last(a).v < b[1].v"),
    Case("SEQ(A+ a, A+ b, A+ c)", "A"),
    Case("SEQ(A{2,4} a, B b, C c)"),
    Case("SEQ(A a, B{2,4} b, C c)"),
]

BETWEEN = [
    Case("SEQ(A{3,} f, B s) WHERE f.x = s.x", "AB"),
    Case("SEQ(A{3,} f, B s) WHERE f[i+1].x = f[i].x AND s.x = f[1].x", "AB"),
    Case("SEQ(A a, B+ b, C c) WHERE b[i+1].v > b[i].v AND c.v > last(b).v"),
    Case("SEQ(A a, B+ b, C c) WHERE b.v > a.v AND c.v < a.v"),
    Case("SEQ(A a, B+ b, C c) WHERE b.x = a.x AND c.x = a.x"),
    Case("SEQ(A a, B* b, C c) WHERE b.x = a.x AND c.x = a.x"),
    Case("SEQ(A a, B? b, C c) WHERE c.v > a.v"),
    Case("SEQ(A a, B+ b) WHERE b.x = a.x AND sum(b.v) > 200", "AB"),
    Case("SEQ(A+ a, B b) WHERE b.v > avg(a.v)", "AB"),
    Case("SEQ(A{5,} a, B b) WHERE b.v > 1.5 * avg(a.v)", "AB"),
    Case("SEQ(A+ a, B b) WHERE b.v > max(a.v) AND b.x = a[1].x", "AB"),
    Case("SEQ(A+ a, B+ b, C c) WHERE avg(b.v) > avg(a.v)"),
    Case("SEQ(A+ a, B+ b) WHERE count(a) > count(b)", "AB"),
    Case("SEQ(A+ a, B b, C+ c) WHERE a.x = c.x"),
    Case("SEQ(A a, B b, C+ c) WHERE sum(c.v) > b.v"),
]

TIMES = [
    Case("A{3,10} r WHERE avg(r.v) > 70", "A"),
    Case("A{20,} r WHERE avg(r.v) > 60 AND max(r.v) < 95", "A"),
    Case("SEQ(A{2,4} a, B{2,4} b, C c) WHERE sum(a.v) < sum(b.v)"),
    Case("SEQ(A a, B{2,4} b, C c) WHERE avg(b.v) > 50"),
    Case("SEQ(A a, B b, C{2,5} c) WHERE sum(c.v) > 100"),
    Case("SEQ(A a, !B b, C c) WHERE b.x = a.x AND c.x = a.x"),
    Case("SEQ(A+ a, !B b, C c) WHERE c.x = a.x"),
    Case("SEQ(A a, !A n) WHERE n.x = a.x", "A"),
    Case("SEQ(A{3,} a, !B b) WHERE b.x = a[1].x", "AB"),
    Case("SEQ(A+ a, !B b) WHERE a[i+1].x = a[i].x AND b.x = last(a).x", "AB"),
    Case("SEQ(A a, B+ b, !C n) WHERE n.x = a.x"),
    Case("SEQ(A a, B+ b, !C n) WHERE n.x = last(b).x"),
    Case("SEQ(A+ a, B b, !C n) WHERE n.x = b.x"),
    Case("SEQ(A+ a, B b, !C n) WHERE n.x = a[1].x"),
]

CASES = [*GROUPS, *ABSENCE, *PRACTICE, *NEIGHBOURS, *BETWEEN, *TIMES]


def _measure(case: Case, within: int, select: str, engine: str, limit: float, pipe) -> None:  # type: ignore[no-untyped-def]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit) + 2, math.ceil(limit) + 3))
    detecting = detection(f"{case.query} WITHIN {within} seconds", select, engine)
    events = case.events(within)
    begun = time.process_time()
    detecting.feed(events)
    detecting.finish()
    seconds = time.process_time() - begun
    figures = detecting.patterns()["p"]
    pipe.send((seconds, figures["live"], figures.get("truncated", 0)))


def measured(
    case: Case, within: int, select: str, engine: str, limit: float
) -> tuple[float, int, int] | None:
    """Processor seconds, matches, end events cut short; None where it took longer than the limit."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_measure, args=(case, within, select, engine, limit, there))
    process.start()
    there.close()
    try:
        found: tuple[float, int, int] = here.recv()
    except EOFError:
        return None
    finally:
        process.join()
    return found


def report(case: Case, windows: Sequence[int], select: str, engine: str, limit: float) -> None:
    """One line: each window, and the growth."""
    found = []
    for within in windows:
        found.append(measured(case, within, select, engine, limit))
        if found[-1] is None:
            break
    shown = [f"{f[0]:8.3f}" if f else f"  >{limit:4.0f} " for f in found]
    shown += ["       -"] * (len(windows) - len(found))
    first, last = found[0], found[-1]
    slope = "    -"
    # The clock of a busy virtual machine may stand still for milliseconds.
    if first and last and len(found) > 1 and min(first[0], last[0]) > 0:
        slope = f"{math.log(last[0] / first[0]) / math.log(windows[len(found) - 1] / windows[0]):5.2f}"
    tail = f"{last[1]:>11,} matches{f', {last[2]} cut' if last[2] else ''}" if last else ""
    print(f"{engine:<8}{select:<5}{case.query:<78}{' '.join(shown)} {slope} {tail}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=("maximal", "nfa"))
    parser.add_argument("--select", choices=("stnm", "stam"))
    parser.add_argument("--limit", type=float, default=20, help="processor seconds for one run")
    parser.add_argument("--only", default="", help="cases whose query has this text")
    parser.add_argument("windows", nargs="*", type=int, default=[100, 200, 400])
    given = parser.parse_args()
    print(machine())
    print(_heading(given.windows))
    for engine in [given.engine] if given.engine else ["maximal", "nfa"]:
        for select in [given.select] if given.select else ["stnm", "stam"]:
            for case in CASES:
                if given.only in case.query:
                    report(case, given.windows, select, engine, given.limit)


def _heading(windows: Sequence[int]) -> str:
    return " " * 91 + " ".join(f"W={w}".rjust(8) for w in windows) + " growth"


if __name__ == "__main__":
    main()
