"""Packing: events in few bytes, and as they were."""

from __future__ import annotations

from threading import Lock
from typing import Any

import msgspec
import pytest

from limecep import Event
from limecep.detection.packing import pack, unpack

PAYLOADS: list[dict[str, Any]] = [
    {},
    {"v": 1, "k": "x"},
    {"k": "y", "v": 2.5},
    {"v": 2**80, "k": None, "deep": {"of": [1, (2, "é")], "on": True}},
    {},
    {"v": float("inf"), "k": b"raw"},
]


def test_events_are_as_they_were() -> None:
    events = [Event("AB"[n % 2], f"e{n}", n, n + 5, "s", p, n - 2, n + 1) for n, p in enumerate(PAYLOADS)]
    packed = pack(events)
    assert packed is not None
    found = unpack(packed)
    assert [msgspec.structs.astuple(e) for e in found] == [msgspec.structs.astuple(e) for e in events]
    assert [list(e.payload) for e in found] == [list(p) for p in PAYLOADS]
    assert found[0].payload is not found[4].payload


def test_alike_ones_take_a_tenth() -> None:
    events = [Event("A", f"e{n}", n * 10, n * 10, "s", {"v": n % 7, "k": "x"}) for n in range(512)]
    packed = pack(events)
    assert packed is not None
    assert len(packed) < 512 * 20


@pytest.mark.parametrize("value", [Lock(), lambda: None])
def test_what_cannot_be_copied_is_not_packed(value: Any) -> None:
    assert pack([Event("A", "a", 1, payload={"v": value})]) is None
