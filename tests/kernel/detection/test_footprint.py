"""Footprints are about what the process grows by."""

from __future__ import annotations

import subprocess
import sys

import pytest

_MEASURED = """
import gc, sys
from limecep.detection.footprint import footprint
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

store = Store()
partition = " PARTITION BY v" if sys.argv[1] == "keys of their own" else ""
query = f"PATTERN SEQ(A a, B+ b[], C c) WHERE a.v > 1 WITHIN 10 s{partition}"
views = store.subscribe(compile_plan(parse(query), name="p"))
make = {
    "nothing": lambda n: {},
    "numbers": lambda n: {"v": n, "w": n / 7},
    "keys of their own": lambda n: {"v": n},
    "all sorts": lambda n: {"v": n, "name": f"room {n}", "tags": ["a", f"b{n}"], "in": {"k": str(n)}},
}[sys.argv[1]]
gc.collect()
before = resident()
for n in range(100_000):
    event = Event("ABC"[n % 3], f"id{n}", 10**15 + n, 10**15 + n + 5, "s", make(n))
    store.add(event, store.types[event.type])
    if event.type == "C":
        views.of(event)
gc.collect()
print((resident() - before) / footprint(store))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("payload", ["nothing", "numbers", "all sorts", "keys of their own"])
def test_what_events_take_is_told_to_a_fifth(payload: str) -> None:
    measured = subprocess.run(
        [sys.executable, "-c", _MEASURED, payload], check=True, capture_output=True, text=True
    )
    assert 0.8 < float(measured.stdout) < 1.25
