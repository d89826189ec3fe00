"""Counts of what was read add up, by source and over all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import memory
from limecep.memory import peak_rss
from limecep.statistics import OUTCOMES, Statistics

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_read_is_the_sum_of_the_outcomes() -> None:
    statistics = Statistics()
    for n, outcome in enumerate(OUTCOMES, 1):
        statistics.source("s").outcomes[outcome] += n
        statistics.source("t").outcomes[outcome] += 1
    assert statistics.source("s").read == 28
    events = statistics.events()
    assert set(events) == {"read", *OUTCOMES}
    assert events["read"] == sum(events[o] for o in OUTCOMES) == 35


def test_a_snapshot_leaves_out_what_did_not_happen() -> None:
    statistics = Statistics()
    statistics.source("s").outcomes["future"] += 2
    statistics.source("silent")
    assert statistics.snapshot() == {"s": {"read": 2, "future": 2}, "silent": {"read": 0}}


@pytest.mark.parametrize("times", [(5, 1, 9), (1, 5, 9), (9, 5, 1)])
def test_the_first_and_the_latest_time_are_noted_in_any_order(times: tuple[int, ...]) -> None:
    source = Statistics().source("s")
    for t in times:
        source.note_time(t)
    assert (source.first, source.latest) == (1, 9)


def test_the_peak_of_memory_never_falls() -> None:
    before = peak_rss()
    block = bytearray(before + 50_000_000)
    block[::4096] = b"x" * len(block[::4096])
    assert peak_rss() >= before + 40_000_000
    del block
    assert peak_rss() >= before + 40_000_000


def test_the_peak_is_known_where_there_is_no_proc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "Path", lambda _: tmp_path / "status")
    assert peak_rss() > 1_000_000
