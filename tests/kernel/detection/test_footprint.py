"""Footprints are about what the process grows by."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from limecep.detection.footprint import _PLACE_BYTES, _of_event, _size, footprint
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

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
for n in range(50_000):
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


def stored(*payloads: object, query: str = "SEQ(A a, B b)") -> Store:
    store = Store()
    store.subscribe(compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p"))
    for n, payload in enumerate(payloads):
        event = Event("A", f"a{n}", 10**15 + n, 10**15 + n, "s", {"v": payload})
        store.add(event, store.types["A"])
    return store


def test_a_few_of_many_events_stand_for_all() -> None:
    small, large = "", "v" * 100_000
    plain = footprint(stored(*[small] * 160))
    for place, looked_at in ((0, True), (1, False), (15, False), (16, True)):
        values = [small] * 160
        values[place] = large
        # One in ten that are looked at, of 160.
        added = footprint(stored(*values)) - plain
        assert added == pytest.approx(16 * 100_000 if looked_at else 0, rel=0.01)


#: A text takes as much beside its characters; the empty one is there once for all of Python.
EMPTY = sys.getsizeof("")


def test_what_events_share_counts_for_none_of_them() -> None:
    unit = "".join(["deg", "rees"] * 100)
    shared = stored(*[[unit] for _ in range(160)])
    own = stored(*[["".join(["deg", "rees"] * 100)] for _ in range(160)])
    assert footprint(own) - footprint(shared) == 160 * _size(unit)


def test_the_id_counts_once_where_it_is_a_value_of_the_payload_too() -> None:
    name, other = "".join(["a", "b"]), "".join(["c", "d"])
    same, two = (Event("A", name, t := 10**15, t, "s", {"v": v}) for v in (name, other))
    assert _of_event(two) - _of_event(same) == _size(other)


@pytest.mark.parametrize("wrapped", [list, tuple, lambda values: dict(enumerate(values))])
def test_what_a_value_contains_counts(wrapped: Callable[[list[str]], object]) -> None:
    # Texts are made anew, since constants of the code are shared by all.
    def taken(*lengths: int) -> int:
        return footprint(stored([wrapped(["v" * length for length in lengths])]))

    two, one = taken(8000, 800), taken(8000, 0)
    # Places are given out in sixteen bytes.
    assert two - one == pytest.approx(800 + EMPTY, abs=16)
    assert one - taken(0, 0) == pytest.approx(8000 + EMPTY, abs=16)


def test_memory_is_given_out_in_sixteens() -> None:
    assert {_size("v" * n) % 16 for n in range(40)} == {0}
    assert all(0 <= _size("v" * n) - sys.getsizeof("v" * n) < 16 for n in range(40))


def test_a_time_that_is_two_of_an_event_s_is_one_number() -> None:
    same = Event("A", "a", t := 10**15, t, "s", {})
    other = Event("A", "a", t, t + 1, "s", {})
    assert _of_event(other) - _of_event(same) == _size(t)


def test_each_lane_adds_its_places() -> None:
    one = footprint(stored(*[0] * 16))
    lane = footprint(stored(*[0] * 16, query="SEQ(A a, B b) WHERE a.v >= 0"))
    assert lane - one == 16 * _PLACE_BYTES


def test_without_events_there_are_none() -> None:
    assert footprint(stored()) == 0
